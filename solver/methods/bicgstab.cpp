#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/bicgstab_fields.h"
#include "solver/methods/method.hpp"

namespace perdure {
namespace {

constexpr std::array bicgstab_fields{RUN_KERNEL_FIELDS(BICGSTAB_FIELDS)};

ValuesMoved moved_by_bicgstab(const ProblemTraits &traits) {
    const int coefficients = traits.operator_with_inverse();
    return {13 + 2 * coefficients, 8 + coefficients};  // x, r, s, t, p, v (two copies each), in two phases
}

std::string advice_for_bicgstab(const Config &config) {
    std::vector<std::string> ways;
    if (config.solver.preconditioner == Preconditioner::none) {
        ways.emplace_back("solver.preconditioner: jacobi");
    }
    if (!config.velocity) {
        ways.emplace_back("solver.method: cg");
    } else if (config.velocity->convection == Convection::central) {
        ways.emplace_back("a finer grid, so that cell Peclet numbers are below 2");
        ways.emplace_back("problem.convection: upwind, also with solver.method: sor");
    } else {
        ways.emplace_back("solver.method: sor, which converges with upwind differences");
    }
    if (config.execution.precision == Precision::float32) {
        ways.emplace_back("execution.precision: float64");
    }
    return fmt::format("{}", fmt::join(ways, "; "));
}

}  // namespace

const Method bicgstab_method{
    .name = "bicgstab",
    .title = "bicgstab",
    .kernel = "bicgstab",
    .fields = bicgstab_fields,
    .solver = SolverMethod::bicgstab,
    .reference = reference::solve_steady,
    .phases_per_iteration = 2,
    .may_be_unpreconditioned = true,
    .values_moved = moved_by_bicgstab,
    .advice = advice_for_bicgstab,
};

}  // namespace perdure
