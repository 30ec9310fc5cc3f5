#include <array>

#include "kernels/bicgstab_fields.h"
#include "solver/methods/method.hpp"

namespace perdure {
namespace {

constexpr std::array bicgstab_fields{BICGSTAB_FIELDS(KERNEL_FIELD)};

ValuesMoved moved_by_bicgstab(const ProblemTraits &traits) {
    const int coefficients = traits.operator_with_inverse();
    return {13 + 2 * coefficients, 8 + coefficients};  // x, r, s, t, p, v (two copies each), in two phases
}

}  // namespace

const Method bicgstab_method{
    .name = "bicgstab",
    .kernel = "bicgstab",
    .fields = bicgstab_fields,
    .phases_per_iteration = 2,
    .may_be_unpreconditioned = true,
    .values_moved = moved_by_bicgstab,
};

}  // namespace perdure
