/* Stabilised bi-conjugate gradients for  A x = b  with any regular A (van der Vorst, SIAM J. Sci. Stat.
 * Comput. 13, 1992, 631-644), preconditioned from the right by M = diag(A) or the identity, with two
 * synchronisations an iteration.
 *
 *   residual    r = b - A x                              ||r|| decides: this is the true residual
 *               s = r,  t = p = v = 0,  alpha = beta = omega = 0,  another shadow
 *   start, direction
 *               x = x + alpha M^-1 p + omega M^-1 s      of the iteration before
 *               r = s - omega t
 *               p = r + beta (p - omega v),  v = A M^-1 p
 *               rho = (shadow, r),  alpha = rho / (shadow, v);  (r, r) at checks
 *   stabilise   s = r - alpha v,  t = A M^-1 s
 *               omega = (t, s) / (t, t)
 *               beta = (-omega (shadow, t) / rho) (alpha / omega)
 *
 * Both products need neighbours' new values: each cell forms them from their old ones, so p and v have two
 * copies and no barrier lies between update and product. (shadow, r) of the next iteration is
 * -omega (shadow, t), since (shadow, s) = 0; alpha then takes it as summed, so that errors do not add up.
 * When (r, r) says converged (or nothing improves, or the run must end, or a scalar breaks down) the phase
 * `residual` follows: it decides on b - A x, or replaces r by it and starts again with another shadow.
 *
 * The shadow residual: kernels/shadow_residual.h.
 *
 * Shapes: fields [cells]. Units: r as b.
 * Bytes per cell and iteration: direction reads s, t, p, v, x, writes p, v, r, x; stabilise reads r, v, writes
 *   s, t; each reads variable coefficients: diagonal, inverse diagonal and one conductance per axis, with a
 *   velocity two: (13 or 23 in 3D) x sizeof(real_t), 29 with a velocity.
 * Barriers per iteration: 2. Reductions per iteration: 2 (three sums at once each). */
#ifndef PERDURE_KERNELS_BICGSTAB_H
#define PERDURE_KERNELS_BICGSTAB_H

#include "kernels/bicgstab_decide.h"
#include "kernels/bicgstab_fields.h"
#include "kernels/chunks.h"
#include "kernels/kernel_forms.h"
#include "kernels/operator.h"
#include "kernels/shadow_residual.h"

typedef struct {
    run_t run;
    operator_t A;
    BICGSTAB_OWN_FIELDS(FIELD_MEMBER)
} bicgstab_t;

FUNCTION void bicgstab_residual_phase(const bicgstab_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    GLOBAL real_t *p = copy_of(self->p, run->state->solve.parity);
    GLOBAL real_t *v = copy_of(self->v, run->state->solve.parity);
    NOTE_CHANGES_OF_LOOP(rank_bit(RANK_S) | rank_copies(run->state->solve.parity), 1u);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        clear_lanes(run, 0u, 2u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t at = stencil_of(grid, cell);
            const neighbourhood_t x = gather(self->x, grid, &at);
            const real_t r = self->b[cell.index] - apply_operator(&self->A, grid, &at, &x);
            const sum_t scale = row_size(&self->A, grid, &at) * (sum_t)x.at[CENTRE];
            self->s[cell.index] = r;
            self->t[cell.index] = (real_t)0;
            p[cell.index] = (real_t)0;
            v[cell.index] = (real_t)0;
            add_residual(run, lane, cell.index, (double)r, scale);
        }
        store_partials(run, chunk, 2u);
    }
    if (finish_check(run, 2u)) {
        DECIDE(bicgstab_decide_true(run));
    }
}

/* What a direction is made of. */
typedef struct {
    GLOBAL const real_t *p, *v;
    GLOBAL real_t *next_p, *next_v;
    real_t alpha, beta, omega;
    uint32 seed;
} direction_t;

CELL_FUNCTION void bicgstab_direction_cell(const bicgstab_t *self, const direction_t *step, uint32 widen,
                                           cell_t cell, index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const stencil_t at = stencil_of(grid, cell);
    const neighbourhood_t s = gather(self->s, grid, &at);
    const neighbourhood_t t = gather(self->t, grid, &at);
    const neighbourhood_t v_old = gather(step->v, grid, &at);
    neighbourhood_t p = gather(step->p, grid, &at);
    const real_t inverse = inverse_diagonal_at(&self->A, grid, &at);
    const real_t x = self->x[cell.index] +
                     (step->alpha * (inverse * p.at[CENTRE]) + step->omega * (inverse * s.at[CENTRE]));
    const real_t r = s.at[CENTRE] - step->omega * t.at[CENTRE];
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        p.at[k] = (s.at[k] - step->omega * t.at[k]) + step->beta * (p.at[k] - step->omega * v_old.at[k]);
    }
    const neighbourhood_t scaled = precondition(&self->A, grid, &at, &p);
    const real_t v = apply_operator(&self->A, grid, &at, &scaled);
    const sum_t shadow = shadow_at((uint32)cell.index, step->seed);
    self->x[cell.index] = x;
    self->r[cell.index] = r;
    step->next_p[cell.index] = p.at[CENTRE];
    step->next_v[cell.index] = v;
    add_to_lane(run, SUM_SHADOW_V, lane, shadow * (sum_t)v);
    add_to_lane(run, SUM_SHADOW_R, lane, shadow * (sum_t)r);
    add_to_lane(run, SUM_SQUARES, lane, (sum_t)r * (sum_t)r);
    if (widen) {
        widen_lane(run, lane, fabs((double)r));
    }
}

