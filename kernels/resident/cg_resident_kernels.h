/* The kernel of conjugate gradients on the chip: the run of cg_run.h around the iteration of cg_resident.h. */

RESIDENT_SOLVER __global__ __launch_bounds__(RESIDENT_ITEMS_WITH(CELLS), 1) void cg_resident(
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
    if (item_index() == 0u) {
        common.run = {&parameters, control, sync, state, partials, history, lanes, &verdict};
        common.box = box_of_group(plan, &parameters);
        common.halo = halo_of_group<DIMENSIONS>(plan, &parameters, common.box, words);
        common.sums = {rows, of_warps, halves, sync, parameters.wait_limit};
        common.barrier = make_grid_barrier(BARRIER_GROUP_LEADER, sync, &verdict, parameters.wait_limit);
    }
    group_barrier();
    resident_cg_t<DIMENSIONS, UNIFORM, CELLS> self = {};
    self.common = &common;
    self.grid = &parameters;
    self.A = {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z};
    self.column = column_of_item<DIMENSIONS, CELLS>(plan, &parameters, common.box);
    self.b = b;
    self.x = x;
    self.plan = plan;
    /* shared memory: tile, r of ghosts, rim, x */
    self.tile = (real_t *)chip;
    self.ghosts_r = self.tile + plan->tile;
    self.rim = self.ghosts_r + plan->ghosts;
    self.x_chip = self.rim + first_ghost<DIMENSIONS>(plan, 2u * (DIMENSIONS - 1u)) + item_index();
    for (uint32 place = item_index(); UNIFORM && place < 64u; place += group_size()) {
        common.diagonals[place] = {diagonal[place], inverse_diagonal[place]};
    }
    self.begin_x();
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
