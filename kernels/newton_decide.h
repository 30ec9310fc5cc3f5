/* Scalars and decisions of kernels/newton.h, taken by item 0 of the last group.
 *
 *   solved         ||F|| <= max(rtol ||F(u(n))||, atol), and where that is below what rounding leaves, what that is
 *   linear solves  to max(eta ||F||, ||F|| that is small enough / 4): where F is linear eta = 0, else 0.01 and from the second correction
 *                  on at most 0.9 (||F|| / ||F|| before)^2 (Eisenstat and Walker, SIAM J. Sci. Comput. 17, 1996, 16-32, choice 2). One
 *                  that breaks down ends where it is: the next correction begins from the true residual, with another shadow
 *   line search    a correction that does not make ||F|| smaller is halved, up to ten times (Armijo's rule, 1e-4)
 *   given up       by then, after MOST_CORRECTIONS of them, and after max_iterations linear iterations in a step */
#ifndef PERDURE_KERNELS_NEWTON_DECIDE_H
#define PERDURE_KERNELS_NEWTON_DECIDE_H

#include "kernels/convergence.h"

#define MOST_CORRECTIONS 100u
#define SHORTEST_CORRECTION (1.0 / 1024.0)
#define SUFFICIENT_DECREASE 1.0e-4
#define LARGEST_FORCING 0.01

/* What `rates` holds: the iterate and behind it what it is differentiated along, b, r, p, v, t, x, d; where rates are divided E(u(n-1)). */
enum {
    NEWTON_U = 0,
    NEWTON_W,
    NEWTON_B,
    NEWTON_R,
    NEWTON_P,
    NEWTON_V,
    NEWTON_T,
    NEWTON_X,
    NEWTON_D,
    NEWTON_E
};

/* The list of phases of a solve; behind the last one but one follows `product`. */
enum {
    NEWTON_RESIDUAL = 0,
    NEWTON_START,
    NEWTON_PRODUCT,
    NEWTON_HALFWAY,
    NEWTON_SECOND_PRODUCT,
    NEWTON_DIRECTION,
    NEWTON_UPDATE
};

FUNCTION void end_newton(const run_t *run, uint32 outcome) {
    GLOBAL newton_state_t *newton = &run->state->newton;
    newton->most = newton->most > newton->corrections ? newton->most : newton->corrections;
    newton->total += newton->corrections;
    newton->corrections = 0u;
    end_solve(run, NEWTON_RESIDUAL, outcome);
}

FUNCTION void shorten_correction(const run_t *run) {
    GLOBAL newton_state_t *newton = &run->state->newton;
    newton->length *= 0.5;
    newton->change = -newton->length;
    run->state->control.bad_cell = NO_CELL;
    go_on_at(run, NEWTON_RESIDUAL, NEWTON_UPDATE);
}

FUNCTION void begin_linear_solve(const run_t *run, double norm, uint32 linear) {
    GLOBAL newton_state_t *newton = &run->state->newton;
    GLOBAL solve_state_t *solve = &run->state->solve;
    double forcing = linear ? 0.0 : LARGEST_FORCING;
    if (newton->corrections > 0u) {
        const double ratio = norm / newton->norm;
        const double quadratic = 0.9 * ratio * ratio;
        forcing = quadratic < forcing ? quadratic : forcing;
    }
    newton->linear_tolerance = larger(forcing * norm, 0.25 * solve->tolerance);
    newton->norm = norm;
    newton->corrections += 1u;
    newton->solves += 1u;
    newton->broken = 0u;
    newton->length = newton->change = 1.0;
    solve->gamma = solve->alpha = solve->beta = solve->omega = 0.0;
}

