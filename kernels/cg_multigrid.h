/* Conjugate gradients preconditioned by one multigrid cycle (Hestenes and Stiefel 1952 as kernels/cg.h; Tatebe,
 * The multigrid preconditioned conjugate gradient method, 1993).
 *
 *   setup       coefficients of all levels, the coarsest inverse; of uniform levels the host has them
 *   residual    r = b - A x                          ||r|| decides: this is the true residual; from x = 0 b stands for r
 *   cycle       z = M^-1 r                           a symmetric cycle from 0, kernels/multigrid/steps.h
 *     last      its last sweep on level 0:           gamma' = (r, z),  beta = gamma' / gamma
 *   direction   x = x + alpha p                      what the iteration before still owes
 *               p = z + beta p,  q = A p             alpha = gamma / (p, q)
 *   update      r = r - alpha q,  rho = (r, r)       and the cycle's first sweeps on level 0
 *
 * The cycle's first sweeps need the neighbours' new r, and A p their new p, so neither is written where it is read: r and p take turns in three
 * vectors (kernels/cg_multigrid_state.h). When rho says converged (or
 * nothing improves, or the run must end) `direction` follows once more, for x alone, and then `residual`, as in
 * kernels/cg.h.
 *
 * The list of phases may as well be that of the stationary iteration, kernels/cg_multigrid_stationary.h.
 *
 * Where level 0 itself is solved directly (kernels/multigrid/fast_transform.h) there are no sweeps: update makes r alone,
 * last forms its sum alone.
 *
 * In mixed precision also what kernels/cg_multigrid_mixed.h says.
 *
 * On level 0 a phase begins where the one before ended, which is still in the cache: restrict, sweep and direction go
 * backwards.
 *
 * With full conductivity tensors A has the cross terms of kernels/cross_terms.h as well: in A p and in the true residual. Cycles are
 * those of the diagonal part.
 *
 * Shapes: fields [cells]; levels in kernels/multigrid/hierarchy.h. Units: r as b.
 * Bytes per cell and iteration of a V-cycle with two sweeps before and after: update reads r, q, writes r, u; restrict
 *   reads u, r; interpolate reads and writes u; sweep reads u, r, writes u; last reads u, r, writes z; direction reads
 *   z, p, x, writes p, x, q: 20 1/4 on level 0, and 12 1/4 for each cell of the coarser levels, a seventh as many in 3D and
 *   a third in 2D; variable coefficients also 5 in each of update, sweep and last, 4 in restrict and direction, 1 in
 *   interpolate and 7/4 for the weights, twice, and 23 1/2 on coarser levels: (22 or 53 in 3D) x sizeof(real_t).
 *   Tensors: direction and residual also read 4 bytes.
 *   Coefficients by labels (kernels/labels.h): 1 in each of update, sweep and last, or two bytes, and a byte in all six, 33 or 31 in 3D.
 *   Levels that restrict in two steps (kernels/multigrid/transfer_in_two.h): 1 more.
 *   Mixed: update also writes b, and what cycles move counts half: 16, 34 or 22 in 3D.
 *   Level 0 solved directly, one iteration from x = 0: residual reads b, transforms 4 dimensions - 2, last reads u, r;
 *   direction reads z, writes p, q; update reads b, q, writes r; direction for x alone reads x, p, writes x; residual reads
 *   b, x, writes r: 21 in 2D, 25 in 3D. Barriers 2 dimensions + 5.
 * Barriers per iteration: 2, and 5 for each level that all groups share, 6 where it restricts in two steps, and 1 for the levels left to one group.
 * Reductions per iteration: 3. */
#ifndef PERDURE_KERNELS_CG_MULTIGRID_H
#define PERDURE_KERNELS_CG_MULTIGRID_H

#include "kernels/cg_multigrid_changes.h"
#include "kernels/cg_multigrid_mixed.h"
#include "kernels/cg_multigrid_residual.h"
#include "kernels/cg_multigrid_stationary.h"
#include "kernels/chunks.h"
#include "kernels/multigrid/steps.h"

FUNCTION void cg_multigrid_last_phase(const cg_multigrid_t *self, const step_t *step) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const level_t level = finest_level(&self->multigrid);
    const cycle_t weight = (cycle_t)step->weight[0];
    GLOBAL const cycle_t *u = level_copy(&level, step->from);
    GLOBAL cycle_t *z = level_copy(&level, step->to);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 1u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const cycle_t r = level.b[cell.index];
            cycle_t z_here = u[cell.index];
            if (step->to != step->from) {
                const stencil_t s = stencil_of(grid, cell);
                const surroundings_t around = look_around(u, &level, &s);
                z_here = swept(&level, &s, &around, r, weight);
                z[cell.index] = z_here;
            }
            add_to_lane(run, 0u, lane, (sum_t)r * (sum_t)z_here);
        }
        store_partials(run, chunk, 1u);
    }
    if (finish_reduction(run, 1u)) {
        const uint32 now = run->state->solve.parity;
        const double unit = (double)scale_from_cycle(self, now) / (double)scale_to_cycle(self, now);
        DECIDE(cg_multigrid_decide_beta(run, unit));
    }
}

