/* Tiles, and restriction by the transpose of the interpolation P between a level and the next, which goes one axis
 * after the other:
 *
 *   along an axis   u_i = u_I + w_i (u_J - u_I)     i in coarse cell I, J the neighbour at i's end
 *
 *   b of the next level = P^T (b - A u)             in columns along the last axis first, then across them
 *
 * A tile is a bundle of columns, each an item's. Along each axis it has slots: one for each of its cells, and one more
 * at each end for the cell that also takes part; an axis of one cell has no such ends. Where an odd number of cells is
 * periodic, the partner that the last cell lacks has a slot.
 *
 * Each item has the loads of two cells under way. Residuals at the ends are formed twice: in 18 x 14 columns of 18 slots
 * for 16 x 12 x 16 cells, 1.5 times in all. */
#ifndef PERDURE_KERNELS_MULTIGRID_TRANSFER_H
#define PERDURE_KERNELS_MULTIGRID_TRANSFER_H

#include "kernels/multigrid/network.h"

#define NO_PLACE 0xffffffffu

/* A tile along one axis. */
typedef struct {
    uint32 n, coarse; /* cells of the level and of the next */
    uint32 halved, periodic;
    uint32 origin, cells; /* coarse cells */
    uint32 margin;
} slots_t;

FUNCTION slots_t slots_along(const level_t *level, uint32 axis, uint32 cells, uint32 number) {
    slots_t s;
    s.n = extent(&level->grid, axis);
    s.halved = halved_along(level, axis);
    s.coarse = half_of(s.n, s.halved);
    s.periodic = is_periodic(&level->grid, axis);
    s.cells = cells;
    s.origin = number * cells;
    s.margin = s.n > 1u ? 1u : 0u;
    return s;
}

/* Of the columns, whose last part may have fewer cells. */
FUNCTION slots_t slots_of_segment(const level_t *level, uint32 cells, uint32 number) {
    slots_t s = slots_along(level, DIMENSIONS(&level->grid) == 3u ? 2u : 1u, cells, number);
    s.cells = at_most(cells, s.coarse - s.origin);
    return s;
}

/* Columns of a level of two dimensions stand along x alone. */
FUNCTION slots_t no_slots(void) {
    const slots_t s = {1u, 1u, 0u, 0u, 0u, 1u, 0u};
    return s;
}

typedef struct {
    slots_t x, across, along; /* x, y, z in 3D; x, none, y in 2D */
    divider_t slots_x;
    uint32 columns;
} columns_t;

/* First cell of the tile on its level. */
FUNCTION uint32 fine_origin(const slots_t *s) {
    return s->halved ? 2u * s->origin : s->origin;
}

FUNCTION uint32 fine_cells(const slots_t *s) {
    return s->halved ? 2u * s->cells : s->cells;
}

FUNCTION uint32 slot_count(const slots_t *s) {
    return fine_cells(s) + 2u * s->margin;
}

FUNCTION columns_t columns_of(const level_t *level, const tile_t *tile, uint32 number) {
    const uint32 line = divide(number, tile->tiles_x), layer = divide(line, tile->tiles_across);
    const uint32 stacked = DIMENSIONS(&level->grid) == 3u ? 1u : 0u;
    columns_t t;
    t.x = slots_along(level, 0u, tile->cells[0], number - line * tile->tiles_x.divisor);
    t.across = stacked ? slots_along(level, 1u, tile->cells[1], line - layer * tile->tiles_across.divisor)
                       : no_slots();
    t.along = slots_of_segment(level, tile->cells[2], layer);
    t.slots_x = tile->slots_x;
    t.columns = tile->slots_x.divisor * slot_count(&t.across);
    return t;
}

/* Weights of interpolation along the columns. */
FUNCTION GLOBAL const cycle_t *weights_of_columns(const level_t *level) {
    return DIMENSIONS(&level->grid) == 3u ? level->weight_z : level->weight_y;
}

/* The cell in a slot that begins `margin` before `origin`, of `n` cells that repeat after `period`. */
FUNCTION uint32 cell_beyond(uint32 origin, uint32 slot, uint32 margin, uint32 n, uint32 period,
                            uint32 periodic) {
    const uint32 cell = origin + slot - margin; /* wraps around below 0 */
    if (cell < n) {
        return cell;
    }
    if (!periodic) {
        return NO_PLACE;
    }
    return cell == period ? 0u : origin + slot < margin && period == n ? n - 1u : NO_PLACE;
}

FUNCTION uint32 cell_in_slot(const slots_t *s, uint32 slot) {
    return cell_beyond(fine_origin(s), slot, s->margin, s->n, s->halved ? 2u * s->coarse : s->n, s->periodic);
}

/* Index of cell (i, j, k), k along the columns, in a field of `x` cells along x and `across` across. */
FUNCTION uint32 index_of(uint32 i, uint32 j, uint32 k, uint32 x, uint32 across) {
    return i + x * (j + across * k);
}

