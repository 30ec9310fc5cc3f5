/* What the host tells the device of a multigrid hierarchy, and how a level is found in memory.
 *
 * Level 0 is the grid of the run; each further level has half the cells along the axes that are halved, so that
 * two cells become one and the last one stays alone where their number is odd. Its coefficients and fields, and
 * those fields of level 0 that only cycles need, lie in one arena of cycle_t; the host says where. Where two cells become
 * one in the same way everywhere but at the ends of an axis, coefficients are tables, which the host makes.
 *
 * A cycle is a list of steps, each on one level, as solver/run/multigrid_cycle.cpp writes it down. A phase is one
 * step by all groups, or a sequence of steps on small levels by one group, which needs no grid-wide
 * synchronisation between them. */
#ifndef PERDURE_KERNELS_MULTIGRID_HIERARCHY_H
#define PERDURE_KERNELS_MULTIGRID_HIERARCHY_H

#include "kernels/parameters.h"
#include "kernels/rank_place.h"

#define MOST_LEVELS 40u
/* The coarsest level, unless transforms solve it, is solved by its inverse, [cells][cells], which one group makes in its
 * lanes. */
#define COARSEST_CELLS 32u
/* Entries of a table of coefficients by boundary position. */
#define PLACES 64u
/* Values that a group holds of a tile: for each of its columns, one for each of the next level's cells. */
#define TILE_VALUES 2048u

/* Levels, phases and steps that a group keeps at hand; beyond them it reads memory each time. */
#define KEPT_LEVELS 8u
#define KEPT_PHASES 48u
#define KEPT_STEPS 48u

/* Vectors of conjugate gradients that lend their room to arrays of the hierarchy while they are free, q, p and r_odd: networks on the way to
 * a next level during setup; during a cycle, behind update, the second copy of level 0 and what changes on other levels, in q. Where an array
 * begins, its upper bits tell who lends it, 0 nobody: then it is in the arena. */
enum { LENT_BY_Q = 1, LENT_BY_P, LENT_BY_R, LENDERS = 3 };
#define LENDER_SHIFT 60u

/* What a step does on its level; kernels/multigrid/steps.h. */
enum {
    STEP_WEIGH = 0, /* setup: the weights of interpolation along an axis */
    STEP_HALVE,     /* setup: conductances and sigma with an axis more halved */
    STEP_DIAGONAL,  /* setup: the next level's diagonal and its inverse */
    STEP_INVERT,    /* setup: the inverse of the coarsest level's matrix */
    STEP_MODES,     /* setup: the coarsest level's modes, where transforms solve it */
    STEP_SMOOTH,    /* u = two sweeps from 0 */
    STEP_SWEEP,     /* u' = u + weight D^-1 (b - A u) */
    STEP_COLOUR,    /* the same in place with weight 1 in cells of one colour; from 0 the others become 0 */
    STEP_RESTRICT,  /* b of the next level = P^T (b - A u) */
    STEP_RESTRICT_ALONG,  /* the same in two: a copy of u = b - A u, restricted along the last axis; */
    STEP_RESTRICT_ACROSS, /* and that across the others */
    STEP_SOLVE,           /* u = A^-1 b by the inverse */
    STEP_PRODUCT,         /* u = A^-1 b on a uniform level, along one axis: by a product with its modes */
    STEP_LINES,           /* the same by fast transforms */
    STEP_INTERPOLATE,     /* u = u + P u of the next level */
    /* on level 0, with sums: phases of the solver that the cycle belongs to */
    STEP_ROUND, /* setup in mixed precision: the operator in cycle_t */
    STEP_RESIDUAL,
    STEP_SOLVED, /* the true residual behind a direct solve that has added to x, an iteration */
    STEP_BEGIN,  /* in mixed precision: b from r, and two sweeps from 0 */
    STEP_FIRST,
    STEP_LAST,
    STEP_DIRECTION,
    STEP_ADVANCE
};

/* In place of a copy of u that is read: 0, or b where transforms begin. Of one that is written: nowhere; x of the run, which
 * gains what is found. */
#define NO_COPY 2u
#define INTO_X 3u

/* Which way a step of transforms goes: to modes, from them, or there, divided by eigenvalues, and back. */
enum { TO_MODES = 0, FROM_MODES, THERE_AND_BACK };

typedef struct {
    uint32 operation;
    uint32 level;
    uint32 from, to; /* copies of the level's u */
    uint32 below;    /* copy of the next level's u */
    uint32 colour;
    uint32 axis, way; /* that is halved; of transforms */
    double weight[2];
} step_t;

/* Of a step of transforms, behind which ranks that share the level exchange what the next one needs: lines along the last axis before the
 * first step along it, planes behind the last such step, and from plane to plane at the end. */
FUNCTION uint64 changes_of_transforms(const step_t *step, uint32 last_axis) {
    const uint32 second = step->to == 1u ? 1u : 0u;
    if (step->way == TO_MODES) {
        return step->axis + 1u == last_axis ? rank_bit(RANK_PLANES_TO_LINES + second) : 0u;
    }
    if (step->axis == last_axis) {
        return rank_bit(RANK_LINES_TO_PLANES + second);
    }
    if (step->axis != 0u) {
        return 0u;
    }
    return rank_bit(step->to == INTO_X ? (uint32)RANK_X
                                       : rank_number_of_level(step->level, RANK_LEVEL_U + second));
}

/* What a step on a level that ranks share changes of what they exchange, bits of kernels/rank_place.h. Behind STEP_RESTRICT_ALONG each reads
 * what it has made itself. Coefficients are exchanged otherwise (host threads), or each rank makes all of them. */
