#include <array>

#include "kernels/cg_fields.h"
#include "solver/methods/method.hpp"
#include "solver/resident/cg_plan.hpp"

namespace perdure {
namespace {

constexpr std::array cg_fields{RUN_KERNEL_FIELDS(CG_FIELDS)};

/// direction: read r, p, x, write p, x; update: read r, p, write r; with q: written, and read instead of p
ValuesMoved moved_by_cg(const ProblemTraits &traits) {
    const int with_q = traits.variable ? 1 : 0;
    const int coefficients = traits.operator_with_inverse();
    return {8 + 2 * with_q + coefficients, 4 + with_q + coefficients};
}

}  // namespace

const Method cg_method{
    .name = "cg",
    .title = "cg",
    .kernel = "cg",
    .fields = cg_fields,
    .solver = SolverMethod::cg,
    .reference = reference::solve_steady,
    .phases_per_iteration = 2,
    .may_be_unpreconditioned = true,
    .values_moved = moved_by_cg,
    .plan_resident = plan_resident_cg,
    .resident_has_bits_of_phases = false,
};

}  // namespace perdure