/* p is anew where beta is 0. */
CELL_FUNCTION void cg_multigrid_direction_cell(const cg_multigrid_t *self, const level_t *level,
                                               GLOBAL const cycle_t *u, GLOBAL const real_t *old_p,
                                               GLOBAL real_t *new_p, real_t alpha, real_t beta, real_t scale,
                                               uint32 anew, cell_t cell, index_t lane) {
    const run_parameters_t *grid = self->run.parameters;
    const stencil_t s = stencil_of(grid, cell);
    const surroundings_t z = look_around(u, level, &s);
    neighbourhood_t p = {{(real_t)0}};
    if (!anew) {
        p = gather(old_p, grid, &s);
        self->x[cell.index] = self->x[cell.index] + alpha * p.at[CENTRE];
    }
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        p.at[k] = scale * (real_t)z.at[k] + beta * p.at[k];
    }
    const real_t q = WITH_CROSS_TERMS(apply_operator(&self->A, grid, &s, &p),
                                      cross_terms_of_direction(self, u, old_p, beta, scale, anew, cell, &s));
    new_p[cell.index] = p.at[CENTRE];
    self->q[cell.index] = q;
    add_to_lane(&self->run, SUM_CURVATURE, lane, (sum_t)p.at[CENTRE] * (sum_t)q);
}

FUNCTION void cg_multigrid_direction_phase(const cg_multigrid_t *self, const step_t *step, uint32 place) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 now = run->state->solve.parity;
    const real_t alpha = (real_t)run->state->solve.alpha, beta = (real_t)run->state->solve.beta;
    const real_t scale = scale_from_cycle(self, now);
    const uint32 anew = beta == (real_t)0 ? 1u : 0u,
                 for_x_alone = run->state->solve.gamma == 0.0 && !anew ? 1u : 0u;
    const level_t level = finest_level(&self->multigrid);
    GLOBAL const cycle_t *u = level_copy(&level, step->from);
    GLOBAL const real_t *old_p = vector_in_turn(self, TURN_OF_P_BEFORE);
    GLOBAL real_t *new_p = vector_in_turn(self, TURN_OF_P);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 1u);
        if (for_x_alone) {
            FOR_EACH_CELL_BACKWARDS (cell, lane, chunk, grid) {
                self->x[cell.index] = self->x[cell.index] + alpha * old_p[cell.index];
            }
        } else {
            WITH_CONSTANT(
                begins, anew,
                CALL_FOR_CELLS_BACKWARDS(chunk, grid,
                                         cg_multigrid_direction_cell(self, &level, u, old_p, new_p, alpha,
                                                                     beta, scale, begins, cell, lane)));
        }
        store_partials(run, chunk, 1u);
    }
    if (finish_reduction(run, 1u)) {
        DECIDE(cg_multigrid_decide_alpha(run, place, self->multigrid.hierarchy->residual_place));
    }
}

/* What update does with each cell. */
typedef struct {
    GLOBAL const real_t *r;
    GLOBAL real_t *next_r;
    GLOBAL cycle_t *u;
    real_t alpha, scale;
    cycle_t first, second;
} update_t;

CELL_FUNCTION void cg_multigrid_update_cell(const cg_multigrid_t *self, const level_t *level,
                                            const update_t *step, uint32 sweeps, uint32 widen, cell_t cell,
                                            index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    real_t r_here = step->r[cell.index] - step->alpha * self->q[cell.index];
    if (sweeps) {
        const stencil_t s = stencil_of(grid, cell);
        const neighbourhood_t q = gather(self->q, grid, &s);
        neighbourhood_t r = gather(step->r, grid, &s);
        surroundings_t b;
        for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
            r.at[k] = r.at[k] - step->alpha * q.at[k];
            b.at[k] = (cycle_t)(step->scale * r.at[k]);
        }
        step->u[cell.index] = two_sweeps(level, &s, &b, step->first, step->second);
        r_here = r.at[CENTRE];
    }
    step->next_r[cell.index] = r_here;
    if (ROUNDED) {
        level->b[cell.index] = (cycle_t)(step->scale * r_here);
    }
    add_to_lane(run, SUM_RHO, lane, (sum_t)r_here * (sum_t)r_here);
    if (widen) {
        widen_lane(run, lane, fabs((double)r_here));
    }
}

