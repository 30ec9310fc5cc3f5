#include "solver/backends/host/host_kernels.hpp"

#include "kernels/barrier_self_test.h"
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host {
#define PERDURE_CALLABLE(kernel) (&with_buffers<&(kernel)>)
#include "solver/backends/all_forms.hpp"

HostKernel find_kernel(const std::string &name, Precision precision, KernelForm form) {
    const HostKernel kernel = find_form(name, precision, form);
    if (kernel != nullptr) {
        return kernel;
    }
    return name == "barrier_self_test" ? &with_buffers<&barrier_self_test> : find_experiment(name);
}

}  // namespace perdure::host