FUNCTION uint64 changes_of_step(const step_t *step, uint32 last_axis) {
    if (step->operation <= STEP_MODES || step->operation == STEP_RESTRICT_ALONG) {
        return 0u;
    }
    if (step->operation == STEP_RESTRICT || step->operation == STEP_RESTRICT_ACROSS) {
        return rank_bit(rank_number_of_level(step->level + 1u, RANK_LEVEL_B));
    }
    if (step->operation == STEP_PRODUCT || step->operation == STEP_LINES) {
        return changes_of_transforms(step, last_axis);
    }
    return rank_bit(rank_number_of_level(step->level, step->to == 1u ? RANK_LEVEL_SECOND_U : RANK_LEVEL_U));
}

typedef struct {
    uint32 first, count; /* steps */
    uint32 one_group;
    uint32 pad;
} phase_t;

/* A level is cut into tiles for what goes on between it and the next: columns along its last axis, side by side along the
 * others. Dividers take the number of a tile, of a column and of a cell of the next level apart. */
typedef struct {
    uint32 cells[3]; /* of the next level: along x, across (y in 3D, 1 in 2D) and along the columns */
    uint32 count;    /* tiles */
    divider_t tiles_x, tiles_across;
    divider_t slots_x; /* cells of the level, and one more at each end of an axis */
    divider_t coarse_x, coarse_across;
} tile_t;

/* Where a level is whose axes are not yet all halved: where its coefficients are. */
typedef struct {
    uint64 own, face[3], side[6];
} network_entry_t;

typedef struct {
    run_parameters_t grid; /* its extents */
    uint32 halved[3];
    uint32 segment; /* cells of the next level in a column that an item restricts; 0: restricted by tiles */
    /* How many layers of the level lie from one layer that is restricted along columns to the next. 2 on several devices where columns are
     * halved: each layer then is in the memory of the device that has its cells. */
    uint32 apart;
    tile_t tile;
    /* where fields begin in the arena, and coefficients there or, of uniform levels, among the tables, as the sides of
     * level 0 do; on level 0 operator and b are those of the run unless they are rounded */
    uint64 diagonal, inverse_diagonal, face[3];
    uint64 weight[3]; /* of interpolation along each axis */
    uint64 side[6];   /* conductances to sides */
    uint64 b, u[2];
    network_entry_t halfway[2]; /* to the next level, on the way to its coefficients: by axes halved */
} level_entry_t;

/* A mode along an axis: of cell i  scale[0] cos((i + 1/2) angle - turn[0])  in the lower half, and as much of i from the
 * upper end with the other scale and turn in the upper half. */
typedef struct {
    double angle, turn[2], scale[2];
} wave_t;

/* What the sides of an axis make of its modes; kernels/multigrid/real_modes.h. */
enum {
    LINES_OTHER =
        0, /* sides of another kind, or lines that no transform is made for: products with tables of modes */
    LINES_NO_FLUX,
    LINES_VALUES,
    LINES_NO_FLUX_THEN_VALUE,
    LINES_VALUE_THEN_NO_FLUX,
    LINES_PERIODIC
};

/* Of a transform of m complex numbers, m up to 4 x 3^7: no more passes. */
#define MOST_PASSES 8u

/* All butterflies of `radix` numbers that lie `stride` apart. */
typedef struct {
    uint32 radix;
    uint32 pad;
    divider_t stride;
    divider_t butterflies; /* of a line */
    uint64 turns;          /* among the tables: [radix - 1][stride], complex */
} pass_t;

/* How lines along an axis are transformed. */
typedef struct {
    uint32 kind;
    uint32 log2_lines; /* that a group has in its memory at a time */
    uint32 passes;
    uint32 gap[2]; /* log2 of how many places a gap follows */
    uint32 pad;
    divider_t numbers; /* cells / 2, complex */
    divider_t units;   /* half of them: two numbers make four modes */
    uint64 turns;      /* among the tables: real_modes.h */
    uint64 places;     /* of the numbers of units, [units][2], in a buffer of their own */
    pass_t pass[MOST_PASSES];
} lines_t;

/* Whether modes are made of two complex numbers each. */
FUNCTION uint32 has_pairs(uint32 kind) {
    return kind == LINES_NO_FLUX || kind == LINES_VALUES || kind == LINES_PERIODIC ? 1u : 0u;
}

/* Where a line's numbers lie in its group's memory: with gaps, so that numbers a power of two apart are in different banks.
 * Of places whose bits are apart the sum is spread as they are: gaps follow powers of two of which all other strides are
 * multiples. */
#define NO_GAPS 31u
FUNCTION uint32 spread(uint32 place, uint32 gap, uint32 larger_gap) {
    return place + (place >> gap) + (place >> larger_gap);
}

typedef struct {
    uint32 levels;
    uint32 residual_place;  /* in the list of phases: the true residual; the cycle follows */
    uint32 cycle_place;     /* its first phase, behind which every iteration but the first goes on */
    uint32 direction_place; /* behind the cycle */
    uint64 inverse; /* of the coarsest level, where its coefficients are, unless it is solved by transforms */
    uint64 modes[3]; /* in the arena, along axes with products: [2][n][n], from cells to modes and back */
    uint64 eigenvalues[3]; /* among the tables, in the order of modes */
    uint32 waves[3];       /* that modes are made of, one each */
    uint32 pad;
    lines_t lines[3];
    double epsilon; /* of cycle_t */
    double
        smallest; /* its smallest normal number by epsilon: no inverse of more overflows, nor products of it with values */
    uint32 rounded;       /* 1: cycle_t is not real_t */
    uint32 phases, steps; /* in the lists */
    uint32 transformed;   /* 1: the coarsest level is solved by transforms or products */
    double scale;         /* a power of two: rounded is this times the operator, sides as well */
    level_entry_t level[MOST_LEVELS];
} hierarchy_t;

#endif
