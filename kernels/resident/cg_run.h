/* The run of kernels/resident/cg_resident.h, from the first residual to the reason to stop. */

/* x to memory, its true residual, and what group 0 decides on it; 0 when the run is over. */
RESIDENT_SOLVER FUNCTION uint32 begin_again(resident_cg_t<DIMENSIONS, UNIFORM, COLUMN> &self,
                                            uint32 iteration) {
    run_state_t *state = self.common->run.state;
    if (!self.X_ON_CHIP && self.owed != (real_t)0) {
        self.pay_x((real_t)0);
    }
    for (uint32 k = 0; self.X_ON_CHIP && k < self.column.count; ++k) {
        self.x[self.cell(k)] = self.x_here(k);
    }
    if (!self.synchronise()) {
        return 0u;
    }
    self.forget_addresses();
    ++self.call;
    publish_sums(self.common->sums, self.residual(), ALWAYS_SUMS, 1u, self.call);
    if (group_index() == 0u) {
        const uint32 passed = take_sums(self.common->sums, 2u, 1u, self.call, self.phase);
        if (!group_verdict(self.common->barrier.verdict, passed)) {
            return 0u;
        }
        if (item_index() == 0u) {
            self.common->run.lanes[0] = taken_sum(self.common->sums, 0u);
            self.common->run.lanes[LANES] = taken_sum(self.common->sums, 1u);
            state->iteration = iteration;
            decide_true_residual(&self.common->run);
        }
    }
    return self.synchronise() && state->stop == STOP_NONE ? 1u : 0u;
}

/* Of an iteration: whether it is a check, and the last one was. */
FUNCTION uint32 sums_of_iteration(uint32 check, uint32 check_before) {
    return check || check_before ? RESIDENT_SUMS : ALWAYS_SUMS;
}

RESIDENT_SOLVER FUNCTION void run_resident(resident_cg_t<DIMENSIONS, UNIFORM, COLUMN> &self) {
    const run_parameters_t *parameters = self.grid;
    uint32 iteration = 0, since_start = 0, check = 0, check_before = 0, start = 1;
    for (;;) {
        uint32 verdict = 0u;
        if (start) {
            if (!begin_again(self, iteration)) {
                return;
            }
            check = check_before = since_start = start = 0u;
            self.start();
        } else {
            typename resident_box_t<DIMENSIONS, UNIFORM>::ahead_t ahead = {};
            if (self.KEEPS_W) {
                self.look_at_halo(self.call, 0u, &ahead);
            }
            const uint32 passed = take_sums(self.common->sums, sums_of_iteration(check, check_before), check,
                                            self.call, ++self.phase);
            if (!group_verdict(self.common->barrier.verdict, passed)) {
                return;
            }
            const direction_t direction = self.find_direction(check_before);
            if (check && group_index() == 0u && item_index() == 0u) {
                self.common->run.state->iteration = iteration;
                verdict =
                    wants_true_residual(&self.common->run, iteration, taken_sum(self.common->sums, SUM_R_R));
            }
            if (direction.then == CURVATURE_LOST && since_start == 0u) {
                if (group_index() == 0u && item_index() == 0u) {
                    self.common->run.state->stop = STOP_BREAKDOWN;
                }
                return;
            }
            if (direction.then != GO_ON || iteration == parameters->max_iterations) {
                start = 1u;
                continue;
            }
            ++iteration;
            ++since_start;
            check_before = check;
            check = is_check(parameters, iteration);
            self.advance(direction.alpha, direction.beta, ahead);
        }
        group_barrier();
        self.forget_addresses();
        ++self.call;
        self.send_halo(self.call);
        sums_t sums = self.multiply(check);
        sums.of[SUM_VERDICT] = (double)verdict;
        publish_sums(self.common->sums, sums, sums_of_iteration(check, check_before), check, self.call);
    }
}

RESIDENT_SOLVER __global__ __launch_bounds__(RESIDENT_ITEMS, 1) void cg_resident(
    PARAMETERS parameters, control_t *control, grid_sync_t *sync, run_state_t *state, sum_t *partials,
    double *history, const real_t *__restrict__ diagonal, const real_t *__restrict__ inverse_diagonal,
    const real_t *__restrict__ face_x, const real_t *__restrict__ face_y, const real_t *__restrict__ face_z,
    const real_t *__restrict__ b, real_t *x, real_t *, real_t *, real_t *, real_t *, const cg_plan_t *plan,
    epoch_word_t *rows, word_t *words) {
    SHARED_BYTES(chip);
    __shared__ sum_t lanes[2u * LANES + 1u];
    __shared__ double of_warps[RESIDENT_SUMS * RESIDENT_ITEMS / 32u];
    __shared__ double halves[2u * RESIDENT_SUMS];
    __shared__ uint32 verdict;
    __shared__ common_t common;
    const uint32 mine = group_index() * plan->ghosts, all = group_count() * plan->ghosts;
    real_t *inverses = (real_t *)(words + 2u * all);
    if (item_index() == 0u) {
        common.run = {&parameters, control, sync, state, partials, history, lanes, &verdict};
        common.box = box_of_group(plan, &parameters);
        common.halo = {
            words, inverses + mine, inverses + all + mine, (uint32 *)(inverses + 2u * all) + mine, mine,
            all,   plan->ghosts};
        common.sums = {rows, of_warps, halves, sync, parameters.wait_limit};
        common.barrier = make_grid_barrier(BARRIER_GROUP_LEADER, sync, &verdict, parameters.wait_limit);
    }
    group_barrier();
    resident_cg_t<DIMENSIONS, UNIFORM, COLUMN> self = {};
    self.common = &common;
    self.grid = &parameters;
    self.A = {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z};
    self.column = column_of_item<DIMENSIONS>(plan, &parameters, common.box);
    self.b = b;
    self.x = x;
    self.plan = plan;
    /* shared memory: ghosts, tile, x */
    self.ghosts = (ghost_t *)chip;
    self.tile = (real_t *)(chip + (plan->ghosts * sizeof(ghost_t) + 15u) / 16u * 16u);
    self.x_chip = self.tile + plan->tile + item_index();
    for (uint32 g = item_index(); g < plan->ghosts; g += group_size()) {
        self.ghosts[g] = ghost_at<DIMENSIONS>(plan, &parameters, common.box, g);
    }
    for (uint32 side = item_index(); side < 2u * DIMENSIONS; side += group_size()) {
        common.doors[side] = door_of_side(plan, &parameters, common.box, side);
    }
    for (uint32 place = item_index(); UNIFORM && place < 64u; place += group_size()) {
        common.diagonals[place] = {diagonal[place], inverse_diagonal[place]};
    }
    for (uint32 k = 0; self.X_ON_CHIP && k < self.column.count; ++k) {
        self.x_here(k) = x[self.cell(k)];
    }
    forget_sums(common.sums);
    if (UNIFORM) {
        stencil_t any = {};
        self.conductances = conductances_at(&self.A, &parameters, &any);
    }
    group_barrier();
    self.begin_halo();
    run_resident(self);
    if (group_index() == 0u && item_index() == 0u) {
        state->phases += self.phase + 1u;
    }
}
