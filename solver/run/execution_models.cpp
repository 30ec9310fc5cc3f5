#include "solver/run/execution_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/problem/problem_findings.hpp"

namespace perdure {

std::string model_missing(const DeviceDescription &device, ExecutionModel model) {
    switch (model) {
        case ExecutionModel::graph:
            return device.no_graph;
        case ExecutionModel::graph_while:
            return device.no_graph.empty() ? device.no_graph_while : device.no_graph;
        case ExecutionModel::resident:
            return device.no_resident;
        default:
            return {};
    }
}

std::string model_missing(const Device &device, ExecutionModel model) {
    return model_missing(device.description(), model);
}

bool has_bits_of_phases(ExecutionModel model, const Method &method) {
    return model != ExecutionModel::resident || method.resident_has_bits_of_phases;
}

double rounding_of_norms(ExecutionModel model, const Method &method) {
    return model == ExecutionModel::resident ? method.resident_rounding_of_norms : 0.0;
}

std::vector<std::string> models_of(const DeviceDescription &device) {
    std::vector<std::string> names;
    for (const ExecutionModel model : all_models) {
        if (model_missing(device, model).empty()) {
            names.emplace_back(name(model));
        }
    }
    return names;
}

void check_model(const Config &config, const DeviceDescription &device) {
    const std::string missing = model_missing(device, config.execution.model);
    if (missing.empty()) {
        return;
    }
    const std::string message =
        fmt::format("execution.model: {} cannot run {}: {}; it can run {}", device.name,
                    name(config.execution.model), missing, fmt::join(models_of(device), ", "));
    throw Failure(ExitCode::case_or_usage,
                  {ProblemFindings(config).make(Diagnostic::Severity::error, config.execution.model_position,
                                                message)});
}

}  // namespace perdure
