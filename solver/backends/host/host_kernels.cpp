#include "solver/backends/host/host_kernels.hpp"

#include "kernels/common.h"
#include "kernels/list.h"
#include "kernels/untyped_programs.h"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host {
#if defined(PERDURE_FUSING_KERNELS)
#define PERDURE_FIND(function) \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &fusing::function : &plain::function)
#else
#define PERDURE_FIND(function) (&plain::function)
#endif

HostKernel find_kernel(const std::string &name, Precision precision, KernelForm form) {
    const HostKernel kernel = PERDURE_FIND(find_typed_kernel)(name, precision, form);
    if (kernel != nullptr) {
        return kernel;
    }
#define PERDURE_ENTRY(kernel)              \
    if (name == #kernel) {                 \
        return &with_buffers<&(::kernel)>; \
    }
    PERDURE_UNTYPED_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return find_experiment(name);
}

bool times_parts(const std::string &name, Precision precision, KernelForm form) {
    return PERDURE_FIND(find_typed_kernel)(name, precision, form) != nullptr;
}

}  // namespace perdure::host
