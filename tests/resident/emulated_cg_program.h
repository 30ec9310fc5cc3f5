/* The kernels of conjugate gradients, and a lookup by name. Included once for each real_t, in a namespace of its own. */
#include "kernels/resident/cg_on_chip_kernels.h"
#include "kernels/resident/cg_streamed_kernels.h"
#include "kernels/resident/list.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_device.hpp"

static perdure::tests::KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_CG_ON_CHIP_KERNELS(PERDURE_FIND_EMULATED)
    PERDURE_CG_STREAMED_KERNELS(PERDURE_FIND_EMULATED)
    return nullptr;
}