/* Residuals of two cells in a column, 0 where there is none, and their weights of interpolation along it. */
typedef struct {
    cycle_t residual[2], weight[2];
} pair_t;

FUNCTION stencil_t stencil_in_column(const level_t *level, uint32 i, uint32 j, uint32 k, uint32 index) {
    const uint32 stacked = DIMENSIONS(&level->grid) == 3u ? 1u : 0u;
    const cell_t cell = {(index_t)index, i, stacked ? j : k, stacked ? k : 0u, 1u, 1u, 0u};
    return stencil_of(&level->grid, cell);
}

FUNCTION pair_t pair_in_slots(const level_t *level, uint32 from, const slots_t *along, uint32 i, uint32 j,
                              uint32 slot) {
    GLOBAL const cycle_t *weights = weights_of_columns(level);
    const uint32 across = DIMENSIONS(&level->grid) == 3u ? level->grid.ny : 1u;
    uint32 there[2], cell[2], place[2];
    stencil_t s[2];
    surroundings_t u[2];
    cycle_t b[2];
    pair_t pair;
    for (uint32 k = 0; k < 2u; ++k) {
        const uint32 at = cell_in_slot(along, slot + k);
        there[k] = at != NO_PLACE ? 1u : 0u;
        cell[k] = index_of(i, j, there[k] ? at : 0u, level->grid.nx, across);
        place[k] = UNIFORM(&level->grid) ? (there[k] ? at : 0u) : cell[k];
        s[k] = stencil_in_column(level, i, j, there[k] ? at : 0u, cell[k]);
    }
    for (uint32 k = 0; k < 2u; ++k) {
        b[k] = level->b[cell[k]];
        pair.weight[k] = along->halved ? weights[place[k]] : (cycle_t)0;
        u[k] = no_surroundings();
        if (from != NO_COPY) {
            u[k] = look_around(level_copy(level, from), level, &s[k]);
        }
    }
    for (uint32 k = 0; k < 2u; ++k) {
        const cycle_t r = from != NO_COPY ? residual_at(level, &s[k], &u[k], b[k]) : b[k];
        pair.residual[k] = there[k] ? r : (cycle_t)0;
    }
    return pair;
}

/* In the coarse cell that both pairs share: the upper half of one, the lower half of the other. */
FUNCTION cycle_t restricted_between(const pair_t *lower, const pair_t *upper) {
    return ((lower->weight[0] * lower->residual[0] + ((cycle_t)1 - lower->weight[1]) * lower->residual[1]) +
            ((cycle_t)1 - upper->weight[0]) * upper->residual[0]) +
           upper->weight[1] * upper->residual[1];
}

