/* The kernel of on-chip conjugate gradients: runs the driver of cg_run.h with the iteration of cg_on_chip.h. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_ON_CHIP_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_CG_ON_CHIP_KERNELS_H

#include "kernels/resident/cg_on_chip.h"
#include "kernels/resident/cg_run.h"
#include "kernels/resident/resident_fields.h"

template <uint32 DIMENSIONS, bool UNIFORM, uint32 CELLS, bool KEEPS_W, bool FULL>
__global__ __launch_bounds__(RESIDENT_ITEMS_WITH(CELLS),
                             1) void cg_on_chip(KERNEL_ARGUMENTS(ON_CHIP_CG_FIELDS)) {
    /* A group size known at compile time saves address arithmetic in shared memory. A plan with another size is a fault. */
    if (RESIDENT_ITEMS_WITH(CELLS) == RESIDENT_LEAST_ITEMS && group_size() != RESIDENT_LEAST_ITEMS) {
        __trap();
        __builtin_unreachable();
    }
    if (FULL && plan->full == 0u) {
        __trap();
    }
    SHARED_BYTES(chip);
    __shared__ sum_t lanes[2u * LANES + 1u];
    __shared__ uint32 verdict;
    __shared__ common_t common;
    if (item_index() == 0u) {
        begin_group(common, RUN_VALUES(lanes), rows);
        common.box = box_of_group(plan, &parameters);
        common.halo = halo_of_group<DIMENSIONS>(plan, &parameters, common.box, messages);
    }
    group_barrier();
    constexpr bool KEEPS = RESIDENT_KEEPS(KEEPS_W, CELLS, sizeof(real_t));
    on_chip_cg_t<DIMENSIONS, UNIFORM, CELLS, KEEPS, FULL> self = {};
    self.common = &common;
    self.grid = &parameters;
    self.A = SYMMETRIC_OPERATOR;
    self.column = column_of_item<DIMENSIONS, CELLS, FULL>(plan, &parameters, common.box);
    self.b = b;
    self.x = x;
    self.plan = plan;
    /* layout of shared memory: tile, r of ghosts, rim, x */
    self.tile = (real_t *)chip;
    self.ghosts_r = self.tile + plan->tile;
    self.rim = self.ghosts_r + plan->ghosts;
    self.x_chip = self.rim + first_ghost<DIMENSIONS>(plan, 2u * (DIMENSIONS - 1u)) + item_index();
    for (uint32 place = item_index(); UNIFORM && place < 64u; place += group_size()) {
        common.diagonals[place] = {diagonal[place], inverse_diagonal[place]};
    }
    self.begin_x();
    forget_sums(common.sums);
    if (self.BACKS_OFF) {
        begin_backoff(common.sums);
    }
    if (UNIFORM) {
        stencil_t any = {};
        self.conductances = conductances_at(&self.A, &parameters, &any);
    }
    group_barrier();
    self.begin_halo();
    run_resident(self);
    if (group_index() == 0u && item_index() == 0u) {
        state->control.phases += self.phase + 1u;
    }
}

#endif
