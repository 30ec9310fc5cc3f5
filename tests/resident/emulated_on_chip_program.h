/* The kernels of on-chip fields, and a lookup by name. Included once for each real_t, in a namespace of its own. */
#include "kernels/resident/box_kernels_3d.h"
#include "kernels/resident/list.h"
#include "kernels/resident/on_chip_kernels_2d.h"
#include "kernels/resident/wide_kernels_2d.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_device.hpp"

static perdure::tests::KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_ON_CHIP_2D_KERNELS(PERDURE_FIND_EMULATED)
    PERDURE_WIDE_2D_KERNELS(PERDURE_FIND_EMULATED)
    PERDURE_BOX_3D_KERNELS(PERDURE_FIND_EMULATED)
    return nullptr;
}
