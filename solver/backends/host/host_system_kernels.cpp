// Kernels of systems of equations, once per real type: host threads interpret the formulas of a case, whatever its dimensions, so that
// forms for each would take time to compile and save none. PERDURE_HOST_FORM as in host_typed_kernels.cpp.
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host::PERDURE_HOST_FORM {

namespace of_systems {
#define PERDURE_PROGRAM "kernels/system_kernels.h"
#include "solver/backends/both_precisions.inc"
}  // namespace of_systems

HostKernel find_system_kernel(const std::string &name, Precision precision) {
#define PERDURE_ENTRY(kernel)                                                                 \
    if (name == #kernel) {                                                                    \
        return precision == Precision::float32 ? &with_buffers<&of_systems::float32::kernel>  \
                                               : &with_buffers<&of_systems::float64::kernel>; \
    }
    PERDURE_KERNELS_OF_CASES(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return nullptr;
}

}  // namespace perdure::host::PERDURE_HOST_FORM
