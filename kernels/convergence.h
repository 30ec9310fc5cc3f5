/* What is decided at a check, by item 0 of the last group.
 *
 *   converged        ||r|| <= max(rtol ||b||, atol); with b = 0 the initial residual stands for ||b||
 *   max norm         smallest slack over the groups, tolerance - max |r|, not negative
 *   no progress      no smaller residual for CHECKS_WITHOUT_PROGRESS checks and ITERATIONS_WITHOUT_PROGRESS
 *                    iterations
 *   accuracy limit   no progress, and rounding explains it: the residual is within ROUNDING_MARGIN of the
 *                    floor epsilon ||D u|| that rounding u alone leaves (Higham, Accuracy and Stability of
 *                    Numerical Algorithms, section 17.2)
 *   diverged         ||r|| above DIVERGENCE_FACTOR times the larger of ||b|| and the initial residual
 *   not finite       some cell's residual is NaN or infinite; the smallest such cell is kept */
#ifndef PERDURE_KERNELS_CONVERGENCE_H
#define PERDURE_KERNELS_CONVERGENCE_H

#include "kernels/program.h"

#define CHECKS_WITHOUT_PROGRESS 20u
#define ITERATIONS_WITHOUT_PROGRESS 1000u
#define DIVERGENCE_FACTOR 1.0e8
#define ROUNDING_MARGIN 10.0
#define ROUNDING_OF_STEPS 2.0

FUNCTION uint32 is_check(const run_parameters_t *parameters, uint32 iteration) {
    return iteration % parameters->check_every == 0u || iteration == parameters->max_iterations ? 1u : 0u;
}

/* Any item at a check: remembers a cell whose value is not finite (x - x is NaN for NaN and infinity). */
FUNCTION void watch_cell(const run_t *run, index_t cell, double value) {
    if (value - value != 0.0) {
        min_uint32(&run->state->control.bad_cell, (uint32)cell, ORDER_RELAXED, SCOPE_DEVICE);
    }
}

/* A cell of a true residual: sums 0 and 1 become (r, r) and the squares of D u, here `scale`; besides the largest |r|
 * and the smallest cell that is not finite. */
FUNCTION void add_residual(const run_t *run, index_t lane, index_t cell, double r, sum_t scale) {
    add_to_lane(run, 0u, lane, (sum_t)r * (sum_t)r);
    add_to_lane(run, 1u, lane, scale * scale);
    widen_lane(run, lane, fabs(r));
    watch_cell(run, cell, r);
}

/* Every item, behind all cells of a check: finish_reduction, and the slack where the maximum norm needs it. */
FUNCTION uint32 finish_check(const run_t *run, uint32 sums) {
    if (run->parameters->norm == NORM_MAX) {
        contribute_slack(run);
    }
    return finish_reduction(run, sums);
}

/* The norm of this check from the sum of squares, or from the smallest slack, which is then cleared. */
FUNCTION double take_norm(const run_t *run, double sum_of_squares) {
    if (run->parameters->norm == NORM_MAX) {
        const double slack = ordered_value(run->state->control.slack);
        run->state->control.slack = ORDERED_PLUS_INFINITY;
        return run->state->solve.tolerance - slack;
    }
    return sqrt(sum_of_squares);
}

/* What was done is counted over all solves of a run, and has an entry of the history; where steps are solves each step has one instead.
 * A second norm of one iteration takes the place of the first. */
FUNCTION void record(const run_t *run, uint32 iteration, double norm) {
    GLOBAL run_state_t *state = run->state;
    const uint32 done = state->solve.earlier + iteration;
    if (!state->time.solves) {
        add_to_history(run, done, norm, state->solve.begun);
    }
    state->solve.begun = 1u;
    show_progress(run, state->time.solves ? state->time.step : done, norm);
}

/* Where steps are solves the run stops between two of them. */
FUNCTION uint32 stop_requested(const run_t *run) {
    return run->state->time.solves ? 0u : is_asked_to_stop(run);
}

/* With b = 0 the tolerance is relative to the initial residual, known only now; where steps are solves to what the last step's field leaves:
 * the initial residual, or the change of b where the guess is extrapolated. That may be no more than rounding, which is the tolerance then. */
FUNCTION void know_tolerance(const run_t *run, double initial_norm) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    if (!solve->tolerance_known) {
        const double relative = run->parameters->rtol *
                                (run->state->time.extrapolated > 0u ? run->state->time.change : initial_norm);
        solve->tolerance = relative > run->parameters->atol ? relative : run->parameters->atol;
        if (run->state->time.solves) {
            solve->tolerance = larger(solve->tolerance, ROUNDING_OF_STEPS * solve->accuracy_floor);
        }
        solve->tolerance_known = 1u;
    }
}

/* STOP_RTOL, STOP_ATOL or STOP_NONE for a true residual. */
FUNCTION uint32 converged(const run_t *run, double norm) {
    if (!(norm <= run->state->solve.tolerance) || norm - norm != 0.0) {
        return STOP_NONE;
    }
    return run->state->solve.tolerance > run->parameters->atol ? STOP_RTOL : STOP_ATOL;
}

FUNCTION uint32 failed(const run_t *run, double norm) {
    const GLOBAL solve_state_t *solve = &run->state->solve;
    if (run->state->control.bad_cell != NO_CELL) {
        return STOP_NOT_FINITE;
    }
    const double scale = larger(solve->right_hand_side_norm, solve->initial_residual);
    if (!(norm <= DIVERGENCE_FACTOR * scale) || norm - norm != 0.0) {
        return STOP_DIVERGED;
    }
    return STOP_NONE;
}

/* Remembers the smallest residual; 1 when there was none smaller for too long. */
FUNCTION uint32 no_progress(const run_t *run, uint32 iteration, double norm) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    if (norm < solve->best_residual) {
        solve->best_residual = norm;
        solve->best_iteration = iteration;
        return 0u;
    }
    const uint32 since = iteration - solve->best_iteration;
    return since >= ITERATIONS_WITHOUT_PROGRESS &&
                   since / run->parameters->check_every >= CHECKS_WITHOUT_PROGRESS
               ? 1u
               : 0u;
}

/* Residual that rounding explains, from the sum of (D u)^2 over the cells. */
FUNCTION double accuracy_floor(const run_t *run, double sum_of_squares) {
    const double cells = run->parameters->norm == NORM_MAX ? (double)run->parameters->cells : 1.0;
    return run->parameters->epsilon * sqrt(sum_of_squares / cells);
}

#endif
