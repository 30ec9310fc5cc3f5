#define PERDURE_PART_TIMES
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host::PERDURE_HOST_FORM {
// A namespace of their own: the other kernels have the same names and signatures.
namespace instrumented {
#define PERDURE_CALLABLE(kernel) (&with_buffers<&(kernel)>)
#include "solver/backends/all_forms.inc"
}  // namespace instrumented

HostKernel find_instrumented_kernel(const std::string &name, Precision precision, KernelForm form) {
    return instrumented::find_form(name, precision, form);
}

}  // namespace perdure::host::PERDURE_HOST_FORM
