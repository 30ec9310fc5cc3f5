// Kernels that exist once per real type, in the forms that follow. Compiled once for any processor and, where the compiler can, once
// for those that have an instruction for FUSED (PERDURE_HOST_FORM). With PERDURE_ONE_FORM kernels ask at run time what they solve,
// which takes a quarter of the time of compiling. Those of systems of equations: host_system_kernels.cpp; those that take coefficients
// by labels: host_label_kernels.cpp; those with full tensors: host_tensor_kernels.cpp.
#define PERDURE_SYSTEMS_APART
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host::PERDURE_HOST_FORM {

namespace any_problem {
#if defined(PERDURE_ONE_FORM)
#define PERDURE_PROGRAM "kernels/list.h"
#else
#define PERDURE_PROGRAM "kernels/implicit_multigrid.h"
#endif
#include "solver/backends/both_precisions.inc"
#include "solver/backends/mixed_precision.inc"
}  // namespace any_problem

#if defined(PERDURE_ONE_FORM)
namespace uniform_2d = any_problem;
namespace uniform_3d = any_problem;
namespace varied_2d = any_problem;
namespace varied_3d = any_problem;
#else

#pragma push_macro("UNIFORM")
#pragma push_macro("DIMENSIONS")
#undef UNIFORM
#undef DIMENSIONS

#define UNIFORM(grid) ((void)(grid), 1u)
namespace uniform_2d {
#define DIMENSIONS(grid) ((void)(grid), 2u)
#include "solver/backends/both_precisions.inc"
#include "solver/backends/mixed_precision.inc"
#undef DIMENSIONS
}  // namespace uniform_2d

namespace uniform_3d {
#define DIMENSIONS(grid) ((void)(grid), 3u)
#include "solver/backends/both_precisions.inc"
#include "solver/backends/mixed_precision.inc"
#undef DIMENSIONS
}  // namespace uniform_3d

#undef UNIFORM
#define UNIFORM(grid) ((void)(grid), 0u)
#define NO_TRANSFORMS  // what they solve is uniform
namespace varied_2d {
#define DIMENSIONS(grid) ((void)(grid), 2u)
#include "solver/backends/both_precisions.inc"
#include "solver/backends/mixed_precision.inc"
#undef DIMENSIONS
}  // namespace varied_2d

namespace varied_3d {
#define DIMENSIONS(grid) ((void)(grid), 3u)
#include "solver/backends/both_precisions.inc"
#include "solver/backends/mixed_precision.inc"
#undef DIMENSIONS
}  // namespace varied_3d
#undef NO_TRANSFORMS
#undef UNIFORM

#pragma pop_macro("DIMENSIONS")
#pragma pop_macro("UNIFORM")
#endif

namespace {

/// The form for the problem that the parameters are of. Levels below a varied one are varied; those below a uniform one may be.
template <auto uniform_2d, auto uniform_3d, auto varied_2d, auto varied_3d>
void in_its_form(const run_parameters_t &parameters, void *const *buffers) {
    if (parameters.uniform != 0) {
        parameters.dimensions == 3 ? with_buffers<uniform_3d>(parameters, buffers)
                                   : with_buffers<uniform_2d>(parameters, buffers);
    } else {
        parameters.dimensions == 3 ? with_buffers<varied_3d>(parameters, buffers)
                                   : with_buffers<varied_2d>(parameters, buffers);
    }
}

}  // namespace

HostKernel find_typed_kernel(const std::string &name, Precision precision, KernelForm form) {
    if (has_tensors(form)) {
        return find_tensor_kernel(name, precision, form);
    }
#define PERDURE_FORMS(kernel) \
    &in_its_form<&uniform_2d::kernel, &uniform_3d::kernel, &varied_2d::kernel, &varied_3d::kernel>
#define PERDURE_FORMS_OF_LEVELS(kernel) \
    (form != KernelForm::any            \
         ? PERDURE_FORMS(kernel)        \
         : &in_its_form<&any_problem::kernel, &any_problem::kernel, &varied_2d::kernel, &varied_3d::kernel>)
#define PERDURE_ENTRY_OF_LEVELS(kernel)                                                      \
    if (name == #kernel && !by_labels(form)) {                                               \
        return precision == Precision::mixed     ? PERDURE_FORMS_OF_LEVELS(mixed::kernel)    \
               : precision == Precision::float32 ? PERDURE_FORMS_OF_LEVELS(float32::kernel)  \
                                                 : PERDURE_FORMS_OF_LEVELS(float64::kernel); \
    }
    PERDURE_MIXED_KERNELS(PERDURE_ENTRY_OF_LEVELS)
#undef PERDURE_ENTRY_OF_LEVELS
    if (precision == Precision::mixed) {
        return nullptr;
    }
#define PERDURE_ENTRY(kernel)                                                    \
    if (name == #kernel) {                                                       \
        return precision == Precision::float32 ? PERDURE_FORMS(float32::kernel)  \
                                               : PERDURE_FORMS(float64::kernel); \
    }
    PERDURE_KERNELS(PERDURE_ENTRY)
    PERDURE_BESIDE_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#undef PERDURE_FORMS_OF_LEVELS
#undef PERDURE_FORMS
    return find_system_kernel(name, precision);
}

}  // namespace perdure::host::PERDURE_HOST_FORM
