/* Scalars and decisions of kernels/bicgstab.h, taken by item 0 of the last group.
 *
 * A breakdown - r orthogonal to the shadow residual, no alpha, or omega = 0 because A s is orthogonal to s -
 * leads to the phase `residual` with beta = 0, as does all that kernels/true_residual.h names: r is replaced
 * by the true residual, and the shadow by another. Where MOST_BREAKDOWNS such replacements after each other did
 * not halve the residual, the run ends: breakdown. */
#ifndef PERDURE_KERNELS_BICGSTAB_DECIDE_H
#define PERDURE_KERNELS_BICGSTAB_DECIDE_H

#include "kernels/true_residual.h"

#define MOST_BREAKDOWNS 4u

/* The list of phases; behind the last one follows stabilise. */
enum { BICGSTAB_RESIDUAL = 0, BICGSTAB_START, BICGSTAB_STABILISE, BICGSTAB_DIRECTION };
enum { SUM_SHADOW_V = 0, SUM_SHADOW_R, SUM_SQUARES }; /* phases start and direction */
enum { SUM_T_S = 0, SUM_T_T, SUM_SHADOW_T };          /* phase stabilise */

/* After the phase `residual`: sums 0 and 1 are (r, r) and the squares of D x. */
FUNCTION void bicgstab_decide_true(const run_t *run) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const uint32 broken = solve->beta == 0.0 ? 1u : 0u;
    uint32 outcome = decide_true_residual(run);
    if (outcome == STOP_STAGNATED && broken) {
        solve->breakdowns += 1u;
        outcome = solve->breakdowns < MOST_BREAKDOWNS ? STOP_NONE : STOP_BREAKDOWN;
    } else {
        solve->breakdowns = 0u;
    }
    solve->alpha = 0.0;
    solve->beta = 0.0;
    solve->omega = 0.0;
    end_solve(run, BICGSTAB_RESIDUAL, outcome);
}

/* After the phases `start` and `direction`, which know r of the iteration completed last. */
FUNCTION void bicgstab_decide_direction(const run_t *run, uint32 place) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const uint32 start = place == BICGSTAB_START ? 1u : 0u;
    const double rho = total(run, SUM_SHADOW_R), squares = total(run, SUM_SQUARES);
    const double alpha = rho / total(run, SUM_SHADOW_V);
    const uint32 verify = start ? 0u : wants_true_residual(run, solve->iteration, squares);
    const double shadow_norm = sqrt((double)run->parameters->cells / 3.0); /* expected */
    const double least = run->parameters->epsilon * shadow_norm * sqrt(squares);
    const uint32 broken =
        (!start && solve->beta == 0.0) || !(fabs(rho) > least) || alpha - alpha != 0.0 ? 1u : 0u;
    solve->gamma = rho;
    solve->alpha = alpha;
    if (broken) {
        solve->beta = 0.0;
    }
    go_on_at(run, place, verify || broken ? BICGSTAB_RESIDUAL : BICGSTAB_STABILISE);
}

/* After the phase `stabilise`: alpha makes s orthogonal to the shadow, hence rho =
 * -omega (shadow, t). */
FUNCTION void bicgstab_decide_stabilise(const run_t *run) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    const double omega = total(run, SUM_T_S) / total(run, SUM_T_T);
    const double rho = -omega * total(run, SUM_SHADOW_T);
    const double beta = (rho / solve->gamma) * (solve->alpha / omega);
    solve->omega = omega - omega == 0.0 ? omega : 0.0;
    solve->beta = beta - beta == 0.0 ? beta : 0.0;
    solve->iteration += 1u;
    solve->parity ^= 1u;
}

#endif
