#include "solver/backends/host/host_kernels.hpp"

#include "kernels/common.h"
#include "kernels/list.h"
#include "kernels/untyped_programs.h"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host {
#define PERDURE_CALLABLE(kernel) (&with_buffers<&(kernel)>)
#include "solver/backends/all_forms.hpp"

HostKernel find_kernel(const std::string &name, Precision precision, KernelForm form) {
    const HostKernel kernel = find_form(name, precision, form);
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

}  // namespace perdure::host
