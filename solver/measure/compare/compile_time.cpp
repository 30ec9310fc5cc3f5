#include "solver/measure/compare/compile_time.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/resident/plan_resident.hpp"
#include "solver/run/execution_models.hpp"

namespace perdure::compare {

double expected_iterations(const PreparedCase &prepared) {
    const Config &config = prepared.config;
    if (prepared.plan.method->in_time) {
        const TimeSegment last = time_segments(prepared).back();
        return static_cast<double>(last.first_step) + static_cast<double>(last.steps);
    }
    const double most = static_cast<double>(config.solver.max_iterations);
    if (config.solver.rtol <= 0.0) {
        return most;
    }
    // The condition number of the Laplace operator is (2 n / pi)^2. Each iteration shrinks the error by 1 - 2 / condition, an
    // accelerated one by 1 - 2 / sqrt(condition).
    const auto &cells = prepared.problem.grid.cells;
    const double n = static_cast<double>(*std::max_element(cells.begin(), cells.end()));
    const double condition_root = 2.0 * n / std::numbers::pi;
    const double per_factor_e = std::pow(condition_root, prepared.plan.method->growth_of_iterations) / 2.0;
    return std::clamp(per_factor_e * -std::log(config.solver.rtol), 1.0, most);
}

double seconds_to_compile_resident(const PreparedCase &prepared) {
    Device &device = *prepared.selected.device;
    if (!model_missing(device.description(), ExecutionModel::resident).empty()) {
        return 0.0;
    }
    const ResidentPlan plan = plan_resident(prepared.config, resident_device(device.description()));
    return plan.refused.empty()
               ? device.seconds_to_compile({plan.kernel, prepared.config.execution.precision})
               : 0.0;
}

bool is_worth_compiling(double seconds_to_compile, double seconds_of_run) {
    constexpr double saved_share = 0.5;
    return saved_share * seconds_of_run > seconds_to_compile;
}

}  // namespace perdure::compare
