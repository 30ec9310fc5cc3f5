/* Scalars and decisions of kernels/cg.h, taken by item 0 of the last group.
 * Lost curvature leads to the phase `residual` like all that kernels/true_residual.h names; no curvature after
 * that is a breakdown. */
#ifndef PERDURE_KERNELS_CG_DECIDE_H
#define PERDURE_KERNELS_CG_DECIDE_H

#include "kernels/true_residual.h"

enum { CG_RESIDUAL = 0, CG_DIRECTION, CG_UPDATE };
enum { SUM_CURVATURE = 0 };          /* phase direction: (p, q) */
enum { SUM_RHO = 0, SUM_GAMMA = 1 }; /* phase update */
enum { SUM_TRUE_GAMMA = 2 };         /* phase residual, behind (r, r) and the squares of D x */

FUNCTION void cg_decide_true(const run_t *run) {
    GLOBAL run_state_t *state = run->state;
    decide_true_residual(run);
    state->gamma = total(run, SUM_TRUE_GAMMA);
    state->alpha = 0.0;
    state->beta = 0.0;
    state->next = CG_DIRECTION;
}

/* x is complete behind the phase `direction`; where gamma is 0, that was all it was for. */
FUNCTION void cg_decide_direction(const run_t *run) {
    GLOBAL run_state_t *state = run->state;
    const double curvature = total(run, SUM_CURVATURE);
    const uint32 first = state->beta == 0.0 ? 1u : 0u;
    state->next = CG_UPDATE;
    if (curvature > 0.0 && state->gamma > 0.0) {
        state->alpha = state->gamma / curvature;
    } else if (first) {
        state->stop = STOP_BREAKDOWN;
    } else {
        state->next = CG_RESIDUAL;
    }
}

FUNCTION void cg_decide_update(const run_t *run) {
    GLOBAL run_state_t *state = run->state;
    const uint32 iteration = state->iteration + 1u;
    const double gamma = total(run, SUM_GAMMA);
    const uint32 verify =
        wants_true_residual(run, iteration, total(run, SUM_RHO)) || !(gamma > 0.0) ? 1u : 0u;
    state->iteration = iteration;
    state->parity ^= 1u;
    state->beta = verify ? 1.0 : gamma / state->gamma;
    state->gamma = verify ? 0.0 : gamma;
    state->next = CG_DIRECTION;
}

#endif
