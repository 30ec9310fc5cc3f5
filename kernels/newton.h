/* Implicit steps of a system of equations whose right-hand sides come from a case file, each solved by Newton's method
 * (Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8; Kelley, Iterative Methods for Linear and Nonlinear
 * Equations, chapters 5, 6 and 8):
 *
 *   F(U) = U - tau R(U, t(n+1)) - b = 0,  u(n+1) = U                     all fields of all cells together
 *   b    = now u(n) + before u(n-1) + known E(u(n), t(n)) + known_before E(u(n-1), t(n-1))
 *
 * with E = R, of Crank-Nicolson, or where some terms of the rates are implicit, R, and the others explicit, E. Weights:
 * solver/methods/implicit_rule.hpp, divided by mass; tau = 1 / mass. Some implicit: variable steps of the semi-implicit BDF2 of Ascher, Ruuth and
 * Wetton, SIAM J. Numer. Anal. 32 (1995) 797-823, (2.8).
 *
 *   first iterate   U = u(n), once a launch
 *   known side      b; what is watched of u(n) (kernels/watch.h); begins a step, and so snapshots of u(n) (kernels/snapshot_ring.h)
 *   residual        r = -F(U), answer = U, d = 1 / (1 - tau dR/dU in the own cell and field); ||F|| decides
 *   start .. direction   J x = r,  J w = w - tau R'(U) w, by stabilised bi-conjugate gradients (kernels/bicgstab.h), with w = d p and w = d s:
 *       start            x = 0,  p = r,  w = d p
 *       product          v = J w,  alpha = rho / (shadow, v)
 *       halfway          x = x + alpha w,  r = s = r - alpha v,  w = d s
 *       second product   t = J w,  omega = (t, s) / (t, t),  beta
 *       direction        x = x + omega w,  r = s - omega t,  p = r + beta (p - omega v),  w = d p;  ||r|| decides
 *   update          U = U + part x, part 1 or what a line search takes back; then `residual`
 *   end             of a run that is watched: what is watched of the last u
 *
 * R'(U) w comes from the formulas themselves, differentiated (solver/systems/linearise.hpp): the formulas of this kernel are of twice as many
 * fields, U and w, [2][fields][cells] one behind the other. When what is decided: kernels/newton_decide.h.
 *
 * Shapes: u [fields][cells], the answer and, of steps that remember it, u(n-1); rates [NEWTON_SLOTS][fields][cells].
 * Units: r as u. Bytes per cell, field and linear iteration: reads U, w, b 2, 2; v, r, w, d, x, t, p; 21 in all, x sizeof(real_t); coefficients
 * twice. Barriers per linear iteration: 4; per correction 3; per step 1. */
#ifndef PERDURE_KERNELS_NEWTON_H
#define PERDURE_KERNELS_NEWTON_H

#include "kernels/newton_decide.h"
#include "kernels/newton_formulas.h"
#include "kernels/shadow_residual.h"
#include "kernels/snapshot_ring.h"
#include "kernels/watched_solve.h"

FUNCTION void newton_first_iterate_phase(const system_t *self) {
    const run_parameters_t *grid = self->run.parameters;
    GLOBAL const real_t *u = copy_of(self->u, 0u);
    GLOBAL real_t *iterate = newton_slot(self, NEWTON_U);
    FOR_EACH_CHUNK (chunk, grid) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
                const size_t at = place_of_value(self, field, (size_t)cell.index);
                iterate[at] = u[at];
            }
        }
    }
    if (finish_reduction(&self->run, 0u)) {
        DECIDE(end_phase(&self->run, 0u));
    }
}

FUNCTION void newton_known_side_phase(const system_t *self, GLOBAL const segment_t *segments) {
    const run_parameters_t *grid = self->run.parameters;
    const time_state_t time = self->run.state->time;
    const system_stage_t stage = newton_stage(self, time.t, NEWTON_B);
    const uint32 has_rates = newton_weights(self)->known != 0.0 ? 1u : 0u;
    FOR_EACH_CHUNK (chunk, grid) {
        if (has_rates) {
            known_in_chunk(self, &stage, chunk);
        } else {
            FOR_EACH_CELL (cell, lane, chunk, grid) {
                for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
                    known_value(self, field, (size_t)cell.index, (real_t)0);
                }
            }
        }
    }
    end_phase_watching(self, segments, stage.values, time.step, time.t, 0u, 0u);
}

