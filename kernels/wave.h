/* Stoermer-Verlet steps, in the position form, of the wave equation as a system of first order
 * (Hairer, Lubich and Wanner, Geometric Numerical Integration, 2nd ed., section I.1.4 and II.5):
 *
 *   du/dt = v,   dv/dt = div(a grad u) - sigma u - d v + f
 *
 *   w      = u(n) + dt/2 v(n)                                                    u in the middle of the step
 *   r      = b(t_n + dt/2) - A w
 *   v(n+1) = ((1 - dt/2 d) v(n) + dt r) / (1 + dt/2 d)                           damping by the implicit midpoint rule
 *   u(n+1) = w + dt/2 v(n+1)
 *
 * w of the neighbours is made again in each cell, so that a step is one phase. Order 2 in time, reversible where d = 0, and
 * u . A u + v . v - dt^2/4 v . A v is conserved where b = d = 0. Stable for dt sqrt(largest eigenvalue of A) <= 2, whatever d.
 * b: kernels/explicit_step.h. d is `v_diagonal`.
 *
 * Shapes: fields [cells], b [1 + factors][cells]; u and v have two copies. Units: b as dv/dt.
 * Bytes per cell and step: read u, v, (1 + factors) b, write u, v; variable coefficients also read diagonal, v_diagonal and one
 *   conductance per axis: (5 or 10 in 3D) x sizeof(real_t) without factors.
 * Barriers per step: 1. Every check_every steps the largest of |u| and |v| is reported and cells are watched.
 * Snapshots: kernels/snapshot_ring.h. */
#include "kernels/chunks.h"
#include "kernels/explicit_step.h"
#include "kernels/kernel_forms.h"
#include "kernels/operator.h"
#include "kernels/snapshot_ring.h"
#include "kernels/wave_fields.h"

typedef struct {
    run_t run;
    operator_t A;
    WAVE_OWN_FIELDS(FIELD_MEMBER)
} wave_equation_t;

SOURCE_FUNCTION(wave, wave_equation_t)

CELL_FUNCTION void wave_cell(const wave_equation_t *self, uint32 n, GLOBAL const real_t *u,
                             GLOBAL const real_t *v, GLOBAL real_t *next_u, GLOBAL real_t *next_v, real_t dt,
                             uint32 check, uint32 varies, cell_t cell, index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const real_t half_step = (real_t)0.5 * dt;
    prefetch_row(u, 3u, grid, cell);
    prefetch_row(v, 3u, grid, cell);
    prefetch_row(self->b, 3u, grid, cell);
    const stencil_t s = stencil_of(grid, cell);
    const neighbourhood_t rate = gather(v, grid, &s);
    neighbourhood_t w = gather(u, grid, &s);
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        w.at[k] = FUSED(half_step, rate.at[k], w.at[k]);
    }
    const real_t damped = half_step * self->v_diagonal[s.place[CENTRE]];
    const real_t b = wave_source(self, n, cell.index, varies ? grid->factors : 0u);
    const real_t r = b - apply_operator(&self->A, grid, &s, &w);
    const real_t new_v = FUSED(dt, r, ((real_t)1 - damped) * rate.at[CENTRE]) / ((real_t)1 + damped);
    const real_t new_u = FUSED(half_step, new_v, w.at[CENTRE]);
    next_u[cell.index] = new_u;
    next_v[cell.index] = new_v;
    if (check) {
        watch_step(run, lane, cell.index, new_u);
        watch_step(run, lane, cell.index, new_v);
    }
}

FUNCTION void wave_phase(const wave_equation_t *self, const segment_t *segment, uint32 n) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 check = is_checked_step(grid, segment, n);
    const real_t dt = (real_t)time_of_step(segment, n);
    GLOBAL const real_t *u = copy_of(self->u, n);
    GLOBAL const real_t *v = copy_of(self->v, n);
    GLOBAL real_t *next_u = copy_of(self->u, n + 1u);
    GLOBAL real_t *next_v = copy_of(self->v, n + 1u);
    NOTE_CHANGES_OF_LOOP(rank_copies(n + 1u), 1u);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        WITH_CONSTANT(checked, check,
                      WITH_CONSTANT(varies, grid->factors,
                                    CALL_FOR_CELLS(chunk, grid,
                                                   wave_cell(self, n, u, v, next_u, next_v, dt, checked,
                                                             varies, cell, lane))));
    }
    if (check) {
        contribute_slack(run);
        if (finish_reduction(run, 0u)) {
            DECIDE(decide_step(run, n + 1u));
        }
    }
}

FULL_KERNEL(wave, KERNEL_ARGUMENTS(WAVE_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const wave_equation_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, WAVE_OWN_FIELDS(FIELD_VALUE)};
    RUN_SEGMENTS(
        self.run, 1u,
        snapshot_of_two(copy_of(self.u, at.step), copy_of(self.v, at.step), self.run.parameters->cells),
        wave_phase(&self, &now, at.step));
}
