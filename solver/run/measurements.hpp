// The interface through which runs use the measuring tools (solver/measure), on which they do not depend.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "solver/run/run_case.hpp"

namespace perdure {

/// Tells what a run is expected to take, and what it took.
class RunExplainer {
  public:
    RunExplainer() = default;
    RunExplainer(const RunExplainer &) = delete;
    RunExplainer &operator=(const RunExplainer &) = delete;
    virtual ~RunExplainer() = default;

    /// Lines with the plan and the time that an iteration or step is expected to take. Empty where the plan is that of the call before, as
    /// for directions of an effective case.
    [[nodiscard]] virtual std::string plan(const run_parameters_t &parameters) = 0;
    /// One line with the time that it took. Empty where no iteration was made.
    [[nodiscard]] virtual std::string result(const Report &report) const = 0;
};

struct Measurements {
    /// Settles the model of a case of execution.model: auto, and its plan. Does nothing for a case that names its model.
    std::function<void(PreparedCase &)> choose_model;
    /// For perdure run --explain. The case must outlive what is returned. Throws Failure(device).
    std::function<std::unique_ptr<RunExplainer>(const PreparedCase &)> explain;
};

}  // namespace perdure