FUNCTION void cg_multigrid_update_phase(const cg_multigrid_t *self, const step_t *step, uint32 place) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 then = run->state->solve.parity ^ 1u;
    const uint32 widen = grid->norm == NORM_MAX && is_check(grid, run->state->solve.iteration + 1u);
    const level_t level = finest_level(&self->multigrid);
    const update_t update = {residual_now(self),           vector_in_turn(self, TURN_OF_NEXT_R),
                             level_copy(&level, step->to), (real_t)run->state->solve.alpha,
                             scale_to_cycle(self, then),   (cycle_t)step->weight[0],
                             (cycle_t)step->weight[1]};
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 1u);
        WITH_CONSTANT(sweeps, step->to != NO_COPY ? 1u : 0u,
                      WITH_CONSTANT(widened, widen,
                                    CALL_FOR_CELLS(chunk, grid,
                                                   cg_multigrid_update_cell(self, &level, &update, sweeps,
                                                                            widened, cell, lane))));
        store_partials(run, chunk, 1u);
    }
    if (widen) {
        contribute_slack(run);
    }
    if (finish_reduction(run, 1u)) {
        GLOBAL const hierarchy_t *list = self->multigrid.hierarchy;
        DECIDE(cg_multigrid_decide_update(run, place, list->cycle_place, list->direction_place));
    }
}

FUNCTION void cg_multigrid_phase(cg_multigrid_t *self, uint32 place) {
    multigrid_t *multigrid = &self->multigrid;
    const step_t step = step_at(multigrid, phase_at(multigrid, place).first);
    NOTE_CHANGES(cg_multigrid_changes(self, &step));
    multigrid->b = (GLOBAL cycle_t *)residual_now(self);
    switch (step.operation) {
        case STEP_ROUND:
            if (!UNIFORM(self->run.parameters)) { /* of tables the host has done it */
                cg_multigrid_round_phase(self);
            }
            break;
        case STEP_RESIDUAL:
        case STEP_SOLVED:
            cg_multigrid_residual_phase(self, step.operation == STEP_SOLVED ? 1u : 0u, place);
            break;
        case STEP_BEGIN:
            cg_multigrid_begin_phase(self, &step);
            break;
        case STEP_LAST:
            cg_multigrid_last_phase(self, &step);
            break;
        case STEP_DIRECTION:
            cg_multigrid_direction_phase(self, &step, place);
            break;
        case STEP_ADVANCE:
            cg_multigrid_advance_phase(self, &step, place);
            break;
        case STEP_FIRST:
            cg_multigrid_update_phase(self, &step, place);
            break;
        default:
            do_steps(multigrid, place);
            break;
    }
}

/* multigrid_t of a kernel with CG_MULTIGRID_CYCLE_FIELDS, r and x; the operator of level 0 as cycles have it. */
#undef CYCLE_VALUES
#undef ARRAYS_OF_FINEST
#define CYCLE_VALUES(finest)                                                                     \
    {                                                                                            \
        hierarchy, phases, steps, waves, places, arena,                                          \
            {(GLOBAL cycle_t *)q, (GLOBAL cycle_t *)p, (GLOBAL cycle_t *)r_odd}, tables, finest, \
            (GLOBAL cycle_t *)r_even, (GLOBAL cycle_t *)x, tile, tile, lanes, &kept              \
    }
#define ARRAYS_OF_FINEST                                                                      \
    (GLOBAL cycle_t *)diagonal, (GLOBAL cycle_t *)inverse_diagonal, (GLOBAL cycle_t *)face_x, \
        (GLOBAL cycle_t *)face_y, (GLOBAL cycle_t *)face_z

#undef FURTHER_OF_FORM
#if defined(BY_TENSORS)
#define FURTHER_OF_FORM {vertices, cross_terms},
#elif defined(BY_LABELS)
#define FURTHER_OF_FORM b_by_labels,
#else
#define FURTHER_OF_FORM
#endif

#if defined(BY_LABELS)
#define CG_MULTIGRID_FIELDS_OF_FORM CG_MULTIGRID_LABEL_FIELDS
#define FINEST_OPERATOR                                                      \
    {labels, *label_count}, cycle_coefficients, *has_kinds, kinds, inverses, \
        (GLOBAL cycle_t *)inverse_diagonal
#elif defined(BY_TENSORS)
#define CG_MULTIGRID_FIELDS_OF_FORM CG_MULTIGRID_TENSOR_FIELDS
#define FINEST_OPERATOR ARRAYS_OF_FINEST
#else
#define CG_MULTIGRID_FIELDS_OF_FORM CG_MULTIGRID_FIELDS
#define FINEST_OPERATOR ARRAYS_OF_FINEST
#endif

ROOMY_KERNEL(cg_multigrid, KERNEL_ARGUMENTS(CG_MULTIGRID_FIELDS_OF_FORM)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY cycle_t tile[LINE_VALUES]; /* and lines, never both at a time */
    LOCAL_MEMORY uint32 verdict;
    LOCAL_MEMORY kept_t kept;
    cg_multigrid_t self = {RUN_VALUES(lanes), SYMMETRIC_OPERATOR,
                           FURTHER_OF_FORM CG_MULTIGRID_OWN_FIELDS(FIELD_VALUE)
                               CYCLE_VALUES(FINEST_OPERATOR)};
    keep_levels(&self.multigrid, parameters.phase_count);
    RUN_PHASES(self.run, cg_multigrid_phase(&self, place_of(&self.run, phase)));
}

#undef FINEST_OPERATOR
#undef CG_MULTIGRID_FIELDS_OF_FORM

#endif
