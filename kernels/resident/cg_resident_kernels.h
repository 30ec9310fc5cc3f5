/* The kernel of conjugate gradients on the chip: the run of cg_run.h around the iteration of cg_resident.h. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_RESIDENT_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_CG_RESIDENT_KERNELS_H

#include "kernels/resident/cg_resident.h"
#include "kernels/resident/cg_run.h"
#include "kernels/resident/resident_fields.h"

template <uint32 DIMENSIONS, bool UNIFORM, uint32 CELLS, bool KEEPS_W, bool FULL>
__global__ __launch_bounds__(RESIDENT_ITEMS_WITH(CELLS),
                             1) void cg_resident(KERNEL_ARGUMENTS(RESIDENT_CG_FIELDS)) {
    /* Items whose number is known find their values on the chip without arithmetic. Other plans are at fault. */
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
        common.halo = halo_of_group<DIMENSIONS>(plan, &parameters, common.box, words);
    }
    group_barrier();
    constexpr bool KEEPS = RESIDENT_KEEPS(KEEPS_W, CELLS, sizeof(real_t));
    resident_cg_t<DIMENSIONS, UNIFORM, CELLS, KEEPS, FULL> self = {};
    self.common = &common;
    self.grid = &parameters;
    self.A = SYMMETRIC_OPERATOR;
    self.column = column_of_item<DIMENSIONS, CELLS, FULL>(plan, &parameters, common.box);
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
    if (self.PATIENT) {
        begin_patience(common.sums);
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