/* After the phase `residual`: sums 0 and 1 are (F, F) and the squares of what F is the difference of. */
FUNCTION void newton_decide_residual(const run_t *run, uint32 linear) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    GLOBAL newton_state_t *newton = &run->state->newton;
    const double norm = sqrt(total(run, 0u)), floor_of_norm = run->parameters->epsilon * sqrt(total(run, 1u));
    const uint32 first = newton->corrections == 0u ? 1u : 0u;
    const uint32 is_finite = run->state->control.bad_cell == NO_CELL && norm - norm == 0.0 ? 1u : 0u;
    const uint32 rounded = norm <= ROUNDING_MARGIN * floor_of_norm ? 1u : 0u;
    const double before = newton->norm;
    uint32 outcome = STOP_NONE;
    solve->accuracy_floor = floor_of_norm;
    if (first) {
        know_tolerance(run, norm);
        solve->initial_residual = norm;
    }
    solve->residual = solve->recursive_residual = norm;
    record(run, solve->iteration, norm);
    if (is_finite) {
        outcome = converged(run, norm);
    }
    if (outcome == STOP_NONE && !first &&
        !(is_finite && norm <= (1.0 - SUFFICIENT_DECREASE * newton->length) * before)) {
        if (is_finite && rounded) {
            outcome = STOP_ACCURACY_LIMIT;
        } else if (newton->length > SHORTEST_CORRECTION) {
            shorten_correction(run);
            return;
        } else {
            outcome = is_finite ? STOP_STAGNATED : STOP_NOT_FINITE;
        }
    } else if (outcome == STOP_NONE && !is_finite) {
        outcome = STOP_NOT_FINITE;
    } else if (outcome == STOP_NONE && !first && rounded && norm > 0.5 * before) {
        outcome = STOP_ACCURACY_LIMIT;
    } else if (outcome == STOP_NONE && (newton->corrections >= MOST_CORRECTIONS ||
                                        solve->iteration >= run->parameters->max_iterations)) {
        outcome = STOP_ITERATION_LIMIT;
    }
    if (outcome == STOP_NONE) {
        begin_linear_solve(run, norm, linear);
    } else {
        end_newton(run, outcome);
    }
}

/* After the phases `start` and `direction`: sums 0 and 1 are (r, r) and (shadow, r). */
FUNCTION void newton_decide_direction(const run_t *run, uint32 place, uint32 unknowns) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    GLOBAL newton_state_t *newton = &run->state->newton;
    const double norm = sqrt(total(run, 0u)), rho = total(run, 1u);
    const double shadow_norm = sqrt((double)unknowns * (double)run->parameters->cells / 3.0); /* expected */
    const uint32 is_broken = newton->broken || !(fabs(rho) > run->parameters->epsilon * shadow_norm * norm) ||
                                     !(norm <= DIVERGENCE_FACTOR * newton->norm)
                                 ? 1u
                                 : 0u;
    const uint32 ends =
        is_broken || !(norm > newton->linear_tolerance) || solve->iteration >= run->parameters->max_iterations
            ? 1u
            : 0u;
    solve->gamma = rho;
    go_on_at(run, place, ends ? NEWTON_UPDATE : NEWTON_PRODUCT);
}

/* After the phase `product`: sum 0 is (shadow, v). */
FUNCTION void newton_decide_product(const run_t *run) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    solve->alpha = solve->gamma / total(run, 0u);
    if (solve->alpha - solve->alpha != 0.0) {
        go_on_at(run, NEWTON_PRODUCT, NEWTON_UPDATE);
    }
}

/* After the phase `second product`: sums are (t, s), (t, t), (shadow, t); alpha made s orthogonal to the shadow. */
FUNCTION void newton_decide_second_product(const run_t *run) {
    GLOBAL solve_state_t *solve = &run->state->solve;
    GLOBAL newton_state_t *newton = &run->state->newton;
    const double omega = total(run, 0u) / total(run, 1u);
    const double beta = (-omega * total(run, 2u) / solve->gamma) * (solve->alpha / omega);
    newton->broken = omega - omega != 0.0 || beta - beta != 0.0 ? 1u : 0u;
    solve->omega = newton->broken ? 0.0 : omega;
    solve->beta = newton->broken ? 0.0 : beta;
    solve->iteration += 1u;
}

#endif
