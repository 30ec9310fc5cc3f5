// Kernels that exist once per real type. Compiled once for any processor and, where the compiler can, once for those that have
// an instruction for FUSED (PERDURE_HOST_FORM).
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host::PERDURE_HOST_FORM {
#define PERDURE_CALLABLE(kernel) (&with_buffers<&(kernel)>)
#include "solver/backends/all_forms.inc"

HostKernel find_typed_kernel(const std::string &name, Precision precision, KernelForm form) {
    return find_form(name, precision, form);
}

}  // namespace perdure::host::PERDURE_HOST_FORM
