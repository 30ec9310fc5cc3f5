#include <limits>

#include <fmt/format.h>

#include "solver/case_file/sections.hpp"
#include "solver/methods/method_options.hpp"

namespace perdure {
namespace {

std::optional<int> read_count(const YamlValue &value, int least) {
    const auto number = value.whole_number(least, std::numeric_limits<int>::max());
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

void read_ensemble(const YamlValue &value, ExecutionConfig &execution) {
    const std::string &text = value.node().text;
    execution.ensemble_position = value.position();
    if (value.node().kind == YamlNode::Kind::scalar && (text == "off" || text == "auto")) {
        execution.ensemble = text == "off" ? std::optional(0) : std::nullopt;
    } else if (value.node().kind == YamlNode::Kind::scalar && !text.empty() &&
               text.find_first_not_of("0123456789") == std::string::npos) {
        execution.ensemble = read_count(value, 2);
    } else {
        value.expected("auto, off or a whole number > 1");
    }
}

}  // namespace

void read_execution(YamlMap &root, ExecutionConfig &execution) {
    const auto section = root.take("execution");
    execution.position = section ? section->key_position() : root.value().key_position();
    if (!section) {
        return;
    }
    YamlMap map(*section);
    if (const auto value = map.take("backend")) {
        execution.backend = value->word<BackendChoice>().value_or(execution.backend);
        execution.backend_position = value->position();
    }
    if (const auto value = map.take("device")) {
        execution.device = read_count(*value, 0);
        execution.device_position = value->position();
    }
    if (const auto value = map.take("devices")) {
        execution.devices = read_count(*value, 1).value_or(execution.devices);
        execution.devices_position = value->position();
    }
    if (const auto value = map.take("model")) {
        execution.model = value->word<ExecutionModel>().value_or(execution.model);
        execution.model_position = value->position();
    }
    if (const auto value = map.take("precision")) {
        execution.precision = value->word<Precision>().value_or(execution.precision);
        execution.precision_position = value->position();
    }
    if (const auto value = map.take("groups")) {
        execution.groups = read_count(*value, 1).value_or(execution.groups);
        execution.groups_position = value->position();
    }
    if (const auto value = map.take("group_size")) {
        execution.group_size = read_count(*value, 1).value_or(execution.group_size);
        execution.group_size_position = value->position();
    }
    if (const auto value = map.take("watchdog")) {
        const auto seconds = value->number("a number of seconds > 0", [](double s) { return s > 0.0; });
        execution.watchdog = seconds.value_or(execution.watchdog);
    }
    read_time_limit(map, execution.time_limit);
    if (const auto value = map.take("ensemble")) {
        read_ensemble(*value, execution);
    }
    if (const auto value = map.take("barrier")) {
        execution.barrier = value->word<BarrierChoice>().value_or(execution.barrier);
        execution.barrier_position = value->position();
    }
    if (const auto value = map.take("transport")) {
        execution.transport = value->word<RankTransport>().value_or(execution.transport);
        execution.transport_position = value->position();
    }
    if (const auto value = map.take("cg_variant")) {
        map.value().findings().warn(
            value->key_position(),
            fmt::format(
                "'{}' was removed from perdure and is ignored, because pipelined conjugate gradients were "
                "slower than the single-reduction variant that model: resident uses; remove the key",
                value->path()));
    }
    if (const auto value = map.take("reproducible")) {
        execution.reproducible = value->truth().value_or(execution.reproducible);
        if (execution.reproducible && execution.model == ExecutionModel::automatic) {
            value->error(
                "execution.model: auto chooses by timing, so the next run may use another model; with "
                "execution.reproducible: true, name a model");
        }
    }
    map.finish();
}

void check_precision(const Config &config, Findings &findings) {
    const SolverConfig &solver = config.solver;
    const bool may_be_mixed = options_of(solver.method).may_be_mixed;
    if (config.execution.precision != Precision::mixed ||
        (solves_systems(config) && may_be_mixed && has_cycles(solver))) {
        return;
    }
    findings.error(
        config.execution.precision_position,
        fmt::format("execution.precision: mixed runs conjugate gradients in float64 with multigrid cycles in "
                    "float32, so it needs method: cg and preconditioner: multigrid, but {}; use float64",
                    !solves_systems(config) ? fmt::format("the time steps of {} are explicit",
                                                          name(config.time.value_or(TimeConfig{}).integrator))
                    : may_be_mixed ? fmt::format("the preconditioner is {}", name(solver.preconditioner))
                                   : fmt::format("the method is {}", name(solver.method))));
}

}  // namespace perdure
