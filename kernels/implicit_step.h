/* What implicit steps of  c du/dt = div(a grad u) - sigma u + f  share: the right side of the system that a step solves.
 *
 *   (L + m c) u(n+1) = b,   L u = -div(a grad u) + sigma u with the sides,   s(t) = b_0 + sum_k g_k(t) b_k
 *
 *   backward Euler    m = 1 / dt                       b = s(n+1) + m c u(n)
 *   Crank-Nicolson    m = 2 / dt                       b = 2 mean of s + 2 m c u(n) - (L + m c) u(n)
 *   BDF2              m = (1 + 2 w) / ((1 + w) dt)     b = s(n+1) + c ((1 + w) u(n) - w^2 / (1 + w) u(n-1)) / dt
 *
 * with w = dt over the step before it; w = 0, in the first step, is backward Euler (Hairer and Wanner, Solving Ordinary Differential
 * Equations II, sections II.3 and V.1; variable steps: Hairer, Norsett and Wanner I, section III.5). In one form:
 *
 *   b = source_weight s + c (now_weight u(n) + before_weight u(n-1)) [- A u(n)],   A = L + m c
 *
 * A is what the operator's fields hold: the host makes them anew where m changes (solver/run/implicit_steps.hpp). A capacity c that is
 * the same everywhere is 1: A and s are those of the equation divided by c. g_k is in the factor table for the time in the step at
 * which the integrator takes it, for Crank-Nicolson the mean of both ends. A solve's tolerance is relative to the residual that u(n)
 * leaves, or what rounding makes of it (kernels/convergence.h).
 *
 * A solve by iterations begins behind two steps with the same A from 3 u(n) - 3 u(n-1) + u(n-2), behind one from 2 u(n) - u(n-1), which the
 * phase `first guess` makes; else from u(n), as a direct solve and that of Crank-Nicolson, whose steps may oscillate. The residual that u(n)
 * leaves is then the change of b, but for what the last solve has left of its own (LEAST_CHANGE):
 *
 *   b(n+1) - A u(n) = (b(n+1) - b(n)) + (b(n) - A u(n))
 *
 * What is watched of u(n) is watched in the phase that makes b: kernels/watched_solve.h. Snapshots: kernels/snapshot_ring.h.
 *
 * Shapes: fields [cells], sources [1 + factors][cells]. Units: b and sources as A u.
 * Bytes per cell and step: reads sources and u, writes b; BDF2 also reads and writes `before`; a varied c one more; Crank-Nicolson A:
 *   (3 to 6, and 1 + dimensions for a varied A) x sizeof(real_t), and those of the solver. A first guess: also reads b, reads and writes
 *   u, `before` and `earlier`, 7.
 * Barriers per step: 1, with a first guess 2, and those of the solver. */
#ifndef PERDURE_KERNELS_IMPLICIT_STEP_H
#define PERDURE_KERNELS_IMPLICIT_STEP_H

#include "kernels/chunks.h"
#include "kernels/explicit_step.h"
#include "kernels/implicit_step_fields.h"
#include "kernels/operator.h"
#include "kernels/snapshot_ring.h"
#include "kernels/watched_solve.h"

typedef struct {
    GLOBAL real_t *b;
    GLOBAL real_t *u;
    GLOBAL const segment_t *segments;
    IMPLICIT_STEP_FIELDS(FIELD_MEMBER)
    watcher_t watcher;
} implicit_step_t;

/* c, and 0 in excluded cells. */
CELL_FUNCTION real_t capacity_at(const implicit_step_t *self, const operator_t *A,
                                 const run_parameters_t *grid, index_t cell) {
    const real_t capacity = grid->varied_capacity ? self->capacity[cell] : (real_t)1;
    return A->inverse_diagonal[cell] != (real_t)0 ? capacity : (real_t)0;
}

CELL_FUNCTION void implicit_right_side_cell(const implicit_step_t *self, const operator_t *A,
                                            const run_t *run, uint32 n, uint32 varies, uint32 remembers,
                                            uint32 subtracts, uint32 compares, cell_t cell, index_t lane) {
    const run_parameters_t *grid = run->parameters;
    const real_t u = self->u[cell.index];
    real_t stored = (real_t)grid->now_weight * u;
    if (remembers) {
        stored += (real_t)grid->before_weight * self->before[cell.index];
        if (!grid->extrapolates) {
            self->before[cell.index] = u;
        }
    }
    if (!UNIFORM(grid)) {
        stored *= capacity_at(self, A, grid, cell.index);
    }
    real_t b = (real_t)grid->source_weight * source_in_time(grid, self->sources, self->factor_table, n,
                                                            cell.index, varies ? grid->factors : 0u) +
               stored;
    if (subtracts) {
        const stencil_t s = stencil_of(grid, cell);
        b -= apply_to_field(A, grid, &s, self->u);
    }
    if (compares) {
        const sum_t change = (sum_t)b - (sum_t)self->b[cell.index];
        add_to_lane(run, 0u, lane, change * change);
        widen_lane(run, lane, fabs(change));
    }
    self->b[cell.index] = b;
}

/* `remembers`: b takes u(n-1), and u(n) is kept for the next step, unless the phase behind this one does that. */
FUNCTION void implicit_right_side_phase(const run_t *run, const operator_t *A, const implicit_step_t *self,
                                        uint32 remembers) {
    const run_parameters_t *grid = run->parameters;
    const uint32 n = run->state->time.step;
    const uint32 compares = grid->extrapolates && n > grid->first_alike ? 1u : 0u;
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, compares);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            implicit_right_side_cell(self, A, run, n, grid->factors, remembers, grid->subtracts_operator,
                                     compares, cell, lane);
        }
        if (compares) {
            store_partials(run, chunk, 1u);
        }
    }
    if (compares && grid->norm == NORM_MAX) {
        contribute_slack(run);
    }
    end_phase_watching(&self->watcher, self->segments, self->u, n, run->state->time.t, 0u, compares);
}

FUNCTION void first_guess_phase(const run_t *run, const implicit_step_t *self) {
    const run_parameters_t *grid = run->parameters;
    const uint32 steps = run->state->time.extrapolated;
    FOR_EACH_CHUNK (chunk, grid) {
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const real_t u = self->u[cell.index], before = self->before[cell.index];
            if (steps == 1u) {
                self->u[cell.index] = u + (u - before);
            } else if (steps == 2u) {
                self->u[cell.index] = self->earlier[cell.index] + (real_t)3 * (u - before);
            }
            self->earlier[cell.index] = before;
            self->before[cell.index] = u;
        }
    }
    if (finish_reduction(run, 0u)) {
        DECIDE(end_phase(run, 0u));
    }
}

/* A phase of the program that is not of a solve. */
FUNCTION void implicit_step_phase(const run_t *run, const operator_t *A, const implicit_step_t *self) {
    const uint32 phase = run->state->control.now - RUN_PHASE;
    NOTE_CHANGES(phase == END_OF_STEPS ? 0u
                 : phase == FIRST_GUESS
                     ? rank_bit(RANK_X)
                     : rank_bit(RANK_B)); /* fields of earlier steps are read in their own cells alone */
    if (phase == END_OF_STEPS) {
        watch_end_phase(&self->watcher, self->segments, self->u);
    } else if (phase == FIRST_GUESS) {
        first_guess_phase(run, self);
    } else {
        implicit_right_side_phase(run, A, self, run->parameters->remembers);
    }
}

#endif
