/* Scalars and decisions of kernels/cg_multigrid.h, taken by item 0 of the last group. They choose the next phase by
 * its place in the list of phases. */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_DECIDE_H
#define PERDURE_KERNELS_CG_MULTIGRID_DECIDE_H

#include "kernels/cg_decide.h"

/* The power of two that makes the root mean square of a residual 1 to 2. */
FUNCTION double scale_of(const run_t *run, double sum_of_squares) {
    const double size = sqrt(sum_of_squares / (double)run->parameters->cells);
    const int64 exponent = (double_bits(size) >> 52) & 0x7ff; /* biased by 1023 */
    return exponent > 0 && exponent < 2046 ? bits_double((2046 - exponent) << 52) : 1.0;
}

/* `solved`: this completes an iteration, and the next one begins at `cycle_place`. */
FUNCTION void cg_multigrid_decide_true(const run_t *run, uint32 solved, uint32 place, uint32 cycle_place) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    if (solved) {
        solve->iteration += 1u;
        solve->pending = stop_requested(run)                                   ? STOP_REQUESTED
                         : solve->iteration == run->parameters->max_iterations ? STOP_ITERATION_LIMIT
                                                                               : STOP_NONE;
    }
    solve->scale[0] = solve->scale[1] = scale_of(run, total(run, 0u));
    const uint32 outcome = decide_true_residual(run);
    if (solved) {
        solve->recursive_residual = solve->residual;
    }
    solve->gamma = 0.0;
    solve->alpha = 0.0;
    if (solved && outcome == STOP_NONE) {
        go_on_at(run, place, cycle_place);
    }
    end_solve(run, place, outcome);
}

/* gamma = (r, z); gamma = 0 and beta = 1 where nothing is left but to complete x and look at the true residual.
 * `unit`: of the sum. */
FUNCTION void cg_multigrid_decide_beta(const run_t *run, double unit) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const double gamma = unit * total(run, 0u);
    const uint32 first = solve->gamma == 0.0 ? 1u : 0u;
    solve->beta = first ? 0.0 : gamma > 0.0 ? gamma / solve->gamma : 1.0;
    solve->gamma = gamma > 0.0 ? gamma : 0.0;
}

FUNCTION void cg_multigrid_decide_alpha(const run_t *run, uint32 place, uint32 residual_place) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const double curvature = total(run, SUM_CURVATURE);
    if (curvature > 0.0 && solve->gamma > 0.0) {
        solve->alpha = solve->gamma / curvature;
    } else if (solve->beta == 0.0) {
        end_solve(run, place, STOP_BREAKDOWN);
    } else {
        go_on_at(run, place, residual_place);
    }
}

FUNCTION void cg_multigrid_decide_update(const run_t *run, uint32 place, uint32 cycle_place,
                                         uint32 direction_place) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const uint32 iteration = solve->iteration + 1u;
    const uint32 verify = wants_true_residual(run, iteration, total(run, SUM_RHO));
    solve->scale[solve->parity] = scale_of(run, total(run, SUM_RHO)); /* of the copy that is written next */
    solve->iteration = iteration;
    solve->parity ^= 1u;
    solve->turn = solve->turn == 2u ? 0u : solve->turn + 1u;
    if (verify) {
        solve->gamma = 0.0;
        solve->beta = 1.0;
    }
    go_on_at(run, place, verify ? direction_place : cycle_place + 1u);
}

FUNCTION void cg_multigrid_decide_advance(const run_t *run, uint32 place, uint32 cycle_place,
                                          uint32 residual_place) {
    const uint32 iteration = run->state->solve.iteration + 1u;
    const uint32 verify = wants_true_residual(run, iteration, total(run, SUM_RHO));
    run->state->solve.iteration = iteration;
    go_on_at(run, place, verify ? residual_place : cycle_place);
}

#endif