FUNCTION void bicgstab_direction_phase(const bicgstab_t *self, uint32 place) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    GLOBAL const solve_state_t *solve = &run->state->solve;
    const uint32 now = solve->parity, then = now ^ 1u;
    const direction_t step = {copy_of(self->p, now),  copy_of(self->v, now),        copy_of(self->p, then),
                              copy_of(self->v, then), (real_t)solve->alpha,         (real_t)solve->beta,
                              (real_t)solve->omega,   mix_bits(solve->replacements)};
    const uint32 widen =
        grid->norm == NORM_MAX && place != BICGSTAB_START && is_check(grid, run->state->solve.iteration);
    NOTE_CHANGES_OF_LOOP(rank_bit(RANK_X) | rank_bit(RANK_OTHERS) | rank_copies(then), 1u); /* others: r */
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        clear_lanes(run, 0u, 3u);
        WITH_CONSTANT(widened, widen,
                      CALL_FOR_CELLS(chunk, grid, bicgstab_direction_cell(self, &step, widened, cell, lane)));
        store_partials(run, chunk, 3u);
    }
    if (widen) {
        contribute_slack(run);
    }
    if (finish_reduction(run, 3u)) {
        DECIDE(bicgstab_decide_direction(run, place));
    }
}

CELL_FUNCTION void bicgstab_stabilise_cell(const bicgstab_t *self, GLOBAL const real_t *new_v, real_t alpha,
                                           uint32 seed, cell_t cell, index_t lane) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const stencil_t at = stencil_of(grid, cell);
    const neighbourhood_t v = gather(new_v, grid, &at);
    neighbourhood_t s = gather(self->r, grid, &at);
    for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
        s.at[k] = s.at[k] - alpha * v.at[k];
    }
    const neighbourhood_t scaled = precondition(&self->A, grid, &at, &s);
    const real_t t = apply_operator(&self->A, grid, &at, &scaled);
    self->s[cell.index] = s.at[CENTRE];
    self->t[cell.index] = t;
    add_to_lane(run, SUM_T_S, lane, (sum_t)t * (sum_t)s.at[CENTRE]);
    add_to_lane(run, SUM_T_T, lane, (sum_t)t * (sum_t)t);
    add_to_lane(run, SUM_SHADOW_T, lane, shadow_at((uint32)cell.index, seed) * (sum_t)t);
}

FUNCTION void bicgstab_stabilise_phase(const bicgstab_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    GLOBAL const real_t *new_v = copy_of(self->v, run->state->solve.parity ^ 1u);
    const real_t alpha = (real_t)run->state->solve.alpha;
    const uint32 seed = mix_bits(run->state->solve.replacements);
    NOTE_CHANGES_OF_LOOP(rank_bit(RANK_S), 1u);
    FOR_EACH_CHUNK_CUT_FIRST (chunk, run) {
        clear_lanes(run, 0u, 3u);
        CALL_FOR_CELLS(chunk, grid, bicgstab_stabilise_cell(self, new_v, alpha, seed, cell, lane));
        store_partials(run, chunk, 3u);
    }
    if (finish_reduction(run, 3u)) {
        DECIDE(bicgstab_decide_stabilise(run));
    }
}

FUNCTION void bicgstab_phase(const bicgstab_t *self, uint32 place) {
    switch (place) {
        case BICGSTAB_RESIDUAL:
            bicgstab_residual_phase(self);
            break;
        case BICGSTAB_STABILISE:
            bicgstab_stabilise_phase(self);
            break;
        default:
            bicgstab_direction_phase(self, place);
            break;
    }
}

ROOMY_KERNEL(bicgstab, KERNEL_ARGUMENTS(BICGSTAB_FIELDS)) {
    LOCAL_MEMORY sum_t lanes[LANE_ROWS * LANES];
    LOCAL_MEMORY uint32 verdict;
    const bicgstab_t self = {RUN_VALUES(lanes), OPERATOR(parameters), BICGSTAB_OWN_FIELDS(FIELD_VALUE)};
    RUN_PHASES(self.run, bicgstab_phase(&self, place_of(&self.run, phase)));
}

#endif
