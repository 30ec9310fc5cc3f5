/* The run of kernels/resident/cg_resident.h, from the first residual to the reason to stop. */

/* x to global memory, its true residual, and what group 0 decides on it; 0 when the run is over. */
RESIDENT_SOLVER FUNCTION uint32 begin_again(resident_cg_t<DIMENSIONS, UNIFORM, COLUMN> &self,
                                            uint32 iteration) {
    run_state_t *state = self.run.state;
    for (uint32 k = 0; self.x_on_chip && k < self.column.count; ++k) {
        self.x[self.cell(k)] = self.x_column[k * self.x_step];
    }
    if (!self.synchronise()) {
        return 0u;
    }
    self.forget_addresses();
    ++self.call;
    if (!self.synchronise(self.residual())) {
        return 0u;
    }
    if (group_index() == 0u && item_index() < 32u) {
        const sums_t sums = take_sums(self.rows, self.call);
        if (item_index() == 0u) {
            self.run.lanes[0] = sums.of[0];
            self.run.lanes[LANES] = sums.of[1];
            state->iteration = iteration;
            decide_true_residual(&self.run);
        }
    }
    return self.synchronise() && state->stop == STOP_NONE ? 1u : 0u;
}

/* First warp: the direction from the sums of the last iteration and, at a check, the verdict of group 0. */
RESIDENT_SOLVER FUNCTION uint32 decide(resident_cg_t<DIMENSIONS, UNIFORM, COLUMN> &self, uint32 iteration,
                                       uint32 check) {
    const sums_t sums = take_sums(self.rows, self.call);
    if (item_index() != 0u) {
        return 0u;
    }
    self.find_direction(sums);
    if (!check || group_index() != 0u) {
        return 0u;
    }
    self.run.state->iteration = iteration;
    return wants_true_residual(&self.run, iteration, sums.of[SUM_R_R]);
}

RESIDENT_SOLVER FUNCTION void run_resident(resident_cg_t<DIMENSIONS, UNIFORM, COLUMN> &self) {
    const run_parameters_t *parameters = self.run.parameters;
    uint32 iteration = 0, since_start = 0, check = 0, verdict = 0, start = 1;
    for (;;) {
        if (start && !begin_again(self, iteration)) {
            return;
        }
        const ghosts_ahead_t ahead = self.load_ghosts(0u);
        direction_t direction = {(real_t)0, (real_t)0, GO_ON};
        verdict = 0u;
        if (!start) {
            if (item_index() < 32u) {
                verdict = decide(self, iteration, check);
            }
            group_barrier();
            direction = *self.direction;
            if (direction.then == CURVATURE_LOST && since_start == 0u) {
                if (group_index() == 0u && item_index() == 0u) {
                    self.run.state->stop = STOP_BREAKDOWN;
                }
                return;
            }
            if (direction.then != GO_ON || iteration == parameters->max_iterations) {
                since_start = 0u;
                check = 0u;
                start = 1u;
                continue;
            }
            ++iteration;
            ++since_start;
            check = is_check(parameters, iteration);
        }
        start = 0u;
        self.forget_addresses();
        self.advance_x(direction.alpha);
        self.advance_column(direction.alpha, direction.beta);
        self.advance_ghosts(ahead, direction.alpha, direction.beta);
        group_barrier();
        self.forget_addresses();
        ++self.call;
        if (!self.synchronise(self.multiply(check, verdict))) {
            return;
        }
    }
}

RESIDENT_SOLVER __global__ __launch_bounds__(RESIDENT_ITEMS, 1) void cg_resident(
    PARAMETERS parameters, control_t *control, grid_sync_t *sync, run_state_t *state, sum_t *partials,
    double *history, const real_t *__restrict__ diagonal, const real_t *__restrict__ inverse_diagonal,
    const real_t *__restrict__ face_x, const real_t *__restrict__ face_y, const real_t *__restrict__ face_z,
    const real_t *__restrict__ b, real_t *x, real_t *r_0, real_t *r_1, real_t *w_0, real_t *w_1,
    const cg_plan_t *plan, double *rows) {
    SHARED_BYTES(chip);
    __shared__ sum_t lanes[2u * LANES + 1u];
    __shared__ double warp_sums[ROW_SUMS * RESIDENT_ITEMS / 32u];
    __shared__ direction_t direction;
    __shared__ uint32 verdict;
    resident_cg_t<DIMENSIONS, UNIFORM, COLUMN> self = {};
    const run_t run = {&parameters, control, sync, state, partials, history, lanes, &verdict};
    self.run = run;
    self.A = {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z};
    self.box = box_of_group(plan, &parameters);
    self.column = column_of_item<DIMENSIONS>(plan, &parameters, self.box);
    self.b = b;
    self.x = x;
    self.sent_r[0] = r_0;
    self.sent_r[1] = r_1;
    self.sent_w[0] = w_0;
    self.sent_w[1] = w_1;
    self.rows = rows;
    self.warp_sums = warp_sums;
    self.direction = &direction;
    self.barrier = make_grid_barrier(BARRIER_GROUP_LEADER, sync, &verdict, parameters.wait_limit);
    /* shared memory: ghosts, tile, x */
    ghost_t *ghosts = (ghost_t *)chip;
    self.ghosts = ghosts;
    self.ghost_count = count_ghosts<DIMENSIONS>(self.box);
    self.tile = (real_t *)(chip + plan->ghosts * sizeof(ghost_t));
    self.x_on_chip = plan->x_on_chip;
    self.x_column = self.x_on_chip ? self.tile + plan->tile + item_index() : x + self.column.cell;
    self.x_step = self.x_on_chip ? group_size() : self.column.step;
    for (uint32 g = item_index(); g < self.ghost_count; g += group_size()) {
        ghosts[g] = ghost_at<DIMENSIONS>(self.box, &parameters, g);
    }
    for (uint32 k = 0; self.x_on_chip && k < self.column.count; ++k) {
        self.x_column[k * self.x_step] = x[self.cell(k)];
    }
    if (UNIFORM) {
        stencil_t any = {};
        self.conductances = conductances_at(&self.A, &parameters, &any);
        self.middle = diagonal[self.column.place];
        self.inverse_middle = inverse_diagonal[self.column.place];
    }
    group_barrier();
    run_resident(self);
    if (group_index() == 0u && item_index() == 0u) {
        state->phases += self.phase + 1u;
    }
}
