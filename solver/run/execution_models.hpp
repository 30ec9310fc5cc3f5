// The execution models, and what a device lacks for each of them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/methods/method.hpp"

namespace perdure {

/// The models that run phases: any case, with the same bits.
inline constexpr std::array execution_models{ExecutionModel::persistent, ExecutionModel::launches,
                                             ExecutionModel::graph, ExecutionModel::graph_while};
inline constexpr auto all_models = values_without(ExecutionModel::automatic);

/// Why the device cannot run cases under that model, as the rest of a sentence; empty: it can.
std::string model_missing(const DeviceDescription &device, ExecutionModel model);
std::string model_missing(const Device &device, ExecutionModel model);

/// Whether the phases of a run are one launch, with synchronisations inside it.
constexpr bool is_one_launch(ExecutionModel model) {
    return model == ExecutionModel::persistent || model == ExecutionModel::resident;
}

/// Whether a run of that method has the bits of its phases: resident ones whose course is decided by sums do not, for
/// they add them in another order.
bool has_bits_of_phases(ExecutionModel model, const Method &method);

/// By what share of them norms may differ where the fields have those bits: resident Jacobi adds up group by group.
double rounding_of_norms(ExecutionModel model, const Method &method);

/// Names of the models that the device has.
std::vector<std::string> models_of(const DeviceDescription &device);

/// Throws Failure(case_or_usage) at execution.model when the device lacks the model of the case.
void check_model(const Config &config, const DeviceDescription &device);

}  // namespace perdure
