/* The stationary iteration of method multigrid, with one copy of r and no p and q; it may begin with a full multigrid cycle
 * from the coarsest level up.
 *
 *   advance     x = x + z,  r = r - A z,  rho = (r, r)      behind the cycle; converged as in kernels/cg_multigrid.h
 *
 * Where level 0 itself is solved directly one residual stands in place of advance and residual:
 *
 *   solved      x = x + A^-1 r by the last of the transforms;  r = b - A x,  an iteration
 *
 * Values per cell and iteration: advance reads z, r, x, writes r, x instead of direction and update: 19 on uniform levels in
 * 3D. Solved directly from x = 0: residual reads b, transforms 4 dimensions - 2, of which the last also reads x, solved reads
 * b, x, writes r: 11 in 2D, 15 in 3D. Barriers 2 dimensions + 1. */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_STATIONARY_H
#define PERDURE_KERNELS_CG_MULTIGRID_STATIONARY_H

#include "kernels/cg_multigrid_decide.h"
#include "kernels/cg_multigrid_state.h"
#include "kernels/chunks.h"

/* r in place, since z alone is needed around a cell. */
FUNCTION void cg_multigrid_advance_phase(const cg_multigrid_t *self, const step_t *step, uint32 place) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 widen = grid->norm == NORM_MAX && is_check(grid, run->state->solve.iteration + 1u);
    const level_t level = finest_level(&self->multigrid);
    GLOBAL const real_t *r_now = residual_now(self);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 1u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t s = stencil_of(grid, cell);
            const surroundings_t around = look_around(level_copy(&level, step->from), &level, &s);
            neighbourhood_t z;
            for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
                z.at[k] = (real_t)around.at[k];
            }
            const real_t r = r_now[cell.index] - apply_operator(&self->A, grid, &s, &z);
            self->r[0][cell.index] = r;
            self->x[cell.index] = self->x[cell.index] + z.at[CENTRE];
            add_to_lane(run, SUM_RHO, lane, (sum_t)r * (sum_t)r);
            if (widen) {
                widen_lane(run, lane, fabs((double)r));
            }
        }
        store_partials(run, chunk, 1u);
    }
    if (widen) {
        contribute_slack(run);
    }
    if (finish_reduction(run, 1u)) {
        GLOBAL const hierarchy_t *list = self->multigrid.hierarchy;
        DECIDE(cg_multigrid_decide_advance(run, place, list->cycle_place, list->residual_place));
    }
}

#endif