/* Of the true residual in a cell: what U and b are, each with what the diagonal multiplies it by, is what F is the difference of. */
FUNCTION void add_newton_residual(const system_t *self, const cell_t *cell, index_t lane) {
    for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
        const size_t at = place_of_value(self, field, (size_t)cell->index);
        const sum_t r = (sum_t)newton_slot(self, NEWTON_R)[at];
        const sum_t u = fabs((sum_t)newton_slot(self, NEWTON_U)[at]);
        const sum_t scale = (sum_t)2 * u / fabs((sum_t)newton_slot(self, NEWTON_D)[at]) +
                            fabs((sum_t)newton_slot(self, NEWTON_B)[at]);
        add_to_lane(&self->run, 0u, lane, r * r);
        add_to_lane(&self->run, 1u, lane, scale * scale);
        watch_cell(&self->run, cell->index, (double)r);
    }
}

FUNCTION void newton_residual_phase(const system_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const system_stage_t stage = newton_stage(self, end_of_step(self), NEWTON_R);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 2u);
        residual_in_chunk(self, &stage, chunk);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            add_newton_residual(self, &cell, lane);
        }
        store_partials(run, chunk, 2u);
    }
    if (finish_reduction(run, 2u)) {
        DECIDE(newton_decide_residual(run, self->setup->linear));
    }
}

FUNCTION sum_t shadow_of_value(const system_t *self, size_t at) {
    return shadow_at((uint32)at, mix_bits(self->run.state->newton.solves));
}

FUNCTION void direct_cell(const system_t *self, uint32 start, const cell_t *cell, index_t lane) {
    GLOBAL const solve_state_t *solve = &self->run.state->solve;
    const real_t beta = (real_t)solve->beta, omega = (real_t)solve->omega;
    for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
        const size_t at = place_of_value(self, field, (size_t)cell->index);
        GLOBAL real_t *x = newton_slot(self, NEWTON_X) + at, *w = newton_slot(self, NEWTON_W) + at;
        real_t r = newton_slot(self, NEWTON_R)[at], p = r;
        if (start) {
            *x = (real_t)0;
        } else {
            *x += omega * *w;
            r -= omega * newton_slot(self, NEWTON_T)[at];
            p = r + beta * (newton_slot(self, NEWTON_P)[at] - omega * newton_slot(self, NEWTON_V)[at]);
            newton_slot(self, NEWTON_R)[at] = r;
        }
        newton_slot(self, NEWTON_P)[at] = p;
        *w = newton_slot(self, NEWTON_D)[at] * p;
        add_to_lane(&self->run, 0u, lane, (sum_t)r * (sum_t)r);
        add_to_lane(&self->run, 1u, lane, shadow_of_value(self, at) * (sum_t)r);
    }
}

FUNCTION void newton_direction_phase(const system_t *self, uint32 place) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 start = place == NEWTON_START ? 1u : 0u;
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 2u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            direct_cell(self, start, &cell, lane);
        }
        store_partials(run, chunk, 2u);
    }
    if (finish_reduction(run, 2u)) {
        DECIDE(newton_decide_direction(run, place, UNKNOWNS(self)));
    }
}

FUNCTION void newton_product_phase(const system_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const system_stage_t stage = newton_stage(self, end_of_step(self), NEWTON_V);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 1u);
        product_in_chunk(self, &stage, chunk);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
                const size_t at = place_of_value(self, field, (size_t)cell.index);
                add_to_lane(run, 0u, lane, shadow_of_value(self, at) * (sum_t)stage.next[at]);
            }
        }
        store_partials(run, chunk, 1u);
    }
    if (finish_reduction(run, 1u)) {
        DECIDE(newton_decide_product(run));
    }
}

FUNCTION void newton_halfway_phase(const system_t *self) {
    const run_parameters_t *grid = self->run.parameters;
    const real_t alpha = (real_t)self->run.state->solve.alpha;
    FOR_EACH_CHUNK (chunk, grid) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
                const size_t at = place_of_value(self, field, (size_t)cell.index);
                GLOBAL real_t *r = newton_slot(self, NEWTON_R) + at, *w = newton_slot(self, NEWTON_W) + at;
                newton_slot(self, NEWTON_X)[at] += alpha * *w;
                *r -= alpha * newton_slot(self, NEWTON_V)[at];
                *w = newton_slot(self, NEWTON_D)[at] * *r;
            }
        }
    }
}

