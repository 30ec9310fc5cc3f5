/* The kernels of conjugate gradients, and each by its name; included once for each real_t, in a namespace of its own. */
#include "kernels/resident/cg_resident_kernels.h"
#include "kernels/resident/cg_streamed_kernels.h"
#include "kernels/resident/list.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_device.hpp"

static perdure::tests::KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_CG_RESIDENT_KERNELS(PERDURE_FIND_EMULATED)
    PERDURE_CG_STREAMED_KERNELS(PERDURE_FIND_EMULATED)
    return nullptr;
}
