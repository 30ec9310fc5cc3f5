/* The operator of one level: kernels/operator.h without velocity, in cycle_t; and sweeps with it. */
#ifndef PERDURE_KERNELS_MULTIGRID_LEVEL_OPERATOR_H
#define PERDURE_KERNELS_MULTIGRID_LEVEL_OPERATOR_H

#include "kernels/multigrid/level.h"
#include "kernels/stencil_formula.h"

/* Values of a field of cycle_t in a cell and its neighbours. */
typedef struct {
    cycle_t at[STENCIL_POINTS];
} surroundings_t;

FUNCTION surroundings_t no_surroundings(void) {
    const surroundings_t u = {{(cycle_t)0}};
    return u;
}

CELL_FUNCTION surroundings_t look_around(GLOBAL const cycle_t *field, const level_t *level,
                                         const stencil_t *s) {
    const uint32 points = DIMENSIONS(&level->grid) == 3u ? STENCIL_POINTS : BELOW;
    surroundings_t u;
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        u.at[k] = k < points ? field[s->cell[k]] : (cycle_t)0;
    }
    return u;
}

/* Whether the cell and its neighbours have what inner cells of a table have. */
CELL_FUNCTION uint32 far_from_sides(const level_t *level, const stencil_t *s) {
    return UNIFORM(&level->grid) && s->inner ? 1u : 0u;
}

/* Of an array or a table, whichever the level has. */
CELL_FUNCTION cycle_t diagonal_of(const level_t *level, const stencil_t *s) {
#if defined(BY_LABELS)
    if (level->by_labels) {
        return s->inner ? (cycle_t)0
                        : level->coefficients[place_of_diagonal(&level->labels, &level->grid, s->cell[CENTRE],
                                                                DIMENSIONS(&level->grid))];
    }
#endif
    return level->diagonal[s->place[CENTRE]];
}

#if defined(BY_LABELS)
CELL_FUNCTION surroundings_t conductances_by_labels(const level_t *level, const stencil_t *s) {
    const pairs_t pairs = pairs_around(&level->labels, s, DIMENSIONS(&level->grid));
    surroundings_t t;
    for (uint32 k = WEST; k < STENCIL_POINTS; ++k) {
        t.at[k] = level->coefficients[pairs.at[k]];
    }
    t.at[CENTRE] = diagonal_of(level, s);
    return t;
}
#endif

/* Conductances of the faces of a cell; entry CENTRE is the diagonal's. Between cells of a uniform level they are all
 * alike along an axis. */
CELL_FUNCTION surroundings_t conductances_of(const level_t *level, const stencil_t *s) {
#if defined(BY_LABELS)
    if (level->by_labels) {
        return conductances_by_labels(level, s);
    }
#endif
    surroundings_t t;
    t.at[CENTRE] = far_from_sides(level, s) ? level->inner.diagonal : diagonal_of(level, s);
    if (UNIFORM(&level->grid)) {
        t.at[WEST] = t.at[EAST] = level->inner.face_x;
        t.at[SOUTH] = t.at[NORTH] = level->inner.face_y;
        t.at[BELOW] = t.at[ABOVE] = level->inner.face_z;
        return t;
    }
    t.at[WEST] = level->face_x[s->cell[CENTRE]];
    t.at[EAST] = level->face_x[s->cell[EAST]];
    t.at[SOUTH] = level->face_y[s->cell[CENTRE]];
    t.at[NORTH] = level->face_y[s->cell[NORTH]];
    t.at[BELOW] = t.at[ABOVE] = (cycle_t)0;
    if (DIMENSIONS(&level->grid) == 3u) {
        t.at[BELOW] = level->face_z[s->cell[CENTRE]];
        t.at[ABOVE] = level->face_z[s->cell[ABOVE]];
    }
    return t;
}

/* Whether a cell of a level with arrays, or labels, takes no part. */
FUNCTION uint32 is_left_out(const level_t *level, index_t cell) {
#if defined(BY_LABELS)
    if (level->by_labels) {
        return level->labels.of_cell[cell] == 0u ? 1u : 0u;
    }
#endif
    return level->inverse_diagonal[cell] == (cycle_t)0 ? 1u : 0u;
}

/* Of the cell, or of a neighbour. */
CELL_FUNCTION cycle_t inverse_of(const level_t *level, const stencil_t *s, uint32 k) {
#if defined(BY_LABELS)
    if (level->by_labels && level->has_kinds) {
        return level->inverses[level->kinds[s->cell[k]]];
    }
#endif
    return far_from_sides(level, s) ? level->inner.inverse_diagonal : level->inverse_diagonal[s->place[k]];
}

CELL_FUNCTION cycle_t residual_at(const level_t *level, const stencil_t *s, const surroundings_t *u,
                                  cycle_t b) {
    const surroundings_t t = conductances_of(level, s);
    const cycle_t here = u->at[CENTRE];
    cycle_t balance = FLUX_BALANCE_2D_OF(t.at, here, u->at);
    if (DIMENSIONS(&level->grid) == 3u) {
        balance = WITH_FLUXES_ALONG_Z(balance, t.at, here, u->at);
    }
    return RESIDUAL(b, STENCIL(t.at[CENTRE], here, balance));
}

/* Two sweeps from 0 in a cell, b around it. */
CELL_FUNCTION cycle_t two_sweeps(const level_t *level, const stencil_t *s, const surroundings_t *b,
                                 cycle_t first, cycle_t second) {
    surroundings_t u;
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        u.at[k] = first * (inverse_of(level, s, k) * b->at[k]);
    }
    return u.at[CENTRE] + second * (inverse_of(level, s, CENTRE) * residual_at(level, s, &u, b->at[CENTRE]));
}

CELL_FUNCTION cycle_t swept(const level_t *level, const stencil_t *s, const surroundings_t *u, cycle_t b,
                            cycle_t weight) {
    return u->at[CENTRE] + weight * (inverse_of(level, s, CENTRE) * residual_at(level, s, u, b));
}

#endif
