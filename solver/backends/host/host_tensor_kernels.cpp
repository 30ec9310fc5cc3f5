// Kernels for full conductivity tensors (kernels/cross_terms.h), compiled as those of host_typed_kernels.cpp are.
#define PERDURE_SYSTEMS_APART
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host::PERDURE_HOST_FORM {

#pragma push_macro("UNIFORM")
#pragma push_macro("DIMENSIONS")
#undef UNIFORM
#undef DIMENSIONS
#define UNIFORM(grid) ((void)(grid), 0u)
#define NO_TRANSFORMS
#define BY_TENSORS

namespace tensors_2d {
#define DIMENSIONS(grid) ((void)(grid), 2u)
#define PERDURE_PROGRAM "kernels/cg_multigrid.h"
#include "solver/backends/both_precisions.inc"
#include "solver/backends/mixed_precision.inc"
#undef DIMENSIONS
}  // namespace tensors_2d

namespace tensors_3d {
#define DIMENSIONS(grid) ((void)(grid), 3u)
#define PERDURE_PROGRAM "kernels/cg_multigrid.h"
#include "solver/backends/both_precisions.inc"
#include "solver/backends/mixed_precision.inc"
#undef DIMENSIONS
}  // namespace tensors_3d

#undef BY_TENSORS
#undef NO_TRANSFORMS
#undef UNIFORM
#pragma pop_macro("DIMENSIONS")
#pragma pop_macro("UNIFORM")

HostKernel find_tensor_kernel(const std::string &name, Precision precision, KernelForm form) {
#define PERDURE_OF_DIMENSIONS(kernel) \
    (form == KernelForm::tensors_3d ? &with_buffers<&tensors_3d::kernel> : &with_buffers<&tensors_2d::kernel>)
#define PERDURE_ENTRY(kernel)                                                              \
    if (name == #kernel) {                                                                 \
        return precision == Precision::mixed     ? PERDURE_OF_DIMENSIONS(mixed::kernel)    \
               : precision == Precision::float32 ? PERDURE_OF_DIMENSIONS(float32::kernel)  \
                                                 : PERDURE_OF_DIMENSIONS(float64::kernel); \
    }
    PERDURE_LABEL_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#undef PERDURE_OF_DIMENSIONS
    return nullptr;
}

}  // namespace perdure::host::PERDURE_HOST_FORM