/* Along a column to the coarse cells of a tile or a segment, `step` apart in `values`, which are in either memory. */
#define RESTRICT_COLUMN(level, from, along, i, j, values, step)                                    \
    do {                                                                                           \
        if (!(along)->halved) {                                                                    \
            for (uint32 coarse = 0; coarse < (along)->cells; ++coarse) {                           \
                (values)[(step)*coarse] =                                                          \
                    pair_in_slots(level, from, along, i, j, coarse + (along)->margin).residual[0]; \
            }                                                                                      \
        } else {                                                                                   \
            pair_t lower = pair_in_slots(level, from, along, i, j, 0u);                            \
            for (uint32 coarse = 0; coarse < (along)->cells; ++coarse) {                           \
                const pair_t upper = pair_in_slots(level, from, along, i, j, 2u * coarse + 2u);    \
                (values)[(step)*coarse] = restricted_between(&lower, &upper);                      \
                lower = upper;                                                                     \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* How a coarse cell of the tile gathers along an axis: from `count` slots, `first` and so on. */
#define MOST_TAPS 4u
typedef struct {
    uint32 first, count;
    uint32 cell[MOST_TAPS]; /* of the slots, NO_PLACE where there is none */
} taps_t;

FUNCTION taps_t taps_of(const slots_t *s, uint32 i) {
    taps_t taps;
    taps.first = s->halved ? 2u * i : i + s->margin;
    taps.count = s->halved ? MOST_TAPS : 1u;
    for (uint32 k = 0; k < MOST_TAPS; ++k) {
        taps.cell[k] = k < taps.count ? cell_in_slot(s, taps.first + k) : NO_PLACE;
    }
    return taps;
}

/* The share of tap k, where `weight` is that of its cell. */
FUNCTION cycle_t share_of(const slots_t *s, uint32 k, cycle_t weight) {
    return !s->halved ? (cycle_t)1 : k == 1u || k == 2u ? (cycle_t)1 - weight : weight;
}

/* Across the columns to coarse cell (X, Y, Z), X and Y among those of `x` and `across`: along y, then along x. `value`: of the column in
 * cell (i, j), which slot p of `along_x` and slot q of `along_y` stand for. */
#define GATHER_COLUMNS(sum, level, x, across, X, Y, Z, value)                                          \
    do {                                                                                               \
        const uint32 uniform = UNIFORM(&(level)->grid), line = (across)->origin + (Y);                 \
        const taps_t along_x = taps_of(x, X), along_y = taps_of(across, Y);                            \
        for (uint32 p = 0; p < MOST_TAPS; ++p) {                                                       \
            const uint32 i = along_x.cell[p];                                                          \
            cycle_t column = (cycle_t)0;                                                               \
            for (uint32 q = 0; q < MOST_TAPS; ++q) {                                                   \
                const uint32 j = along_y.cell[q];                                                      \
                if (i != NO_PLACE && j != NO_PLACE) {                                                  \
                    const uint32 place = uniform ? j : index_of(i, j, Z, (x)->n, (across)->n);         \
                    const cycle_t w = (across)->halved ? (level)->weight_y[place] : (cycle_t)0;        \
                    column += share_of(across, q, w) * (value);                                        \
                }                                                                                      \
            }                                                                                          \
            if (i != NO_PLACE) {                                                                       \
                const uint32 place = uniform ? i : index_of(i, line, Z, (x)->n, (across)->coarse);     \
                (sum) += share_of(x, p, (x)->halved ? (level)->weight_x[place] : (cycle_t)0) * column; \
            }                                                                                          \
        }                                                                                              \
    } while (0)

FUNCTION cycle_t gather_from_tile(const level_t *level, const columns_t *t, LOCAL const cycle_t *plane,
                                  uint32 X, uint32 Y, uint32 Z) {
    const slots_t *x = &t->x, *across = &t->across;
    cycle_t sum = (cycle_t)0;
    GATHER_COLUMNS(sum, level, x, across, X, Y, Z,
                   plane[along_x.first + p + t->slots_x.divisor * (along_y.first + q)]);
    return sum;
}

/* Of a tile what this rank makes: planes of the next level that are its own. */
#if defined(BEGIN_OF_RANK)
FUNCTION slots_t slots_of_rank(slots_t along, team_t team) {
    if (IS_SHARED_BY_RANKS(team)) {
        const uint32 begin = cut_of(along.coarse, BEGIN_OF_RANK),
                     end = at_most(along.origin + along.cells, cut_of(along.coarse, END_OF_RANK));
        along.origin = along.origin > begin ? along.origin : begin;
        along.cells = end > along.origin ? end - along.origin : 0u;
    }
    return along;
}
#define HAS_PART_OF(along) ((along).cells > 0u)
#else
#define slots_of_rank(along, team) (along)
#define HAS_PART_OF(along) 1u
#endif
FUNCTION columns_t columns_of_rank(columns_t t, team_t team) {
    (void)team;
    t.along = slots_of_rank(t.along, team);
    t.columns = HAS_PART_OF(t.along) ? t.columns : 0u;
    return t;
}

/* b of the next level from the residual of this one, tile by tile. */
FUNCTION void restrict_tiles(const multigrid_t *self, const level_t *level, const level_t *next,
                             const tile_t *tile, uint32 from, team_t team) {
    FOR_EACH_SIDE_BY_SIDE(k, tile->count, team.group, team.groups) {
        /* backwards: kernels/cg_multigrid.h */
        const columns_t t = columns_of_rank(columns_of(level, tile, number_from_last(k, tile->count)), team);
        for (uint32 q = item_index(); q < t.columns; q += group_size()) {
            const uint32 line = divide(q, t.slots_x);
            const uint32 i = cell_in_slot(&t.x, q - line * t.slots_x.divisor),
                         j = cell_in_slot(&t.across, line);
            if (i != NO_PLACE && j != NO_PLACE) {
                RESTRICT_COLUMN(level, from, &t.along, i, j, self->tile + q, t.columns);
            }
        }
        group_barrier();
        const uint32 layer = tile->coarse_x.divisor * tile->coarse_across.divisor;
        for (uint32 q = item_index(); q < layer * t.along.cells; q += group_size()) {
            const uint32 line = divide(q, tile->coarse_x), plane = divide(line, tile->coarse_across);
            const uint32 x = q - line * tile->coarse_x.divisor,
                         y = line - plane * tile->coarse_across.divisor;
            const uint32 X = t.x.origin + x, Y = t.across.origin + y, Z = t.along.origin + plane;
            if (X < t.x.coarse && Y < t.across.coarse) {
                next->b[index_of(X, Y, Z, t.x.coarse, t.across.coarse)] =
                    gather_from_tile(level, &t, self->tile + t.columns * plane, x, y, Z);
            }
        }
        group_barrier();
    }
}

FUNCTION void restrict_step(const multigrid_t *self, uint32 number, uint32 from, team_t team) {
    const tile_t tile = self->hierarchy->level[number].tile;
    level_t level = level_at(self, number);
    const level_t next = level_at(self, number + 1u);
    ON_LEVEL(level, restrict_tiles(self, &level, &next, &tile, from, team));
}

#endif
