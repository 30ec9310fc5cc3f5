/* Explicit Euler steps of  c du/dt = div(a grad u) - sigma u + f  (LeVeque, Finite Difference Methods, ch. 9).
 *
 *   u(n+1) = u(n) + dt_n / c (b_0 + sum_k g_k(t_n) b_k - A u(n))
 *
 * b: kernels/explicit_step.h. A capacity c that is the same everywhere is 1 here: A and b are then those of the equation divided by c.
 *
 * Shapes: fields [cells], b [1 + factors][cells]; u has two copies. Units: b as f.
 * Bytes per cell and step: read u, (1 + factors) b, write u; variable coefficients also read diagonal and one
 *   conductance per axis, and a varied capacity c: (3 or 7 in 3D, 8 with c) x sizeof(real_t) without factors.
 * Barriers per step: 1. Every check_every steps the largest |u| is reported and cells are watched.
 * Snapshots: kernels/snapshot_ring.h. */
#ifndef PERDURE_KERNELS_HEAT_H
#define PERDURE_KERNELS_HEAT_H

#include "kernels/chunks.h"
#include "kernels/explicit_step.h"
#include "kernels/heat_fields.h"
#include "kernels/kernel_forms.h"
#include "kernels/operator.h"
#include "kernels/snapshot_ring.h"

typedef struct {
    run_t run;
    operator_t A;
    HEAT_OWN_FIELDS(FIELD_MEMBER)
} heat_t;

SOURCE_FUNCTION(heat, heat_t)

CELL_FUNCTION void heat_cell(const heat_t *self, uint32 n, GLOBAL const real_t *u, GLOBAL real_t *next,
                             real_t dt, uint32 check, uint32 varies, uint32 by_capacity, cell_t cell,
                             index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    prefetch_row(u, 2u, grid, cell);
    prefetch_row(self->b, 2u, grid, cell);
    const stencil_t s = stencil_of(grid, cell);
    const neighbourhood_t v = gather(u, grid, &s);
    const real_t r = heat_source(self, n, cell.index, varies ? grid->factors : 0u) -
                     apply_operator(&self->A, grid, &s, &v);
    const real_t factor = by_capacity ? dt / self->capacity[cell.index] : dt;
    const real_t advanced = EXPLICIT_STEP(v.at[CENTRE], factor, r);
    next[cell.index] = advanced;
    if (check) {
        watch_step(run, lane, cell.index, advanced);
    }
}

FUNCTION void heat_phase(const heat_t *self, const segment_t *segment, uint32 n) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 check = is_checked_step(grid, segment, n);
    const real_t dt = (real_t)time_of_step(segment, n);
    GLOBAL const real_t *u = copy_of(self->u, n);
    GLOBAL real_t *next = copy_of(self->u, n + 1u);
    NOTE_CHANGES_OF_LOOP(rank_copies(n + 1u), 1u);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        WITH_CONSTANT(
            watched, check,
            WITH_CONSTANT(varies, grid->factors,
                          WITH_CONSTANT(by_capacity, UNIFORM(grid) ? 0u : grid->varied_capacity,
                                        CALL_FOR_CELLS(chunk, grid,
                                                       heat_cell(self, n, u, next, dt, watched, varies,
                                                                 by_capacity, cell, lane)))));
    }
    if (check) {
        contribute_slack(run);
        if (finish_reduction(run, 0u)) {
            DECIDE(decide_step(run, n + 1u));
        }
    }
}

FULL_KERNEL(heat, KERNEL_ARGUMENTS(HEAT_SEGMENTED_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const heat_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, HEAT_OWN_FIELDS(FIELD_VALUE)};
    RUN_SEGMENTS(self.run, 1u, snapshot_of(copy_of(self.u, at.step), self.run.parameters->cells),
                 heat_phase(&self, &now, at.step));
}

#endif
