#include <array>

#include "kernels/sor_fields.h"
#include "solver/methods/method.hpp"
#include "solver/run/over_relaxation.hpp"

namespace perdure {
namespace {

constexpr std::array sor_fields{RUN_KERNEL_FIELDS(SOR_FIELDS)};

ValuesMoved moved_by_sor(const ProblemTraits &traits) {
    const int coefficients = traits.operator_with_inverse();
    return {6 + 2 * coefficients, 2 + coefficients};  // read u, b, write u, in both sweeps
}

void begin_sor(const Config &config, const Grid &grid, const Field &field, run_parameters_t &parameters,
               run_state_t & /*state*/) {
    parameters.weight = config.solver.omega > 0.0 ? config.solver.omega : over_relaxation(grid, field);
}

}  // namespace

const Method sor_method{
    .name = "sor",
    .title = "sor",
    .kernel = "sor",
    .fields = sor_fields,
    .solver = SolverMethod::sor,
    .reference = reference::solve_steady,
    .phases_per_iteration = 2,
    .values_moved = moved_by_sor,
    .begin = begin_sor,
};

}  // namespace perdure
