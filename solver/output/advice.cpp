#include "solver/output/advice.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perdure {
namespace {

bool did_not_converge(StopReason stop) {
    return stop == StopReason::iteration_limit || stop == StopReason::diverged ||
           stop == StopReason::breakdown || stop == StopReason::stagnated;
}

std::string for_bicgstab(const Config &config) {
    std::vector<std::string> ways;
    if (config.solver.preconditioner == Preconditioner::none) {
        ways.emplace_back("solver.preconditioner: jacobi");
    }
    if (!config.velocity) {
        ways.emplace_back("solver.method: cg");
    } else if (config.velocity->convection == Convection::central) {
        ways.emplace_back("cells so small that cell Peclet numbers are below 2");
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

std::string advice(StopReason stop, const Config &config) {
    if (!did_not_converge(stop)) {
        return {};
    }
    if (config.solver.method == SolverMethod::multigrid) {
        return "solver.method: cg with solver.preconditioner: multigrid, which converges where cycles alone "
               "stall "
               "or diverge, as where coefficients jump from cell to cell";
    }
    return config.solver.method == SolverMethod::bicgstab ? for_bicgstab(config) : std::string();
}

}  // namespace perdure
