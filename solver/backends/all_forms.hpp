// Includes the kernels once for each real_t: those of kernels/list.h for any problem, and in namespaces of their own those
// that are also compiled for uniform problems of 2 and of 3 dimensions, with both known to the compiler. Defines
// find_form(); PERDURE_CALLABLE(kernel) is what that returns.
#define NO_TRANSFORMS  // what they solve is uniform
#define PERDURE_PROGRAM "kernels/programs.h"
#include "solver/backends/both_precisions.hpp"
#include "solver/backends/mixed_precision.hpp"
#undef NO_TRANSFORMS

#pragma push_macro("UNIFORM")
#pragma push_macro("DIMENSIONS")
#undef UNIFORM
#undef DIMENSIONS
#define UNIFORM(grid) ((void)(grid), 1u)

namespace uniform_2d {
#define DIMENSIONS(grid) ((void)(grid), 2u)
#define PERDURE_PROGRAM "kernels/uniform_programs.h"
#include "solver/backends/both_precisions.hpp"
#include "solver/backends/mixed_precision.hpp"
#undef DIMENSIONS
}  // namespace uniform_2d

namespace uniform_3d {
#define DIMENSIONS(grid) ((void)(grid), 3u)
#define PERDURE_PROGRAM "kernels/uniform_programs.h"
#include "solver/backends/both_precisions.hpp"
#include "solver/backends/mixed_precision.hpp"
#undef DIMENSIONS
}  // namespace uniform_3d

#undef UNIFORM
#pragma pop_macro("DIMENSIONS")
#pragma pop_macro("UNIFORM")

/// PERDURE_CALLABLE of the kernel of that name: in that form, or for any problem where there is no other; null when there is
/// none of that name.
static auto find_form(const std::string &name, Precision precision, KernelForm form)
    -> std::decay_t<decltype(PERDURE_CALLABLE(float64::jacobi))> {
    const bool single = precision == Precision::float32;
#define PERDURE_MIXED_ENTRY(kernel)                                                           \
    if (name == #kernel) {                                                                    \
        return form == KernelForm::uniform_2d   ? PERDURE_CALLABLE(uniform_2d::mixed::kernel) \
               : form == KernelForm::uniform_3d ? PERDURE_CALLABLE(uniform_3d::mixed::kernel) \
                                                : PERDURE_CALLABLE(mixed::kernel);            \
    }
    if (precision == Precision::mixed) {
        PERDURE_MIXED_KERNELS(PERDURE_MIXED_ENTRY)
        return nullptr;
    }
#undef PERDURE_MIXED_ENTRY
#define PERDURE_ENTRY(space, kernel) \
    (single ? PERDURE_CALLABLE(space float32::kernel) : PERDURE_CALLABLE(space float64::kernel))
#define PERDURE_UNIFORM_ENTRY(kernel)                                                \
    if (form != KernelForm::any && name == #kernel) {                                \
        return form == KernelForm::uniform_2d ? PERDURE_ENTRY(uniform_2d::, kernel)  \
                                              : PERDURE_ENTRY(uniform_3d::, kernel); \
    }
#define PERDURE_ANY_ENTRY(kernel)       \
    if (name == #kernel) {              \
        return PERDURE_ENTRY(, kernel); \
    }
    PERDURE_UNIFORM_KERNELS(PERDURE_UNIFORM_ENTRY)
    PERDURE_KERNELS(PERDURE_ANY_ENTRY)
    PERDURE_BESIDE_KERNELS(PERDURE_ANY_ENTRY)
#undef PERDURE_ANY_ENTRY
#undef PERDURE_UNIFORM_ENTRY
#undef PERDURE_ENTRY
    return nullptr;
}
