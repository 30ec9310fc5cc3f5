#include <array>
#include <string>
#include <string_view>

#include "kernels/cg_multigrid_fields.h"
#include "solver/methods/method.hpp"

namespace perdure {
namespace {

constexpr std::array cg_multigrid_fields{RUN_KERNEL_FIELDS(CG_MULTIGRID_FIELDS)};
constexpr std::array cg_multigrid_label_fields{RUN_KERNEL_FIELDS(CG_MULTIGRID_LABEL_FIELDS)};
constexpr std::array cg_multigrid_tensor_fields{RUN_KERNEL_FIELDS(CG_MULTIGRID_TENSOR_FIELDS)};
constexpr std::array<std::string_view, 3> arguments_of_gradients{"r_odd", "q", "p"};

/// Values that transforms and products move where they solve level 0.
int moved_by_direct_solve(const ProblemTraits &traits) {
    return 2 * traits.direct_steps + (traits.from_zero ? 0 : 2);
}

/// The same where level 0 has its inverse diagonal, a byte and a table. Mixed: the finest inverse is there twice.
ValuesMoved moved_by_labels(const ProblemTraits &traits) {
    const bool solid = traits.dimensions == 3;
    if (traits.mixed) {
        return {solid ? 16 + 6 : 17 + 7, 9 + 3};
    }
    return {solid ? 22 + 11 : 25 + 13, 9 + 2};
}

/// Touched: r and p of this iteration and of the one before in three vectors; q, which is the second u of the cycle, too.
/// Level 0 of a V-cycle, 20 and the restricted field, and in 3D a seventh as many cells with 12 each. Mixed: half of what
/// cycles move, and b is written in addition to r.
ValuesMoved moved_by_cg_multigrid(const ProblemTraits &traits) {
    const int coefficients = traits.operator_with_inverse();
    const bool solid = traits.dimensions == 3;
    if (traits.direct_steps > 0 && !traits.mixed) {  // in one iteration, with both residuals
        return {15 + moved_by_direct_solve(traits), 7};
    }
    if (!traits.usual_cycle) {
        return {};
    }
    if (traits.by_labels) {
        return moved_by_labels(traits);
    }
    if (traits.mixed) {
        const int of_cycles = traits.variable ? (3 + traits.conductances() + 1) / 2 : 0;
        return {solid ? 16 + (traits.variable ? 18 : 0) : 17 + (traits.variable ? 16 : 0),
                9 + coefficients + of_cycles};
    }
    return {solid ? 22 + (traits.variable ? 31 : 0) : 25 + (traits.variable ? 28 : 0), 9 + coefficients};
}

/// advance: read z, r, x, write r, x; and the cycle as with gradients
ValuesMoved moved_by_multigrid(const ProblemTraits &traits) {
    if (traits.direct_steps > 0 && !traits.mixed) {
        return {5 + moved_by_direct_solve(traits), 4};
    }
    if (!traits.usual_cycle) {
        return {};
    }
    const bool solid = traits.dimensions == 3;
    return {solid ? 19 + (traits.variable ? 31 : 0) : 22 + (traits.variable ? 28 : 0),
            5 + traits.operator_with_inverse()};
}

std::string advice_for_multigrid(const Config & /*config*/) {
    return "solver.method: cg with solver.preconditioner: multigrid, which converges where multigrid cycles "
           "alone stall or diverge, for example where coefficients jump";
}

}  // namespace

const Method cg_multigrid_method{
    .name = "cg_multigrid",
    .title = "cg",
    .kernel = "cg_multigrid",
    .fields = cg_multigrid_fields,
    .fields_by_labels = cg_multigrid_label_fields,
    .fields_of_tensors = cg_multigrid_tensor_fields,
    .solver = SolverMethod::cg,
    .reference = reference::solve_steady,
    .phases_per_iteration = 2,
    .has_cycles = true,
    .cycles_precondition = true,
    .phases_beside_direct_solve = 6,
    .growth_of_iterations = 0,
    .values_moved = moved_by_cg_multigrid,
    .no_resident = "no resident kernel has a multigrid preconditioner",
    .resident_has_bits_of_phases = false,
};

const Method multigrid_method{
    .name = "multigrid",
    .title = "multigrid",
    .kernel = "cg_multigrid",
    .fields = cg_multigrid_fields,
    .unused = arguments_of_gradients,
    .solver = SolverMethod::multigrid,
    .reference = reference::solve_steady,
    .has_cycles = true,
    .phases_beside_direct_solve = 2,
    .growth_of_iterations = 0,
    .values_moved = moved_by_multigrid,
    .advice = advice_for_multigrid,
};

}  // namespace perdure
