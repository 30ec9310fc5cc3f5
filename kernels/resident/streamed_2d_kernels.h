/* Explicit stepping in 2D through memory: what kernels/heat.h and kernels/jacobi.h do, in passes. */

template <typename Tiles>
FUNCTION void heat_streamed(const heat_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    stepping_t at = begin_stepping(run);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    Tiles tiles;
    tiles.begin(physics_of(self), &self->A, grid, self->u[at.current]);
    uint32 passed = meet(&barrier, &at);
    while (passed && at.n < at.end && run->state->stop == STOP_NONE) {
        const uint32 until = least(least(next_check(grid, at.n + 1u), at.end), grid->last_step + 1u);
        const uint32 active = tiles.steps(grid->factors ? 1u : until - at.n);
        const uint32 reached = at.n + active;
        const uint32 check = is_check(grid, reached) | (reached == grid->last_step + 1u ? 1u : 0u);
        watched_t watched = {0.0, NO_CELL};
        tiles.march(at.n, active, self->u[at.current], self->u[1u - at.current], check ? &watched : 0, 0);
        at.n = reached;
        at.current = 1u - at.current;
        if (check) {
            contribute_watched(run, watched);
            if (finish_reduction(run, 0u)) {
                DECIDE(heat_decide(self, reached));
            }
        }
        passed = meet(&barrier, &at);
    }
    end_stepping(run, &at);
}

template <typename Tiles>
FUNCTION void jacobi_streamed(const jacobi_t *self) {
    const run_t *run = &self->run;
    const run_parameters_t *grid = run->parameters;
    const jacobi_physics_t physics = physics_of(self);
    stepping_t at = begin_stepping(run);
    grid_barrier_t barrier = make_grid_barrier(grid->barrier, run->sync, run->verdict, grid->wait_limit);
    Tiles tiles;
    tiles.begin(physics_of(self), &self->A, grid, self->u[at.current]);
    uint32 passed = meet(&barrier, &at);
    while (passed && at.n < at.end && run->state->stop == STOP_NONE) {
        const uint32 check = is_check(grid, at.n);
        const uint32 active = check ? 1u : tiles.steps(least(next_check(grid, at.n), at.end) - at.n);
        residual_t residual;
        residual.begin(
            grid, grid->uniform ? physics.scale(physics.weight, table_place(0u, 0u, PLACE_Z)) : (real_t)0);
        tiles.march(at.n, active, self->u[at.current], self->u[1u - at.current], 0, check ? &residual : 0);
        if (check) {
            decide_on_residual(run, &residual, at.n);
        }
        passed = meet(&barrier, &at);
        if (run->state->stop == STOP_NONE) { /* otherwise the answer is u(n) */
            at.n += active;
            at.current = 1u - at.current;
        }
    }
    end_stepping(run, &at);
}

/* Of a group at most: fewer have room for the rows that each warp keeps on the chip where more of them vary. */
#define STREAMED_ITEMS (sizeof(real_t) == 8 ? 256 : 384)
#define STREAMED_KERNEL __global__ __launch_bounds__(STREAMED_ITEMS, 1)

STREAMED_KERNEL void heat_streamed_2d(PARAMETERS parameters, control_t *control, grid_sync_t *sync,
                                      run_state_t *state, sum_t *partials, double *history,
                                      const real_t *diagonal, const real_t *inverse_diagonal,
                                      const real_t *face_x, const real_t *face_y, const real_t *face_z,
                                      const real_t *b, real_t *u_even, real_t *u_odd,
                                      const real_t *factor_table) {
    LOCAL sum_t lanes[LANE_ROWS * LANES];
    LOCAL uint32 verdict;
    const heat_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},
                         {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},
                         {u_even, u_odd},
                         b,
                         factor_table};
    heat_streamed<strips_t<heat_physics_t>>(&self);
}

STREAMED_KERNEL void jacobi_streamed_2d(PARAMETERS parameters, control_t *control, grid_sync_t *sync,
                                        run_state_t *state, sum_t *partials, double *history,
                                        const real_t *diagonal, const real_t *inverse_diagonal,
                                        const real_t *face_x, const real_t *face_y, const real_t *face_z,
                                        const real_t *b, real_t *u_even, real_t *u_odd, const real_t *,
                                        const real_t *, const real_t *) {
    LOCAL sum_t lanes[LANE_ROWS * LANES];
    LOCAL uint32 verdict;
    const jacobi_t self = {{&parameters, control, sync, state, partials, history, lanes, &verdict},
                           {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},
                           {u_even, u_odd},
                           b};
    jacobi_streamed<strips_t<jacobi_physics_t>>(&self);
}
