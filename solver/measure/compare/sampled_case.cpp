#include "solver/measure/compare/sampled_case.hpp"

#include "solver/problem/problem_findings.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/run/stable_system_step.hpp"

namespace perdure::compare {

void SampledCase::prepare(const Config &config, Device &device) {
    Config by_launches = config;
    by_launches.execution.model = ExecutionModel::launches;
    by_launches.execution.barrier = BarrierChoice::automatic;
    (void)plan_launch(by_launches, device);
    if (!problem_) {
        problem_ = std::make_unique<Problem>(make_problem(config));
        ProblemFindings findings(config);
        problem_->stable_time_step = stable_system_step(config, *problem_, findings);
        findings.throw_if_any();
        cells_ = std::make_unique<std::vector<ActiveCells>>(find_active_cells(*problem_));
    }
}

}  // namespace perdure::compare
