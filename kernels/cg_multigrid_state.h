/* What phases of multigrid methods work on. */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_STATE_H
#define PERDURE_KERNELS_CG_MULTIGRID_STATE_H

#include "kernels/cg_multigrid_fields.h"
#include "kernels/cross_terms.h"
#include "kernels/multigrid/level_operator.h"
#include "kernels/operator.h"
#include "kernels/run.h"

typedef struct {
    run_t run;
    operator_t A;
#if defined(BY_TENSORS)
    cross_terms_t C;
#endif
#if defined(BY_LABELS)
    GLOBAL const uint32 *b_by_labels;
#endif
    CG_MULTIGRID_OWN_FIELDS(FIELD_MEMBER)
    multigrid_t multigrid;
} cg_multigrid_t;

/* Whether b is an array of cells. */
FUNCTION uint32 has_array_of_b(const cg_multigrid_t *self) {
#if defined(BY_LABELS)
    return *self->b_by_labels == 0u ? 1u : 0u;
#else
    (void)self;
    return 1u;
#endif
}

FUNCTION real_t right_hand_side_at(const cg_multigrid_t *self, const stencil_t *s) {
#if defined(BY_LABELS)
    if (!has_array_of_b(self)) {
        const run_parameters_t *grid = self->run.parameters;
        const labels_t *labels = &self->A.labels;
        const index_t cell = s->cell[CENTRE];
        return s->inner ? (real_t)0
                        : self->b[boundary_position(grid, cell, DIMENSIONS(grid)) * labels->count +
                                  labels->of_cell[cell]];
    }
#endif
    return self->b[s->cell[CENTRE]];
}

/* 1 as long as x is 0. */
FUNCTION uint32 is_at_zero(const cg_multigrid_t *self) {
    GLOBAL const solve_state_t *solve = &self->run.state->solve;
    return self->run.parameters->from_zero != 0u && solve->iteration == 0u && solve->earlier == 0u ? 1u : 0u;
}

/* A x of a cell, with `diagonal_part` the product by kernels/operator.h. */
#if defined(BY_TENSORS)
#define WITH_CROSS_TERMS(diagonal_part, terms) ((diagonal_part) + (terms))
#else
#define WITH_CROSS_TERMS(diagonal_part, terms) (diagonal_part)
#endif

#if defined(BY_TENSORS)
/* Cross terms of A p, p = scale z + beta p around the cell. */
FUNCTION real_t cross_terms_of_direction(const cg_multigrid_t *self, GLOBAL const cycle_t *z,
                                         GLOBAL const real_t *old_p, real_t beta, real_t scale, uint32 anew,
                                         cell_t cell, const stencil_t *s) {
    const run_parameters_t *grid = self->run.parameters;
    const uint32 dimensions = DIMENSIONS(grid);
    const vertices_t vertices = vertices_of(&self->C, grid, cell);
    cube_t p;
    if (vertices.any == 0u) {
        return (real_t)0;
    }
    UNROLLED
    for (uint32 k = 0; k < CUBE_CELLS_3D; ++k) {
        p.at[k] = (real_t)0;
        if (k < CUBE_CELLS(dimensions)) {
            const index_t there = cell_of_cube(s, k, dimensions);
            p.at[k] = scale * (real_t)z[there] + beta * (anew ? (real_t)0 : old_p[there]);
        }
    }
    return cross_terms_of(&self->C, &vertices, &p, dimensions);
}
#endif

/* r and p have three vectors in turn: in iteration k, r is in vector k, the p of the iteration before in k + 1, and the third is free. Direction
 * writes p there, which frees the vector of the p before; update writes r there. */
enum { TURN_OF_R = 0, TURN_OF_P_BEFORE, TURN_OF_P, TURN_OF_NEXT_R = TURN_OF_P_BEFORE };

/* 0: r_even, 1: p, 2: r_odd. */
FUNCTION uint32 vector_number(uint32 turn, uint32 further) {
    return turn + further < 3u ? turn + further : turn + further - 3u;
}
FUNCTION GLOBAL real_t *vector_in_turn(const cg_multigrid_t *self, uint32 further) {
    const uint32 which = vector_number(self->run.state->solve.turn, further);
    return which == 0u ? self->r[0] : which == 1u ? self->p : self->r[1];
}

/* The current r. As long as x is 0, r is b; an array of b is then read in its place. */
FUNCTION GLOBAL const real_t *residual_now(const cg_multigrid_t *self) {
    return is_at_zero(self) && has_array_of_b(self) ? self->b : vector_in_turn(self, TURN_OF_R);
}

#endif
