/* The kernels of relays, and each by its name; included once for each real_t, in a namespace of its own. */
#include "kernels/resident/list.h"
#include "kernels/resident/relay_kernels_2d.h"
#include "kernels/resident/relay_kernels_3d.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_device.hpp"

static perdure::tests::KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_RELAY_2D_KERNELS(PERDURE_FIND_EMULATED)
    PERDURE_RELAY_3D_KERNELS(PERDURE_FIND_EMULATED)
    return nullptr;
}
