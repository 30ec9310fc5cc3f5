/* Preconditioned conjugate gradients (Hestenes and Stiefel, J. Res. Natl. Bur. Stand. 49, 1952, 409-436; in
 * this form Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1), M = diag(A) or the identity.
 *
 *   residual    r = b - A x                        ||r|| decides: this is the true residual
 *               gamma = (r, M^-1 r),  alpha = beta = 0
 *   direction   x = x + alpha p                    what the iteration before still owes
 *               p = M^-1 r + beta p,  q = A p
 *               alpha = gamma / (p, q)
 *   update      r = r - alpha q
 *               gamma' = (r, M^-1 r),  rho = (r, r),  beta = gamma' / gamma
 *
 * An iteration is direction and update. q = A p needs the neighbours' new p: each cell forms it from their r and old
 * p, so p has two copies. Where A is uniform, update forms q again rather than read it: that moves less. It goes through
 * the cells backwards: what direction wrote last is still in the cache, and what update writes last is where direction
 * begins. x moves with p, one phase late, because p is at hand there. When rho says converged (or nothing improves, or the
 * run must end) `direction` follows once more, for x alone, and then `residual`: it decides on b - A x, or replaces r by it
 * and starts again.
 *
 * Shapes: fields [cells]. Units: r as b.
 * Bytes per cell and iteration: direction reads r, p, x, writes p, x; update reads r, p, writes r. Variable coefficients
 *   write and read q instead of reading p again, and read diagonal, twice inverse diagonal and one conductance per axis:
 *   (8 or 15 in 3D) x sizeof(real_t).
 * Barriers per iteration: 2. Reductions per iteration: 2 (one sum, two sums). */
#ifndef PERDURE_KERNELS_CG_H
#define PERDURE_KERNELS_CG_H

#include "kernels/cg_decide.h"
#include "kernels/cg_fields.h"
#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/operator.h"

typedef struct {
    run_t run;
    operator_t A;
    CG_OWN_FIELDS(FIELD_MEMBER)
} cg_t;

FUNCTION void cg_residual_phase(const cg_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    NOTE_CHANGES_OF_LOOP(rank_bit(RANK_OTHERS), 1u); /* r */
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        clear_lanes(run, 0u, 3u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t s = stencil_of(grid, cell);
            const neighbourhood_t x = gather(self->x, grid, &s);
            const real_t r = self->b[cell.index] - apply_operator(&self->A, grid, &s, &x);
            const real_t z = inverse_diagonal_at(&self->A, grid, &s) * r;
            const sum_t scale = row_size(&self->A, grid, &s) * (sum_t)x.at[CENTRE];
            self->r[cell.index] = r;
            add_residual(run, lane, cell.index, (double)r, scale);
            add_to_lane(run, SUM_TRUE_GAMMA, lane, (sum_t)r * (sum_t)z);
        }
        store_partials(run, chunk, 3u);
    }
    if (finish_check(run, 3u)) {
        DECIDE(cg_decide_true(run));
    }
}

CELL_FUNCTION void cg_direction_cell(const cg_t *self, GLOBAL const real_t *old_p, GLOBAL real_t *new_p,
                                     real_t alpha, real_t beta, cell_t cell, index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    prefetch_row(self->r, 3u, grid, cell);
    prefetch_row(old_p, 3u, grid, cell);
    prefetch_row(self->x, 3u, grid, cell);
    const stencil_t at = stencil_of(grid, cell);
    const neighbourhood_t r = gather(self->r, grid, &at);
    const neighbourhood_t z = precondition(&self->A, grid, &at, &r);
    neighbourhood_t p = gather(old_p, grid, &at);
    self->x[cell.index] = self->x[cell.index] + alpha * p.at[CENTRE];
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        p.at[k] = z.at[k] + beta * p.at[k];
    }
    const real_t q = apply_operator(&self->A, grid, &at, &p);
    new_p[cell.index] = p.at[CENTRE];
    if (!UNIFORM(grid)) {
        self->q[cell.index] = q;
    }
    add_to_lane(run, SUM_CURVATURE, lane, (sum_t)p.at[CENTRE] * (sum_t)q);
}

FUNCTION void cg_direction_phase(const cg_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 now = run->state->solve.parity, then = now ^ 1u;
    GLOBAL const real_t *old_p = copy_of(self->p, now);
    GLOBAL real_t *new_p = copy_of(self->p, then);
    const real_t alpha = (real_t)run->state->solve.alpha, beta = (real_t)run->state->solve.beta;
    NOTE_CHANGES_OF_LOOP(rank_bit(RANK_X) | rank_copies(then), 1u); /* q is read where it is written */
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        clear_lanes(run, 0u, 1u);
        CALL_FOR_CELLS(chunk, grid, cg_direction_cell(self, old_p, new_p, alpha, beta, cell, lane));
        store_partials(run, chunk, 1u);
    }
    if (finish_reduction(run, 1u)) {
        DECIDE(cg_decide_direction(run));
    }
}

CELL_FUNCTION void cg_update_cell(const cg_t *self, GLOBAL const real_t *p, real_t alpha, uint32 widen,
                                  cell_t cell, index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    prefetch_row(self->r, 2u, grid, cell);
    prefetch_row(p, 2u, grid, cell);
    const stencil_t at = stencil_of(grid, cell);
    const real_t q = UNIFORM(grid) ? apply_to_field(&self->A, grid, &at, p) : self->q[cell.index];
    const real_t r = self->r[cell.index] - alpha * q;
    const real_t z = inverse_diagonal_at(&self->A, grid, &at) * r;
    self->r[cell.index] = r;
    add_to_lane(run, SUM_RHO, lane, (sum_t)r * (sum_t)r);
    add_to_lane(run, SUM_GAMMA, lane, (sum_t)r * (sum_t)z);
    if (widen) {
        widen_lane(run, lane, fabs((double)r));
    }
}

FUNCTION void cg_update_phase(const cg_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const real_t alpha = (real_t)run->state->solve.alpha;
    GLOBAL const real_t *p = copy_of(self->p, run->state->solve.parity ^ 1u);
    const uint32 widen = grid->norm == NORM_MAX && is_check(grid, run->state->solve.iteration + 1u);
    NOTE_CHANGES_OF_LOOP(rank_bit(RANK_OTHERS), 1u); /* r */
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        clear_lanes(run, 0u, 2u);
        WITH_CONSTANT(
            widened, widen,
            CALL_FOR_CELLS_BACKWARDS(chunk, grid, cg_update_cell(self, p, alpha, widened, cell, lane)));
        store_partials(run, chunk, 2u);
    }
    if (widen) {
        contribute_slack(run);
    }
    if (finish_reduction(run, 2u)) {
        DECIDE(cg_decide_update(run));
    }
}

FUNCTION void cg_phase(const cg_t *self, uint32 place) {
    switch (place) {
        case CG_RESIDUAL:
            cg_residual_phase(self);
            break;
        case CG_DIRECTION:
            cg_direction_phase(self);
            break;
        default:
            cg_update_phase(self);
            break;
    }
}

FULL_KERNEL(cg, KERNEL_ARGUMENTS(CG_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const cg_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR, CG_OWN_FIELDS(FIELD_VALUE)};
    RUN_PHASES(self.run, cg_phase(&self, place_of(&self.run, phase)));
}

#endif
