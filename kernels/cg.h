/* Preconditioned conjugate gradients with one synchronisation an iteration (Chronopoulos and Gear,
 * J. Comput. Appl. Math. 25, 1989, 153-168), M = diag(A) or the identity.
 *
 *   residual   r = b - A x                             ||r|| decides: this is the true residual
 *   start      v = M^-1 r,  w = A v
 *              gamma = (r, v),  delta = (w, v),  beta = 0,  alpha = gamma / delta
 *   iterate    s = w + beta s,   p = v + beta p        s = A p by recurrence
 *              x = x + alpha p,  r = r - alpha s
 *              v = M^-1 r,  w = A v
 *              gamma' = (r, v),  delta = (w, v),  rho = (r, r)
 *              beta = gamma' / gamma,  alpha = gamma' / (delta - beta gamma' / alpha)
 *
 * w = A v needs the neighbours' new r: each cell forms it from their old r, w, s, so the iteration has no
 * barrier between update and product; r, s, w have two copies. When rho says converged (or nothing improves,
 * or the run must end) the phase `residual` follows: it decides on b - A x, or replaces r by it and starts
 * again.
 *
 * Shapes: fields [cells]. Units: r as b.
 * Bytes per cell and iteration: read r, w, s, p, x, write the same five; variable coefficients also read
 *   diagonal, inverse diagonal and one conductance per axis: (10 or 15 in 3D) x sizeof(real_t).
 * Barriers per iteration: 1. Reductions per iteration: 1 (three sums at once). */

typedef struct {
    run_t run;
    operator_t A;
    GLOBAL const real_t *b;
    GLOBAL real_t *x;
    GLOBAL real_t *p;
    GLOBAL real_t *r[2];
    GLOBAL real_t *s[2];
    GLOBAL real_t *w[2];
} cg_t;

FUNCTION void cg_residual_phase(const cg_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    GLOBAL real_t *r = copy_of(self->r, run->state->parity);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 2u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t s = stencil_at(grid, cell);
            const neighbourhood_t x = gather(self->x, grid, &s);
            const real_t residual = self->b[cell] - apply_operator(&self->A, grid, &s, &x);
            const sum_t scale = row_size(&self->A, grid, &s) * (sum_t)x.at[CENTRE];
            r[cell] = residual;
            add_residual(run, lane, cell, (double)residual, scale);
        }
        store_partials(run, chunk, 2u);
    }
    if (finish_check(run, 2u)) {
        DECIDE(cg_decide_true(run));
    }
}

FUNCTION void cg_start_phase(const cg_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 now = run->state->parity;
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 2u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t s = stencil_at(grid, cell);
            const neighbourhood_t r = gather(copy_of(self->r, now), grid, &s);
            const neighbourhood_t v = precondition(&self->A, &s, &r);
            const real_t w = apply_operator(&self->A, grid, &s, &v);
            copy_of(self->w, now)[cell] = w;
            add_to_lane(run, SUM_GAMMA, lane, (sum_t)r.at[CENTRE] * (sum_t)v.at[CENTRE]);
            add_to_lane(run, SUM_DELTA, lane, (sum_t)w * (sum_t)v.at[CENTRE]);
        }
        store_partials(run, chunk, 2u);
    }
    if (finish_reduction(run, 2u)) {
        DECIDE(cg_decide_start(run));
    }
}

FUNCTION void cg_iterate_phase(const cg_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const uint32 now = run->state->parity, then = now ^ 1u;
    const real_t alpha = (real_t)run->state->alpha, beta = (real_t)run->state->beta;
    const uint32 widen = grid->norm == NORM_MAX && is_check(grid, run->state->iteration + 1u);
    clear_lanes(run, LANE_MAX, LANE_ROWS);
    FOR_EACH_CHUNK (chunk, grid) {
        clear_lanes(run, 0u, 3u);
        FOR_EACH_CELL (cell, lane, chunk, grid) {
            const stencil_t at = stencil_at(grid, cell);
            const neighbourhood_t w = gather(copy_of(self->w, now), grid, &at);
            neighbourhood_t s = gather(copy_of(self->s, now), grid, &at);
            neighbourhood_t r = gather(copy_of(self->r, now), grid, &at);
            const real_t v_old = self->A.inverse_diagonal[at.place[CENTRE]] * r.at[CENTRE];
            for (uint32 k = 0; k < STENCIL_POINTS; ++k) {
                s.at[k] = w.at[k] + beta * s.at[k];
                r.at[k] = r.at[k] - alpha * s.at[k];
            }
            const real_t p = v_old + beta * self->p[cell];
            const neighbourhood_t v = precondition(&self->A, &at, &r);
            const real_t w_new = apply_operator(&self->A, grid, &at, &v);
            self->p[cell] = p;
            self->x[cell] = self->x[cell] + alpha * p;
            copy_of(self->s, then)[cell] = s.at[CENTRE];
            copy_of(self->r, then)[cell] = r.at[CENTRE];
            copy_of(self->w, then)[cell] = w_new;
            add_to_lane(run, SUM_GAMMA, lane, (sum_t)r.at[CENTRE] * (sum_t)v.at[CENTRE]);
            add_to_lane(run, SUM_DELTA, lane, (sum_t)w_new * (sum_t)v.at[CENTRE]);
            add_to_lane(run, SUM_RHO, lane, (sum_t)r.at[CENTRE] * (sum_t)r.at[CENTRE]);
            if (widen) {
                widen_lane(run, lane, fabs((double)r.at[CENTRE]));
            }
        }
        store_partials(run, chunk, 3u);
    }
    if (widen) {
        contribute_slack(run);
    }
    if (finish_reduction(run, 3u)) {
        DECIDE(cg_decide_next(run));
    }
}

FUNCTION void cg_phase(const cg_t *self) {
    switch (self->run.state->next) {
        case CG_RESIDUAL:
            cg_residual_phase(self);
            break;
        case CG_START:
            cg_start_phase(self);
            break;
        default:
            cg_iterate_phase(self);
            break;
    }
}

ROOMY_KERNEL void cg(PARAMETERS parameters, GLOBAL control_t *control, GLOBAL grid_sync_t *sync,
                     GLOBAL run_state_t *state, GLOBAL sum_t *partials, GLOBAL double *history,
                     GLOBAL const real_t *diagonal, GLOBAL const real_t *inverse_diagonal,
                     GLOBAL const real_t *face_x, GLOBAL const real_t *face_y, GLOBAL const real_t *face_z,
                     GLOBAL const real_t *b, GLOBAL real_t *x, GLOBAL real_t *p, GLOBAL real_t *r_0,
                     GLOBAL real_t *r_1, GLOBAL real_t *s_0, GLOBAL real_t *s_1, GLOBAL real_t *w_0,
                     GLOBAL real_t *w_1) {
    LOCAL sum_t lanes[LANE_ROWS * LANES];
    LOCAL uint32 verdict;
    const cg_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},
                       {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},
                       b,
                       x,
                       p,
                       {r_0, r_1},
                       {s_0, s_1},
                       {w_0, w_1}};
    RUN_PHASES(self.run, cg_phase(&self));
}
