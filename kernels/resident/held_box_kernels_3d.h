/* Boxes of 32 x 8 x 8 and of 32 x 16 x 16 cells, in three kinds each. Kernels of their own: in one kernel the three take twice
 * the spills (kernels/resident/README.md). With float64 the fewer warps of a large box have registers for more rows. */
#ifndef PERDURE_KERNELS_RESIDENT_HELD_BOX_KERNELS_3D_H
#define PERDURE_KERNELS_RESIDENT_HELD_BOX_KERNELS_3D_H

#include "kernels/resident/held_box_field_3d.h"
#include "kernels/resident/held_on_chip_kernels.h"

template <typename Physics, box_kind_t KIND>
struct boxes_t {
    static constexpr int warps = sizeof(real_t) == 8 && KIND != VARIED ? 4 : 8;
    typedef box_field_t<Physics, 8, 2, 1, KIND> small_t;
    typedef box_field_t<Physics, warps, 4, 16 / warps, KIND> large_t;
};

#endif
