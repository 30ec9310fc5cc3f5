/* The kernel of streamed conjugate gradients: runs the driver of cg_run.h with the passes of cg_streamed.h. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_STREAMED_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_CG_STREAMED_KERNELS_H

#include "kernels/resident/cg_plane_sweep.h"
#include "kernels/resident/cg_run.h"
#include "kernels/resident/cg_streamed.h"
#include "kernels/resident/resident_fields.h"

STREAMED __global__ __launch_bounds__(ITEMS, 1) void cg_streamed(KERNEL_ARGUMENTS(STREAMED_CG_FIELDS)) {
    SHARED_BYTES(chip);
    __shared__ sum_t lanes[2u * LANES + 1u];
    __shared__ uint32 verdict;
    __shared__ cg_group_t common;
    if (item_index() == 0u) {
        begin_group(common, RUN_VALUES(lanes), rows);
    }
    for (uint32 place = item_index(); UNIFORM && place < 64u; place += group_size()) {
        common.diagonals[place] = {diagonal[place], inverse_diagonal[place]};
    }
    group_barrier();
    streamed_cg_t<DIMENSIONS, UNIFORM, WIDTH, HEIGHT, ITEMS> self = {};
    self.common = &common;
    self.grid = &parameters;
    self.A = SYMMETRIC_OPERATOR;
    self.tiles = {plan, &parameters};
    self.b = b;
    self.x = x;
    self.r = r_even;
    self.r_next = r_odd;
    self.p = p_even;
    self.p_next = p_odd;
    self.chip = (real_t *)chip;
    if (UNIFORM) {
        stencil_t any = {};
        self.conductances = conductances_at(&self.A, &parameters, &any);
        for (uint32 face = WEST; face < STENCIL_POINTS;
             face += 2u) { /* without a velocity both faces have the same conductance: one register */
            self.conductances.face[face + 1u] = self.conductances.face[face];
        }
    }
    forget_sums(common.sums);
    run_resident(self);
    if (group_index() == 0u && item_index() == 0u) {
        state->control.phases += self.phase + 1u;
    }
}

#endif
