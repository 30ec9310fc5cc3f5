#include "solver/measure/compare/model_key.hpp"

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/equations/equation.hpp"
#include "solver/resident/plan_resident.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/version.hpp"

namespace perdure::compare {
namespace {

std::vector<std::string> sides_of(const Config &config) {
    std::vector<std::string> sides;
    for (const SideConfig &side : config.sides) {
        sides.push_back(fmt::format("{} {} {}", name(side.kind), static_cast<int>(side.coefficient.kind),
                                    side.values.time_factor.empty() ? "" : "in time"));
    }
    return sides;
}

std::vector<int> velocity_of(const Config &config) {
    std::vector<int> kinds;
    for (int axis = 0; config.velocity && axis < config.velocity->dimensions; ++axis) {
        kinds.push_back(
            static_cast<int>(config.velocity->components.at(static_cast<std::size_t>(axis)).kind));
    }
    return kinds;
}

/// How each value of the problem is given.
std::vector<std::string> kinds_of_values(const Config &config) {
    std::vector<std::string> kinds;
    for (const auto &[key, value] : values_of(config)) {
        kinds.push_back(fmt::format("{} {}{}", key, static_cast<int>(value->kind),
                                    value->time_factor.empty() ? "" : " in time"));
    }
    return kinds;
}

/// Launches end at them.
std::int64_t snapshots_of(const TimeConfig &time) {
    return time.snapshot_every > 0 ? time.snapshot_every
                                   : -static_cast<std::int64_t>(time.snapshot_times.size());
}

}  // namespace

std::vector<ExecutionModel> models_there(const DeviceDescription &device) {
    std::vector<ExecutionModel> models;
    for (const ExecutionModel model : all_models) {
        if (model_missing(device, model).empty()) {
            models.push_back(model);
        }
    }
    return models;
}

ModelKey key_of(const PreparedCase &prepared) {
    const Config &config = prepared.config;
    const DeviceDescription &device = prepared.selected.device->description();
    const ExecutionConfig &execution = config.execution;
    std::vector<std::string> models;
    for (const ExecutionModel model : models_there(device)) {
        models.emplace_back(name(model));
    }
    const nlohmann::ordered_json place{
        {"program", fmt::format("{}, {}, {}", version(), built_with(), build_id())},
        {"driver", device.driver},
        {"models", models}};
    const nlohmann::ordered_json of_case{
        {"backend", name(device.backend)},
        {"device", device.name},
        {"kernel", prepared.plan.method->name},
        {"precision", name(execution.precision)},
        {"cells", prepared.problem.grid.cells},
        {"values", kinds_of_values(config)},
        {"resident", fingerprint(plan_resident(config, resident_device(device)))},
        {"convective", prepared.problem.fields.front().convective},
        {"norm", name(config.solver.norm)},
        {"check_every", config.solver.check_every},
        {"preconditioner", name(config.solver.preconditioner)},
        {"multigrid",
         {name(config.solver.multigrid.cycle), name(config.solver.multigrid.smoother),
          config.solver.multigrid.sweeps, config.solver.multigrid.full_start,
          config.solver.multigrid.direct_level}},
        {"sides", sides_of(config)},
        {"velocity", velocity_of(config)},
        {"snapshots", config.time ? snapshots_of(*config.time) : 0},
        {"barrier", name(execution.barrier)},
        {"groups", execution.groups},
        {"group_size", execution.group_size}};
    return {of_case, place};
}

}  // namespace perdure::compare
