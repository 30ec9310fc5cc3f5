/* Scalars and decisions of kernels/cg.h, taken by item 0 of the last group.
 *
 * A recursive residual that says converged, no progress, lost curvature, a request to stop and the iteration
 * limit all lead to the phase `residual`. If the run goes on from there, r has been replaced by the true
 * residual and the search starts anew: at the level of rounding the old direction fits the new r so badly
 * that going on in it can throw x far back. A replacement that does not halve the one before it ends the run;
 * no curvature after one is a breakdown. */
#ifndef PERDURE_KERNELS_CG_DECIDE_H
#define PERDURE_KERNELS_CG_DECIDE_H

#include "kernels/convergence.h"

enum { CG_RESIDUAL = 0, CG_START, CG_ITERATE };
enum { SUM_GAMMA = 0, SUM_DELTA, SUM_RHO };

/* beta and alpha of the next iteration; 0 when (p, A p) would not be positive. */
FUNCTION uint32 cg_advance(GLOBAL run_state_t *state, double gamma, double delta) {
    const double beta = state->gamma > 0.0 ? gamma / state->gamma : 0.0;
    const double curvature = beta > 0.0 ? delta - beta * gamma / state->alpha : delta;
    if (!(curvature > 0.0) || !(gamma > 0.0)) {
        return 0u;
    }
    state->beta = beta;
    state->alpha = gamma / curvature;
    state->gamma = gamma;
    return 1u;
}

/* After the phase `residual`: sums 0 and 1 are (r, r) and the squares of D x. */
FUNCTION void cg_decide_true(const run_t *run) {
    GLOBAL run_state_t *state = run->state;
    const double norm = take_norm(run, total(run, 0u));
    const uint32 first = state->history_length == 0u ? 1u : 0u;
    know_tolerance(run, norm);
    if (first) {
        state->initial_residual = norm;
        state->recursive_residual = norm;
        state->best_residual = norm;
    }
    state->residual = norm;
    state->accuracy_floor = accuracy_floor(run, total(run, 1u));
    record(run, state->iteration, norm);
    uint32 stop = failed(run, norm);
    if (stop == STOP_NONE) {
        stop = converged(run, norm);
    }
    if (stop == STOP_NONE) {
        stop = state->pending;
    }
    const uint32 useless = state->replacements > 0u && norm > 0.5 * state->replaced_residual ? 1u : 0u;
    if (stop == STOP_NONE && useless) {
        stop = STOP_STAGNATED;
    }
    if (stop == STOP_STAGNATED && norm <= ROUNDING_MARGIN * state->accuracy_floor) {
        stop = STOP_ACCURACY_LIMIT;
    }
    if (!first) {
        state->replacements += 1u;
        state->replaced_residual = norm;
        state->best_residual = norm;
        state->best_iteration = state->iteration;
    }
    state->next = CG_START;
    state->stop = stop;
}

FUNCTION void cg_decide_start(const run_t *run) {
    GLOBAL run_state_t *state = run->state;
    state->gamma = 0.0;
    if (!cg_advance(state, total(run, SUM_GAMMA), total(run, SUM_DELTA))) {
        state->stop = STOP_BREAKDOWN;
    }
    state->next = CG_ITERATE;
}

/* After the phase `iterate`. */
FUNCTION void cg_decide_next(const run_t *run) {
    GLOBAL run_state_t *state = run->state;
    const uint32 iteration = state->iteration + 1u;
    state->iteration = iteration;
    state->parity ^= 1u;
    uint32 verify = 0u;
    if (is_check(run->parameters, iteration)) {
        const double norm = take_norm(run, total(run, SUM_RHO));
        state->recursive_residual = norm;
        record(run, iteration, norm);
        if (stop_requested(run)) {
            state->pending = STOP_REQUESTED;
        }
        if (iteration == run->parameters->max_iterations) {
            state->pending = STOP_ITERATION_LIMIT;
        }
        verify = state->pending != STOP_NONE || failed(run, norm) != STOP_NONE ||
                 !(norm > state->tolerance) || no_progress(run, iteration, norm);
    }
    if (!verify && !cg_advance(state, total(run, SUM_GAMMA), total(run, SUM_DELTA))) {
        verify = 1u;
    }
    state->next = verify ? CG_RESIDUAL : CG_ITERATE;
}

#endif
