/* Weighted Jacobi for  A u = b  (Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 4.1).
 *
 *   for n = 0, 1, ... max_iterations
 *       r       = b - A u(n)
 *       every check_every iterations: stop if ||r|| says so; the answer is u(n)
 *       u(n+1)  = u(n) + weight D^-1 r
 *
 * D = diagonal of A.
 *
 * Shapes: fields are [cells]; u has two copies. Units: r as b, u as given.
 * Bytes per cell and iteration: read u, b, write u; variable coefficients also read diagonal, inverse diagonal
 *   and one conductance per axis, with a velocity two: (3 or 8 in 3D) x sizeof(real_t).
 * Barriers per iteration: 1, at checks too: the last group's ticket is drawn before it arrives. */
#ifndef PERDURE_KERNELS_JACOBI_H
#define PERDURE_KERNELS_JACOBI_H

#include "kernels/chunks.h"
#include "kernels/jacobi_fields.h"
#include "kernels/kernel_forms.h"
#include "kernels/operator.h"
#include "kernels/relaxation_decide.h"

typedef struct {
    run_t run;
    operator_t A;
    JACOBI_OWN_FIELDS(FIELD_MEMBER)
} jacobi_t;

CELL_FUNCTION void jacobi_cell(const jacobi_t *self, GLOBAL const real_t *u, GLOBAL real_t *next,
                               uint32 check, cell_t cell, index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    prefetch_row(u, 2u, grid, cell);
    prefetch_row(self->b, 2u, grid, cell);
    const stencil_t s = stencil_of(grid, cell);
    const neighbourhood_t v = gather(u, grid, &s);
    const real_t inverse = inverse_diagonal_at(&self->A, grid, &s);
    const real_t r = self->b[cell.index] - apply_operator(&self->A, grid, &s, &v);
    next[cell.index] = EXPLICIT_STEP(v.at[CENTRE], (real_t)grid->weight * inverse, r);
    if (check) {
        const sum_t scale = times_diagonal(inverse, v.at[CENTRE]);
        add_residual(run, lane, cell.index, (double)r, scale);
    }
}

FUNCTION void jacobi_phase(const jacobi_t *self, uint32 n) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 check = is_check(grid, n);
    GLOBAL const real_t *u = copy_of(self->u, n);
    GLOBAL real_t *next = copy_of(self->u, n + 1u);
    NOTE_CHANGES_OF_LOOP(rank_copies(n + 1u), 1u);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        if (check) {
            clear_lanes(run, 0u, 2u);
        }
        WITH_CONSTANT(checked, check,
                      CALL_FOR_CELLS(chunk, grid, jacobi_cell(self, u, next, checked, cell, lane)));
        if (check) {
            store_partials(run, chunk, 2u);
        }
    }
    if (check) {
        if (finish_check(run, 2u)) {
            DECIDE(end_solve(run, n, relaxation_decide(run, n)));
        }
    }
}

FULL_KERNEL(jacobi, KERNEL_ARGUMENTS(JACOBI_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const jacobi_t self = {RUN_VALUES(lanes), OPERATOR(parameters), JACOBI_OWN_FIELDS(FIELD_VALUE)};
    RUN_STEPS(self.run, control.begin, jacobi_phase(&self, step));
}

#endif
