// Kernels that take coefficients by labels, which are for GPUs: host threads have them for tests, in one form for any processor.
#define PERDURE_SYSTEMS_APART
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host {

#pragma push_macro("UNIFORM")
#undef UNIFORM
#define UNIFORM(grid) ((void)(grid), 0u)
#define NO_TRANSFORMS
#define BY_LABELS
namespace labels {
#define PERDURE_PROGRAM "kernels/cg_multigrid.h"
#include "solver/backends/both_precisions.inc"
#include "solver/backends/mixed_precision.inc"
}  // namespace labels
#undef BY_LABELS
#undef NO_TRANSFORMS
#pragma pop_macro("UNIFORM")

HostKernel find_label_kernel(const std::string &name, Precision precision) {
#define PERDURE_ENTRY(kernel)                                                               \
    if (name == #kernel) {                                                                  \
        return precision == Precision::mixed     ? &with_buffers<&labels::mixed::kernel>    \
               : precision == Precision::float32 ? &with_buffers<&labels::float32::kernel>  \
                                                 : &with_buffers<&labels::float64::kernel>; \
    }
    PERDURE_LABEL_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return nullptr;
}

}  // namespace perdure::host