FUNCTION void newton_second_product_phase(const system_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const system_stage_t stage = newton_stage(self, end_of_step(self), NEWTON_T);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 3u);
        product_in_chunk(self, &stage, chunk);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
                const size_t at = place_of_value(self, field, (size_t)cell.index);
                const sum_t t = (sum_t)stage.next[at];
                add_to_lane(run, 0u, lane, t * (sum_t)newton_slot(self, NEWTON_R)[at]);
                add_to_lane(run, 1u, lane, t * t);
                add_to_lane(run, 2u, lane, shadow_of_value(self, at) * t);
            }
        }
        store_partials(run, chunk, 3u);
    }
    if (finish_reduction(run, 3u)) {
        DECIDE(newton_decide_second_product(run));
    }
}

FUNCTION void newton_update_phase(const system_t *self) {
    const run_parameters_t *grid = self->run.parameters;
    const real_t part = (real_t)self->run.state->newton.change;
    FOR_EACH_CHUNK (chunk, grid) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            for (uint32 field = 0; field < UNKNOWNS(self); ++field) {
                const size_t at = place_of_value(self, field, (size_t)cell.index);
                newton_slot(self, NEWTON_U)[at] += part * newton_slot(self, NEWTON_X)[at];
            }
        }
    }
    if (finish_reduction(&self->run, 0u)) {
        DECIDE(go_on_at(&self->run, NEWTON_UPDATE, NEWTON_RESIDUAL));
    }
}

/* What others look at of what a phase writes: the iterate and what it is differentiated along. */
FUNCTION uint64 newton_changes(const system_t *self, uint32 place) {
    const uint32 now = self->run.state->control.now;
    if (now != RUN_SOLVE) {
        return now - RUN_PHASE == FIRST_ITERATE ? rank_bit(RANK_FIRST_RATES) : 0u;
    }
    switch (place) {
        case NEWTON_START:
        case NEWTON_HALFWAY:
        case NEWTON_DIRECTION:
            return rank_bit(RANK_SECOND_RATES);
        case NEWTON_UPDATE:
            return rank_bit(RANK_FIRST_RATES);
        default:
            return 0u;
    }
}

FUNCTION void newton_phase_of_solve(const system_t *self, uint32 place) {
    switch (place) {
        case NEWTON_RESIDUAL:
            newton_residual_phase(self);
            break;
        case NEWTON_PRODUCT:
            newton_product_phase(self);
            break;
        case NEWTON_HALFWAY:
            newton_halfway_phase(self);
            break;
        case NEWTON_SECOND_PRODUCT:
            newton_second_product_phase(self);
            break;
        case NEWTON_UPDATE:
            newton_update_phase(self);
            break;
        default:
            newton_direction_phase(self, place);
            break;
    }
}

FUNCTION void newton_phase(const system_t *self, GLOBAL const segment_t *segments, uint32 place) {
    const uint32 now = self->run.state->control.now;
    NOTE_CHANGES(newton_changes(self, place));
    if (now == RUN_SOLVE) {
        newton_phase_of_solve(self, place);
    } else if (now - RUN_PHASE == FIRST_ITERATE) {
        newton_first_iterate_phase(self);
    } else if (now - RUN_PHASE == END_OF_STEPS) {
        watch_end_phase(self, segments, newton_stage(self, self->setup->end_of_run, NEWTON_B).values);
    } else {
        newton_known_side_phase(self, segments);
    }
}

ROOMY_KERNEL(newton, KERNEL_ARGUMENTS(MARKED_SYSTEM_FIELDS)) {
    SYSTEM_KERNEL_MEMORY;
    const system_t self = SYSTEM_VALUES;
    RUN_SOLVED_SEGMENTS(self.run,
                        snapshot_of(copy_of(self.u, 0u), (size_t)UNKNOWNS(&self) * parameters.cells),
                        newton_phase(&self, segments, place_of(&self.run, phase)));
}

#endif
