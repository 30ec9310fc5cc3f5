/* When a recursive residual gives way to the true one, and what is decided on that.
 *
 * A recursive residual that says converged, no progress, a request to stop and the iteration limit all lead
 * to the true residual b - A x. If the run goes on from there, r has been replaced by it and the search
 * starts anew: at the level of rounding the old direction fits the new r so badly that going on in it can
 * throw x far back. A replacement that does not halve the one before it ends the run. */
#ifndef PERDURE_KERNELS_TRUE_RESIDUAL_H
#define PERDURE_KERNELS_TRUE_RESIDUAL_H

#include "kernels/convergence.h"

/* With the true residual: sums 0 and 1 are (r, r) and the squares of D x. How the solve has ended, or STOP_NONE. */
FUNCTION uint32 decide_true_residual(const run_t *run) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const double norm = take_norm(run, total(run, 0u));
    const uint32 first = solve->begun ? 0u : 1u;
    solve->accuracy_floor = accuracy_floor(run, total(run, 1u));
    know_tolerance(run, norm);
    if (first) {
        solve->initial_residual = norm;
        solve->recursive_residual = norm;
        solve->best_residual = norm;
    }
    solve->residual = norm;
    record(run, solve->iteration, norm);
    uint32 outcome = failed(run, norm);
    if (outcome == STOP_NONE) {
        outcome = converged(run, norm);
    }
    if (outcome == STOP_NONE) {
        outcome = solve->pending;
    }
    const uint32 useless = solve->replacements > 0u && norm > 0.5 * solve->replaced_residual ? 1u : 0u;
    if (outcome == STOP_NONE && useless) {
        outcome = STOP_STAGNATED;
    }
    if (outcome == STOP_STAGNATED && norm <= ROUNDING_MARGIN * solve->accuracy_floor) {
        outcome = STOP_ACCURACY_LIMIT;
    }
    if (!first) {
        solve->replacements += 1u;
        solve->replaced_residual = norm;
        solve->best_residual = norm;
        solve->best_iteration = solve->iteration;
    }
    return outcome;
}

/* At a check, with the recursive residual given its sum of squares: whether the true one is wanted. */
FUNCTION uint32 decide_recursive_residual(const run_t *run, uint32 iteration, double sum_of_squares,
                                          uint32 stop_wanted) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const double norm = take_norm(run, sum_of_squares);
    solve->recursive_residual = norm;
    record(run, iteration, norm);
    if (stop_wanted) {
        solve->pending = STOP_REQUESTED;
    }
    if (iteration == run->parameters->max_iterations) {
        solve->pending = STOP_ITERATION_LIMIT;
    }
    return solve->pending != STOP_NONE || failed(run, norm) != STOP_NONE || !(norm > solve->tolerance) ||
                   no_progress(run, iteration, norm)
               ? 1u
               : 0u;
}

/* The same of any completed iteration. */
FUNCTION uint32 wants_true_residual(const run_t *run, uint32 iteration, double sum_of_squares) {
    return is_check(run->parameters, iteration)
               ? decide_recursive_residual(run, iteration, sum_of_squares, stop_requested(run))
               : 0u;
}

#endif
