/* Scalars and decisions of kernels/cg.h, taken by item 0 of the last group.
 * Lost curvature leads to the phase `residual` like all that kernels/true_residual.h names; no curvature after
 * that is a breakdown. */
#ifndef PERDURE_KERNELS_CG_DECIDE_H
#define PERDURE_KERNELS_CG_DECIDE_H

#include "kernels/true_residual.h"

/* The list of phases; behind the last one follows direction. */
enum { CG_RESIDUAL = 0, CG_DIRECTION, CG_UPDATE };
enum { SUM_CURVATURE = 0 };          /* phase direction: (p, q) */
enum { SUM_RHO = 0, SUM_GAMMA = 1 }; /* phase update */
enum { SUM_TRUE_GAMMA = 2 };         /* phase residual, behind (r, r) and the squares of D x */

FUNCTION void cg_decide_true(const run_t *run) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const uint32 outcome = decide_true_residual(run);
    solve->gamma = total(run, SUM_TRUE_GAMMA);
    solve->alpha = 0.0;
    solve->beta = 0.0;
    end_solve(run, CG_RESIDUAL, outcome);
}

/* x is complete behind the phase `direction`; where gamma is 0, that was all it was for. */
FUNCTION void cg_decide_direction(const run_t *run) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const double curvature = total(run, SUM_CURVATURE);
    const uint32 first = solve->beta == 0.0 ? 1u : 0u;
    if (curvature > 0.0 && solve->gamma > 0.0) {
        solve->alpha = solve->gamma / curvature;
    } else if (first) {
        end_solve(run, CG_DIRECTION, STOP_BREAKDOWN);
    } else {
        go_on_at(run, CG_DIRECTION, CG_RESIDUAL);
    }
}

FUNCTION void cg_decide_update(const run_t *run) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const uint32 iteration = solve->iteration + 1u;
    const double gamma = total(run, SUM_GAMMA);
    const uint32 verify =
        wants_true_residual(run, iteration, total(run, SUM_RHO)) || !(gamma > 0.0) ? 1u : 0u;
    solve->iteration = iteration;
    solve->parity ^= 1u;
    solve->beta = verify ? 1.0 : gamma / solve->gamma;
    solve->gamma = verify ? 0.0 : gamma;
    go_on_at(run, CG_UPDATE, CG_DIRECTION);
}

#endif
