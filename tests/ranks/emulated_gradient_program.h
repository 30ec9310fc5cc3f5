/* Kernels that ranks share, and a lookup by name. Included once for each pair of real_t and cycle_t, in a namespace of its own. */
#include "kernels/cg_multigrid.h"
#include "kernels/implicit_cg.h"
#include "kernels/implicit_multigrid.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/resident/emulated_device.hpp"

static perdure::tests::KernelWithBuffers kernel_of(const std::string &name) {
    PERDURE_FIND_EMULATED(cg, cg)
    PERDURE_FIND_EMULATED(cg_multigrid, cg_multigrid)
    PERDURE_FIND_EMULATED(implicit_cg, implicit_cg)
    PERDURE_FIND_EMULATED(implicit_multigrid, implicit_multigrid)
    return nullptr;
}
