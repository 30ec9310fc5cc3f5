/* Scalars and decisions of kernels/cg.h, taken by item 0 of the last group.
 * Lost curvature leads to the phase `residual` like all that kernels/true_residual.h names; no curvature after
 * that is a breakdown. */
#ifndef PERDURE_KERNELS_CG_DECIDE_H
#define PERDURE_KERNELS_CG_DECIDE_H

#include "kernels/true_residual.h"

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
    decide_true_residual(run);
    run->state->next = CG_START;
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
    uint32 verify = wants_true_residual(run, iteration, total(run, SUM_RHO));
    if (!verify && !cg_advance(state, total(run, SUM_GAMMA), total(run, SUM_DELTA))) {
        verify = 1u;
    }
    state->next = verify ? CG_RESIDUAL : CG_ITERATE;
}

#endif
