// Kernel texts compiled for host threads.
#pragma once

#include <string>

#include "kernels/parameters.h"
#include "solver/backends/kernel_variant.hpp"

/// Which form of the kernels a file is compiled to: plain or fusing, below.
#ifndef PERDURE_HOST_FORM
#define PERDURE_HOST_FORM plain
#endif

namespace perdure::host {

/// Calls a kernel as one group: group_context_t of the calling thread says which.
using HostKernel = void (*)(const run_parameters_t &parameters, void *const *buffers);

/// Null when there is no kernel of that name.
HostKernel find_kernel(const std::string &name, Precision precision, KernelForm form);
/// Whether that kernel tells where its time goes (kernels/part_times.h).
bool times_parts(const std::string &name, Precision precision, KernelForm form);
/// The same among those that take coefficients by labels.
HostKernel find_label_kernel(const std::string &name, Precision precision);
/// The same among kernels/experiments/list.h alone.
HostKernel find_experiment(const std::string &name);

/// Of the kernels that exist once per real type: for any processor, whose FUSED may be a function of the C library, and for those
/// with an instruction for it and vectors of 32 bytes. The bits are the same.
namespace plain {
HostKernel find_typed_kernel(const std::string &name, Precision precision, KernelForm form);
/// Of systems of equations, among which the above looks, too.
HostKernel find_system_kernel(const std::string &name, Precision precision);
/// Of full tensors, of a form that has them, among which it also looks.
HostKernel find_tensor_kernel(const std::string &name, Precision precision, KernelForm form);
}  // namespace plain
namespace fusing {
HostKernel find_typed_kernel(const std::string &name, Precision precision, KernelForm form);
HostKernel find_system_kernel(const std::string &name, Precision precision);
HostKernel find_tensor_kernel(const std::string &name, Precision precision, KernelForm form);
}  // namespace fusing

}  // namespace perdure::host
