#include <array>

#include "kernels/chebyshev_fields.h"
#include "solver/methods/method.hpp"

namespace perdure {
namespace {

constexpr std::array chebyshev_fields{RUN_KERNEL_FIELDS(CHEBYSHEV_FIELDS)};

ValuesMoved moved_by_chebyshev(const ProblemTraits &traits) {
    const int coefficients = traits.operator_with_inverse();
    return {4 + coefficients, 3 + coefficients};  // read u(n), u(n-1), b, write u
}

/// The first polynomial: eigenvalues of 1 - D^-1 A in [1 - spectrum_top, 0]. Checks raise the upper bound.
void begin_chebyshev(const Config & /*config*/, const Grid & /*grid*/, const Field & /*field*/,
                     run_parameters_t &parameters, run_state_t &state) {
    const double lower = 1.0 - parameters.spectrum_top;
    const double ratio = lower / (2.0 - lower);
    state.solve.chebyshev.gamma = 2.0 / (2.0 - lower);
    state.solve.chebyshev.sigma_squared = ratio * ratio;
    state.solve.chebyshev.rho[0] = 1.0;
}

}  // namespace

const Method chebyshev_method{
    .name = "chebyshev",
    .title = "chebyshev",
    .kernel = "chebyshev",
    .fields = chebyshev_fields,
    .solver = SolverMethod::chebyshev,
    .reference = reference::solve_steady,
    .history_entries_per_check = 2,
    .values_moved = moved_by_chebyshev,
    .begin = begin_chebyshev,
};

}  // namespace perdure
