/* Temporally blocked explicit stepping: kernels/heat.h and kernels/jacobi.h in passes through memory, several steps a pass. Falls
 * back to per-phase stepping if the tiling does not apply, if coefficients differ from the plan, or if sources vary in time. */
#ifndef PERDURE_KERNELS_RESIDENT_TEMPORALLY_BLOCKED_H
#define PERDURE_KERNELS_RESIDENT_TEMPORALLY_BLOCKED_H

#include "kernels/resident/jacobi_check.h"
#include "kernels/resident/physics.h"
#include "kernels/resident/resident_fields.h"
#include "kernels/resident/stepping.h"

/* Advances step n by a phase, from the current copy of u to the other one. */
template <typename Physics, typename Self>
FUNCTION void step_by_phase(const Self *self, const stepping_t *at) {
    Self phase = *self;
    phase.u[at->n & 1u] = self->u[at->current];
    phase.u[(at->n + 1u) & 1u] = self->u[1u - at->current];
    Physics::phase(&phase, at->n);
}

template <typename Physics>
FUNCTION step_pass_t next_pass(const run_parameters_t *grid, const stepping_t *at, uint32 most) {
    if constexpr (Physics::checks_residual != 0) {
        const uint32 check = is_check(grid, at->n);
        return {check ? 1u : least(least(next_check(grid, at->n), at->end) - at->n, most), check};
    }
    return next_pass_in_time(grid, at, most);
}

/* Makes the steps of a launch. What a pass needs is computed before the grid barrier (`prepare`, which gets the arguments of
 * `sweep`): groups that arrive early have time then, but behind the barrier all groups would wait for it. Groups look for a stop
 * only behind a check. */
template <typename Tiles, typename Self>
FUNCTION void run_temporally_blocked(const Self *self, typename Tiles::shared_t *shared) {
    typedef typename Tiles::physics_t physics_t;
    constexpr bool checks_residual = physics_t::checks_residual != 0;
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    stepping_t at = begin_stepping(run, physics_t::begin(run->state));
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    const bool in_time = !checks_residual && grid->factors != 0u; /* sources vary in time */
    const bool by_phases = in_time || !Tiles::can_sweep(grid);
    Tiles tiles;
    if (!by_phases) {
        tiles.begin(run, physics_t::of(self), &self->A, self->u[at.current], shared);
    }
    step_pass_t pass = {1u, 1u};
    const auto prepare = [&] {
        const bool sweeps = !by_phases && at.n < at.end;
        if (sweeps || checks_residual) {
            pass = next_pass<physics_t>(grid, &at, by_phases ? 1u : static_cast<uint32>(Tiles::STEPS));
        }
        if (sweeps) {
            tiles.prepare(at.n, pass.active, self->u[at.current], self->u[1u - at.current]);
        }
    };
    prepare();
    uint32 passed = synchronise_grid(&barrier, &at);
    bool going_on = run->state->control.stop == STOP_NONE;
    while (passed && at.n < at.end && going_on) {
        const step_pass_t made = pass;
        if (by_phases) {
            step_by_phase<physics_t>(self, &at);
        } else if constexpr (checks_residual) {
            const physics_t physics = tiles.physics;
            residual_t residual;
            residual.begin(grid, grid->uniform
                                     ? physics.scale(physics.factor(at.n), inner_place(DIMENSIONS(grid)))
                                     : (real_t)0);
            tiles.sweep(at.n, made.active, self->u[at.current], self->u[1u - at.current], 0,
                        made.check ? &residual : 0);
            if (made.check) {
                decide_on_residual(run, &residual, at.n);
            }
        } else {
            checked_t watched = {0.0, NO_CELL};
            tiles.sweep(at.n, made.active, self->u[at.current], self->u[1u - at.current],
                        made.check ? &watched : 0, 0);
            if (made.check) {
                contribute_watched(run, watched);
                if (finish_reduction(run, 0u)) {
                    DECIDE(decide_step(run, at.n + made.active));
                }
            }
        }
        at.n += made.active;
        at.current = 1u - at.current;
        prepare();
        passed = synchronise_grid(&barrier, &at);
        going_on = !made.check || run->state->control.stop == STOP_NONE;
        if (checks_residual && !going_on) { /* the answer is the state at the beginning of the pass */
            at.current = 1u - at.current;
        }
    }
    end_stepping(run, &at);
}

/* The kernel, a template over the tiles. ITEMS_64, ITEMS_32: most items of a group in float64 and in float32. */
template <typename Tiles, int ITEMS_64, int ITEMS_32>
__global__ __launch_bounds__(sizeof(real_t) == 8 ? ITEMS_64 : ITEMS_32,
                             1) void temporally_blocked(KERNEL_ARGUMENTS(BLOCKED_STEPS_FIELDS)) {
    __shared__ sum_t lanes[LANE_ROWS * LANES];
    __shared__ uint32 verdict;
    __shared__ typename Tiles::shared_t shared;
    typedef typename Tiles::physics_t physics_t;
    WITH_SELF(physics_t, lanes, run_temporally_blocked<Tiles>(&self, &shared);)
}

#endif
