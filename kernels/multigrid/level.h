/* One level of the hierarchy in memory.
 *
 * Coefficients are fields, or, on every level of a uniform problem, tables by boundary position (kernels/grid.h): two
 * cells become one in the same way everywhere but at the ends of an axis. */
#ifndef PERDURE_KERNELS_MULTIGRID_LEVEL_H
#define PERDURE_KERNELS_MULTIGRID_LEVEL_H

#include "kernels/chunks.h"
#include "kernels/labels.h"
#include "kernels/multigrid/lines.h"
#include "kernels/multigrid/team.h"

/* Of a table: in cells at no side, and of faces between cells. */
typedef struct {
    cycle_t diagonal, inverse_diagonal, face_x, face_y, face_z;
} inner_t;

typedef struct {
    run_parameters_t grid;
    uint32 halved[3];
    GLOBAL cycle_t *diagonal;
    GLOBAL cycle_t *inverse_diagonal;
    GLOBAL cycle_t *face_x;
    GLOBAL cycle_t *face_y;
    GLOBAL cycle_t *face_z;
    GLOBAL cycle_t *weight_x;
    GLOBAL cycle_t *weight_y;
    GLOBAL cycle_t *weight_z;
    GLOBAL cycle_t *b;
    GLOBAL cycle_t *u[2];
    inner_t inner;
#if defined(BY_LABELS)
    uint32 by_labels; /* 1: level 0, which has these instead of diagonal and faces */
    labels_t labels;
    GLOBAL const cycle_t *coefficients;
    uint32 has_kinds; /* 1: and these instead of inverse diagonals */
    GLOBAL const unsigned short *kinds;
    GLOBAL const cycle_t *inverses;
#endif
} level_t;

/* What every phase would otherwise find by three loads, each waiting for the one before, and no cache holds across a grid
 * barrier. Nothing is kept in a launch of one phase. */
typedef struct {
    uint32 levels, phases, steps;
    level_t level[KEPT_LEVELS];
    phase_t phase[KEPT_PHASES];
    step_t step[KEPT_STEPS];
    lines_t lines[3];
    transform_t transform; /* of the step under way */
} kept_t;

typedef struct {
    GLOBAL const hierarchy_t *hierarchy;
    GLOBAL const phase_t *phases;
    GLOBAL const step_t *steps;
    GLOBAL const wave_t *waves;
    GLOBAL const uint32 *places;
    GLOBAL cycle_t *arena;
    GLOBAL cycle_t *lenders[LENDERS];
    GLOBAL cycle_t *tables;
#if defined(BY_LABELS)
    labels_t labels;
    GLOBAL const cycle_t *coefficients;
    uint32 has_kinds;
    GLOBAL const unsigned short *kinds;
    GLOBAL const cycle_t *inverses;
    /* of level 0, unless ROUNDED */
    GLOBAL cycle_t *inverse_diagonal;
#else
    /* of level 0, unless ROUNDED */
    GLOBAL cycle_t *diagonal;
    GLOBAL cycle_t *inverse_diagonal;
    GLOBAL cycle_t *face_x;
    GLOBAL cycle_t *face_y;
    GLOBAL cycle_t *face_z;
#endif
    GLOBAL cycle_t *b;
    GLOBAL cycle_t *x;
    LOCAL cycle_t *tile;  /* [TILE_VALUES] */
    LOCAL cycle_t *lines; /* what transforms have in memory, unless the launch says how much that is */
    LOCAL sum_t *matrix;  /* [COARSEST_CELLS][COARSEST_CELLS] */
    LOCAL kept_t *kept;
} multigrid_t;

/* Where an array begins that is in the arena or lent. */
FUNCTION GLOBAL cycle_t *array_at(const multigrid_t *self, uint64 place) {
    const uint32 lender = (uint32)(place >> LENDER_SHIFT);
    GLOBAL cycle_t *room = lender == LENT_BY_R ? self->lenders[2] : self->arena;
    room = lender == LENT_BY_P ? self->lenders[1] : room;
    room = lender == LENT_BY_Q ? self->lenders[0] : room;
    return room + (place & (((uint64)1 << LENDER_SHIFT) - 1u));
}

/* Where the coefficients of cell (x, y, z) are. */
FUNCTION uint32 entry_at(const run_parameters_t *grid, uint32 x, uint32 y, uint32 z) {
    return UNIFORM(grid) ? table_place(at_side(x, grid->nx), at_side(y, grid->ny), at_side(z, grid->nz))
                         : x + grid->nx * (y + grid->ny * z);
}

