/* What a check of a relaxation decides on the true residual, which these methods compute in every iteration;
 * by item 0 of the last group. */
#ifndef PERDURE_KERNELS_RELAXATION_DECIDE_H
#define PERDURE_KERNELS_RELAXATION_DECIDE_H

#include "kernels/convergence.h"

/* Sums 0 and 1 are (r, r) and the squares of D u of iteration n. How the solve has ended, or STOP_NONE. */
FUNCTION uint32 relaxation_decide(const run_t *run, uint32 n) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const double norm = take_norm(run, total(run, 0u));
    if (n == 0u) {
        know_tolerance(run, norm);
        solve->initial_residual = norm;
    }
    solve->residual = norm;
    solve->recursive_residual = norm;
    solve->iteration = n;
    run->state->control.answer = n & 1u;
    solve->accuracy_floor = accuracy_floor(run, total(run, 1u));
    record(run, n, norm);
    uint32 outcome = failed(run, norm);
    if (outcome == STOP_NONE) {
        outcome = converged(run, norm);
    }
    if (outcome == STOP_NONE && no_progress(run, n, norm) &&
        norm <= ROUNDING_MARGIN * solve->accuracy_floor) {
        outcome = STOP_ACCURACY_LIMIT;
    }
    if (outcome == STOP_NONE && stop_requested(run)) {
        outcome = STOP_REQUESTED;
    }
    if (outcome == STOP_NONE && n == run->parameters->max_iterations) {
        outcome = STOP_ITERATION_LIMIT;
    }
    return outcome;
}

#endif
