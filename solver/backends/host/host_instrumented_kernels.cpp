#define PERDURE_PART_TIMES
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host {
// A namespace of their own: the plain forms have the same names and signatures.
namespace instrumented {
#define PERDURE_PROGRAM "kernels/programs.h"
#include "solver/backends/both_precisions.hpp"
}  // namespace instrumented

HostKernel find_instrumented_kernel(const std::string &name, Precision precision) {
    const bool single = precision == Precision::float32;
#define PERDURE_ENTRY(kernel)                                            \
    if (name == #kernel) {                                               \
        return single ? &with_buffers<&(instrumented::float32::kernel)>  \
                      : &with_buffers<&(instrumented::float64::kernel)>; \
    }
    PERDURE_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return nullptr;
}

}  // namespace perdure::host