FUNCTION level_t read_level(const multigrid_t *self, uint32 number) {
    GLOBAL const level_entry_t *entry = self->hierarchy->level + number;
    const uint32 finest = ROUNDED ? 0u : number == 0u ? 1u : 0u;
    level_t level;
    level.grid = entry->grid;
    level.halved[0] = entry->halved[0];
    level.halved[1] = entry->halved[1];
    level.halved[2] = entry->halved[2];
    GLOBAL cycle_t *coefficients = UNIFORM(&level.grid) ? self->tables : self->arena;
#if defined(BY_LABELS)
    level.by_labels = number == 0u ? 1u : 0u;
    level.labels = self->labels;
    level.coefficients = self->coefficients;
    level.has_kinds = number == 0u ? self->has_kinds : 0u;
    level.kinds = self->kinds;
    level.inverses = self->inverses;
    level.diagonal = coefficients + entry->diagonal;
    level.inverse_diagonal = finest ? self->inverse_diagonal : coefficients + entry->inverse_diagonal;
    level.face_x = coefficients + entry->face[0];
    level.face_y = coefficients + entry->face[1];
    level.face_z = coefficients + entry->face[2];
#else
    level.diagonal = finest ? self->diagonal : coefficients + entry->diagonal;
    level.inverse_diagonal = finest ? self->inverse_diagonal : coefficients + entry->inverse_diagonal;
    level.face_x = finest ? self->face_x : coefficients + entry->face[0];
    level.face_y = finest ? self->face_y : coefficients + entry->face[1];
    level.face_z = finest ? self->face_z : coefficients + entry->face[2];
#endif
    level.weight_x = coefficients + entry->weight[0];
    level.weight_y = coefficients + entry->weight[1];
    level.weight_z = coefficients + entry->weight[2];
    level.b = finest ? self->b : array_at(self, entry->b);
    level.u[0] = array_at(self, entry->u[0]);
    level.u[1] = array_at(self, entry->u[1]);
    level.inner.diagonal = level.inner.inverse_diagonal = (cycle_t)0;
    level.inner.face_x = level.inner.face_y = level.inner.face_z = (cycle_t)0;
    if (UNIFORM(&level.grid)) {
        const uint32 inside = inner_place(DIMENSIONS(&level.grid));
        const uint32 last = entry_at(&level.grid, level.grid.nx - 1u, level.grid.ny - 1u, level.grid.nz - 1u);
        level.inner.diagonal = level.diagonal[inside];
        level.inner.inverse_diagonal = level.inverse_diagonal[inside];
        level.inner.face_x = level.face_x[last];
        level.inner.face_y = level.face_y[last];
        level.inner.face_z = DIMENSIONS(&level.grid) == 3u ? level.face_z[last] : (cycle_t)0;
    }
    return level;
}

FUNCTION level_t level_at(const multigrid_t *self, uint32 number) {
    if (number >= self->kept->levels) {
        return read_level(self, number);
    }
    level_t level = self->kept->level[number];
    level.b = ROUNDED ? level.b : number == 0u ? self->b : level.b;
    return level;
}

/* Level 0, as the compiler knows. */
FUNCTION level_t finest_level(const multigrid_t *self) {
    level_t level = level_at(self, 0u);
#if defined(BY_LABELS)
    level.by_labels = 1u;
#endif
    return level;
}

/* A statement on `level`, a variable: of kernels by labels once for level 0 and once for the others, without a branch in its
 * loops. */
#undef ON_LEVEL
#if defined(BY_LABELS)
#define ON_LEVEL(level, statement)  \
    do {                            \
        if ((level).by_labels) {    \
            (level).by_labels = 1u; \
            statement;              \
        } else {                    \
            (level).by_labels = 0u; \
            statement;              \
        }                           \
    } while (0)
#else
#define ON_LEVEL(level, statement) statement
#endif

FUNCTION phase_t phase_at(const multigrid_t *self, uint32 place) {
    return place < self->kept->phases ? self->kept->phase[place] : self->phases[place];
}
FUNCTION step_t step_at(const multigrid_t *self, uint32 number) {
    return number < self->kept->steps ? self->kept->step[number] : self->steps[number];
}

FUNCTION uint32 at_most(uint32 n, uint32 limit) {
    return n < limit ? n : limit;
}

/* Every item of every group, before the first phase of a launch of `phases`. */
FUNCTION void keep_levels(const multigrid_t *self, uint32 phases) {
    GLOBAL const hierarchy_t *hierarchy = self->hierarchy;
    const uint32 levels = phases > 1u ? at_most(hierarchy->levels, KEPT_LEVELS) : 0u;
    const uint32 places = phases > 1u ? at_most(hierarchy->phases, KEPT_PHASES) : 0u;
    const uint32 steps = phases > 1u ? at_most(hierarchy->steps, KEPT_STEPS) : 0u;
    for (uint32 k = item_index(); k < levels; k += group_size()) {
        self->kept->level[k] = read_level(self, k);
    }
    for (uint32 k = item_index(); k < places; k += group_size()) {
        self->kept->phase[k] = self->phases[k];
    }
    for (uint32 k = item_index(); k < steps; k += group_size()) {
        self->kept->step[k] = self->steps[k];
    }
    for (uint32 k = item_index(); k < (levels > 0u ? 3u : 0u); k += group_size()) {
        self->kept->lines[k] = hierarchy->lines[k];
    }
    if (item_index() == 0u) {
        self->kept->levels = levels;
        self->kept->phases = places;
        self->kept->steps = steps;
    }
    group_barrier();
}

/* The inverse of the coarsest level's matrix. */
FUNCTION GLOBAL cycle_t *inverse_at(const multigrid_t *self, const level_t *coarsest) {
    return (UNIFORM(&coarsest->grid) ? self->tables : self->arena) + self->hierarchy->inverse;
}

FUNCTION GLOBAL cycle_t *level_copy(const level_t *level, uint32 which) {
    return which == 1u ? level->u[1] : level->u[0];
}

#endif
