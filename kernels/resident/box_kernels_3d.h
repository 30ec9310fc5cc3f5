/* Boxes of 32 x 8 x 8 and of 32 x 16 x 16 cells, in three kinds each. Each kind has a kernel of its own: one kernel for all three
 * would spill twice as many registers (tools/results/resident_log.md). In float64 a large box has fewer warps, whose items have
 * registers for more rows. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_KERNELS_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_KERNELS_3D_H

#include "kernels/resident/box_field_3d.h"
#include "kernels/resident/on_chip_kernel.h"

template <typename Physics, box_kind_t KIND>
struct boxes_t {
    template <typename Box>
    using field_of = box_field_t<Physics, Box::warps, Box::rows_of_lane, Box::planes_of_lane, KIND>;
    typedef field_of<small_box<real_t>> small_t;
    typedef field_of<large_box<real_t, KIND == VARIED>> large_t;
};

#endif
