/* Chebyshev iteration on the Jacobi method for  A u = b,  A symmetric (Hageman and Young, Applied Iterative
 * Methods, 1981, chapters 4 to 6; Golub and Varga, Numer. Math. 3, 1961, 147-168).
 *
 *   for n = 0, 1, ... max_iterations
 *       r       = b - A u(n)
 *       every check_every iterations: stop if ||r|| says so; the answer is u(n); adapt the bound M
 *       u(n+1)  = rho (gamma D^-1 r + u(n)) + (1 - rho) u(n-1)
 *       rho     = 1, 1 / (1 - sigma^2 / 2), 1 / (1 - sigma^2 rho / 4), ... since the polynomial began
 *
 * gamma = 2 / (2 - M - m) and sigma = (M - m) / (2 - M - m) for eigenvalues of 1 - D^-1 A in [m, M]; m by
 * Gershgorin, M from the fall of (r, D^-1 r) between checks (kernels/chebyshev_decide.h): no bound has to be
 * known, and between checks nothing is summed.
 *
 * Shapes: fields are [cells]; u has two copies, u(n+1) takes the place of u(n-1). Units: r as b, u as given.
 * Bytes per cell and iteration: read u(n), u(n-1), b, write u; variable coefficients also read diagonal,
 *   inverse diagonal and one conductance per axis: (4 or 9 in 3D) x sizeof(real_t).
 * Barriers per iteration: 1. Reductions: at checks only (three sums at once). */
#ifndef PERDURE_KERNELS_CHEBYSHEV_H
#define PERDURE_KERNELS_CHEBYSHEV_H

#include "kernels/chebyshev_decide.h"
#include "kernels/chebyshev_fields.h"
#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/operator.h"

typedef struct {
    run_t run;
    operator_t A;
    CHEBYSHEV_OWN_FIELDS(FIELD_MEMBER)
} chebyshev_t;

/* rho of iteration n; item 0 of group 0 leaves that of the next one in the place that nobody reads now. */
FUNCTION double chebyshev_rho(const run_t *run, uint32 n) {
    GLOBAL chebyshev_state_t *state = &run->state->solve.chebyshev;
    const double rho = state->rho[n & 1u];
    if (group_index() == 0u && item_index() == 0u) {
        const double quarter = 0.25 * state->sigma_squared;
        state->rho[(n + 1u) & 1u] = 1.0 / (1.0 - (n == state->first ? 2.0 : rho) * quarter);
    }
    group_barrier();
    return rho;
}

CELL_FUNCTION void chebyshev_cell(const chebyshev_t *self, GLOBAL const real_t *u, GLOBAL real_t *next,
                                  real_t rho, real_t before, real_t gamma, uint32 check, cell_t cell,
                                  index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const stencil_t s = stencil_of(grid, cell);
    const neighbourhood_t v = gather(u, grid, &s);
    const real_t inverse = inverse_diagonal_at(&self->A, grid, &s);
    const real_t r = self->b[cell.index] - apply_operator(&self->A, grid, &s, &v);
    next[cell.index] = rho * (gamma * (inverse * r) + v.at[CENTRE]) + before * next[cell.index];
    if (check) {
        const sum_t scale = times_diagonal(inverse, v.at[CENTRE]);
        add_residual(run, lane, cell.index, (double)r, scale);
        add_to_lane(run, 2u, lane, (sum_t)r * ((sum_t)inverse * (sum_t)r));
    }
}

FUNCTION void chebyshev_phase(const chebyshev_t *self, uint32 n) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 check = is_check(grid, n) | (n == run->state->solve.chebyshev.first ? 1u : 0u);
    const double weight = chebyshev_rho(run, n);
    const real_t rho = (real_t)weight, before = (real_t)(1.0 - weight);
    const real_t gamma = (real_t)run->state->solve.chebyshev.gamma;
    GLOBAL const real_t *u = copy_of(self->u, n);
    GLOBAL real_t *next = copy_of(self->u, n + 1u);
    NOTE_CHANGES_OF_LOOP(rank_copies(n + 1u), 1u);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        if (check) {
            clear_lanes(run, 0u, 3u);
        }
        WITH_CONSTANT(checked, check,
                      CALL_FOR_CELLS(chunk, grid,
                                     chebyshev_cell(self, u, next, rho, before, gamma, checked, cell, lane)));
        if (check) {
            store_partials(run, chunk, 3u);
        }
    }
    if (check) {
        if (finish_check(run, 3u)) {
            DECIDE(chebyshev_decide(run, n));
        }
    }
}

PLAIN_KERNEL(chebyshev, KERNEL_ARGUMENTS(CHEBYSHEV_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const chebyshev_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, CHEBYSHEV_OWN_FIELDS(FIELD_VALUE)};
    RUN_STEPS(self.run, control.begin, chebyshev_phase(&self, step));
}

#endif
