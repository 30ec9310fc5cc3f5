#include "solver/measure/compare/bytes_moved.hpp"

#include "solver/run/direct_steps.hpp"

namespace perdure::compare {

ProblemTraits traits_of(const run_parameters_t &parameters, const Config &config,
                        const hierarchy_t *hierarchy, bool by_labels) {
    const MultigridConfig &multigrid = config.solver.multigrid;
    const bool direct = hierarchy != nullptr && hierarchy->transformed != 0;
    const bool at_once = direct && hierarchy->levels == 1;
    return {static_cast<int>(parameters.dimensions),
            static_cast<int>(parameters.factors),
            parameters.uniform == 0,
            parameters.convective != 0,
            config.execution.precision == Precision::mixed,
            multigrid.cycle == Cycle::v && multigrid.smoother == Smoother::chebyshev &&
                multigrid.sweeps == 2 && (!direct || at_once),
            at_once ? static_cast<int>(direct_steps(*hierarchy, false).size()) : 0,
            parameters.from_zero != 0,
            parameters.uniform == 0 && by_labels};
}

}  // namespace perdure::compare
