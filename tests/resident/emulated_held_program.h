/* The kernels of fields that are held, and each by its name; included once for each real_t, in a namespace of its own. */
#include "kernels/resident/held_2d_kernels.h"
#include "kernels/resident/held_box_kernels_3d.h"
#include "kernels/resident/held_wide_2d_kernels.h"
#include "kernels/resident/list.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_device.hpp"

static perdure::tests::KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_HELD_2D_KERNELS(PERDURE_FIND_EMULATED)
    PERDURE_HELD_WIDE_2D_KERNELS(PERDURE_FIND_EMULATED)
    PERDURE_HELD_BOX_3D_KERNELS(PERDURE_FIND_EMULATED)
    return nullptr;
}
