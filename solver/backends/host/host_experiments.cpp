#include "kernels/experiments/list.h"
#include "kernels/experiments/program.h"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host {

HostKernel find_experiment(const std::string &name) {
#define PERDURE_ENTRY(kernel, file)        \
    if (name == #kernel) {                 \
        return &with_buffers<&(::kernel)>; \
    }
    PERDURE_EXPERIMENTS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    (void)name;
    return nullptr;
}

}  // namespace perdure::host
