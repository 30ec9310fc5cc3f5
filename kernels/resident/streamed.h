/* Explicit stepping through memory: what kernels/heat.h and kernels/jacobi.h do, in passes of several steps. What Tiles
 * have no march for, problems that are not what was expected of them and sources that change from step to step, makes its
 * steps by phases. */
#ifndef PERDURE_KERNELS_RESIDENT_STREAMED_H
#define PERDURE_KERNELS_RESIDENT_STREAMED_H

#include "kernels/resident/jacobi_check.h"
#include "kernels/resident/physics.h"
#include "kernels/resident/resident_fields.h"
#include "kernels/resident/stepping.h"

/* The phase that makes step n, of Jacobi with its check where it is one, from the current copy of u into the other. */
FUNCTION void heat_phase_at(const heat_t *self, const stepping_t *at) {
    heat_t phase = *self;
    phase.u[at->n & 1u] = self->u[at->current];
    phase.u[(at->n + 1u) & 1u] = self->u[1u - at->current];
    heat_phase(&phase, at->n);
}
FUNCTION void jacobi_phase_at(const jacobi_t *self, const stepping_t *at) {
    jacobi_t phase = *self;
    phase.u[at->n & 1u] = self->u[at->current];
    phase.u[(at->n + 1u) & 1u] = self->u[1u - at->current];
    jacobi_phase(&phase, at->n);
}

/* Steps of a pass, and whether a check ends it (heat), begins it (Jacobi). */
typedef struct {
    uint32 active, check;
} pass_t;

FUNCTION pass_t heat_pass(const run_parameters_t *grid, const stepping_t *at, uint32 most) {
    const uint32 until = least(least(next_check(grid, at->n + 1u), at->end), grid->last_step + 1u);
    const uint32 active = least(until - at->n, most), reached = at->n + active;
    return {active, is_check(grid, reached) | (reached == grid->last_step + 1u ? 1u : 0u)};
}
FUNCTION pass_t jacobi_pass(const run_parameters_t *grid, const stepping_t *at, uint32 most) {
    const uint32 check = is_check(grid, at->n);
    return {check ? 1u : least(least(next_check(grid, at->n), at->end) - at->n, most), check};
}

/* What a pass needs is found once or before groups meet (`prepare`, with what `march` is called with): behind a barrier all wait for
 * it, before it those that came early have time. A verdict is looked for behind checks alone. */
template <typename Tiles>
FUNCTION void heat_streamed(const heat_t *self, typename Tiles::shared_t *shared) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    stepping_t at = begin_stepping(run);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    const bool by_phases = grid->factors != 0u || !Tiles::has_marches_for(grid);
    Tiles tiles;
    if (!by_phases) {
        tiles.begin(run, physics_of(self), &self->A, self->u[at.current], shared);
    }
    pass_t pass = {1u, 1u};
    const auto prepare = [&] {
        if (!by_phases && at.n < at.end) {
            pass = heat_pass(grid, &at, Tiles::STEPS);
            tiles.prepare(at.n, pass.active, self->u[at.current], self->u[1u - at.current]);
        }
    };
    prepare();
    uint32 passed = meet(&barrier, &at);
    bool going_on = run->state->stop == STOP_NONE;
    while (passed && at.n < at.end && going_on) {
        const pass_t made = pass;
        if (by_phases) {
            heat_phase_at(self, &at);
        } else {
            watched_t watched = {0.0, NO_CELL};
            tiles.march(at.n, made.active, self->u[at.current], self->u[1u - at.current],
                        made.check ? &watched : 0, 0);
            if (made.check) {
                contribute_watched(run, watched);
                if (finish_reduction(run, 0u)) {
                    DECIDE(heat_decide(self, at.n + made.active));
                }
            }
        }
        at.n += made.active;
        at.current = 1u - at.current;
        prepare();
        passed = meet(&barrier, &at);
        going_on = !made.check || run->state->stop == STOP_NONE;
    }
    end_stepping(run, &at);
}

template <typename Tiles>
FUNCTION void jacobi_streamed(const jacobi_t *self, typename Tiles::shared_t *shared) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const jacobi_physics_t physics = physics_of(self);
    stepping_t at = begin_stepping(run);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    const bool by_phases = !Tiles::has_marches_for(grid);
    Tiles tiles;
    if (!by_phases) {
        tiles.begin(run, physics, &self->A, self->u[at.current], shared);
    }
    pass_t pass;
    const auto prepare = [&](const stepping_t &from) {
        pass = jacobi_pass(grid, &from, by_phases ? 1u : static_cast<uint32>(Tiles::STEPS));
        if (!by_phases && from.n < from.end) {
            tiles.prepare(from.n, pass.active, self->u[from.current], self->u[1u - from.current]);
        }
    };
    prepare(at);
    uint32 passed = meet(&barrier, &at);
    bool going_on = run->state->stop == STOP_NONE;
    while (passed && at.n < at.end && going_on) {
        const pass_t made = pass;
        if (by_phases) {
            jacobi_phase_at(self, &at);
        } else {
            residual_t residual;
            residual.begin(grid, grid->uniform ? physics.scale(physics.weight, inner_place(DIMENSIONS(grid)))
                                               : (real_t)0);
            tiles.march(at.n, made.active, self->u[at.current], self->u[1u - at.current], 0,
                        made.check ? &residual : 0);
            if (made.check) {
                decide_on_residual(run, &residual, at.n);
            }
        }
        stepping_t next = at;
        next.n += made.active;
        next.current = 1u - at.current;
        prepare(next);
        passed = meet(&barrier, &at);
        going_on = !made.check || run->state->stop == STOP_NONE;
        if (going_on) { /* otherwise the answer is u(n) */
            at.n = next.n;
            at.current = next.current;
        }
    }
    end_stepping(run, &at);
}

/* Kernels, by the tiles they march through. Items of a group at most: ITEMS_64 in float64. */
#define STREAMED_KERNEL __global__ __launch_bounds__(sizeof(real_t) == 8 ? ITEMS_64 : ITEMS_32, 1)

template <typename Tiles, int ITEMS_64, int ITEMS_32>
STREAMED_KERNEL void heat_streamed_kernel(KERNEL_ARGUMENTS(HEAT_STREAMED_FIELDS)) {
    __shared__ sum_t lanes[LANE_ROWS * LANES];
    __shared__ uint32 verdict;
    __shared__ typename Tiles::shared_t shared;
    const heat_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, HEAT_OWN_FIELDS(FIELD_VALUE)};
    heat_streamed<Tiles>(&self, &shared);
}
template <typename Tiles, int ITEMS_64, int ITEMS_32>
STREAMED_KERNEL void jacobi_streamed_kernel(KERNEL_ARGUMENTS(JACOBI_STREAMED_FIELDS)) {
    __shared__ sum_t lanes[LANE_ROWS * LANES];
    __shared__ uint32 verdict;
    __shared__ typename Tiles::shared_t shared;
    const jacobi_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, JACOBI_OWN_FIELDS(FIELD_VALUE)};
    jacobi_streamed<Tiles>(&self, &shared);
}

#endif
