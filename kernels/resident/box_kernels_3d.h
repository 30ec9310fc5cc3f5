/* Boxes of 32 x 8 x 8 and of 32 x 16 x 16 cells, in three kinds each. Each kind has a kernel of its own: one kernel for all three
 * would spill twice as many registers (tools/results/resident_log.md). In float64 a large box has fewer warps, whose items have
 * registers for more rows. */
#ifndef PERDURE_KERNELS_RESIDENT_BOX_KERNELS_3D_H
#define PERDURE_KERNELS_RESIDENT_BOX_KERNELS_3D_H

#include "kernels/resident/box_field_3d.h"
#include "kernels/resident/on_chip_kernel.h"

template <typename Physics, box_kind_t KIND>
struct boxes_t {
    static constexpr int warps = sizeof(real_t) == 8 && KIND != VARIED ? 4 : 8;
    typedef box_field_t<Physics, 8, 2, 1, KIND> small_t;
    typedef box_field_t<Physics, warps, 4, 16 / warps, KIND> large_t;
};

#endif
