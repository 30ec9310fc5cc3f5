#include <nlohmann/json.hpp>

#include "solver/measure/bench/sync_bench.hpp"
#include "solver/version.hpp"

namespace perdure::bench {
namespace {

using Json = nlohmann::ordered_json;

Json describe_measurement(const Measurement &measurement) {
    Json json;
    json["section"] = measurement.section;
    json["name"] = measurement.name;
    json["groups"] = measurement.shape.groups;
    json["group_size"] = measurement.shape.group_size;
    if (!measurement.cannot_run.empty()) {
        json["status"] = measurement.cannot_run;
        return json;
    }
    if (!measurement.failure.empty()) {
        json["status"] = "FAILED: " + measurement.failure;
        return json;
    }
    json["status"] = "measured";
    json["rounds_per_launch"] = measurement.rounds;
    json["median_ns"] = measurement.median();
    json["lowest_ns"] = measurement.lowest();
    json["highest_ns"] = measurement.highest();
    json["samples_ns"] = measurement.samples;
    json["wrong_values"] = measurement.wrong;
    return json;
}

Json describe_compared(const Measurement &measurement, const std::vector<Measurement> &list) {
    Json json = describe_measurement(measurement);
    const Measurement *const compared = reference(list, measurement.shape);
    if (measurement.measured() && compared != nullptr) {
        json["reference"] = compared->name;
        json["fraction_of_reference"] = measurement.median() / compared->median();
    }
    if (measurement.measured() && measurement.floor > 0.0) {
        json["floor_ns"] = measurement.floor;
        json["times_floor"] = measurement.median() / measurement.floor;
    }
    return json;
}

Json describe_list(const std::vector<Measurement> &list) {
    Json json = Json::array();
    for (const Measurement &measurement : list) {
        json.push_back(describe_compared(measurement, list));
    }
    return json;
}

Json describe_floors(const Floors &floors) {
    Json json;
    json["load_ns"] = floors.load;
    json["fence_ns"] = floors.fence;
    json["fence_acquire_ns"] = floors.fence_acquire;
    json["group_barrier_ns"] = floors.group_barrier;
    json["store_and_fence_ns"] = floors.store_and_fence;
    json["add_ns"] = floors.fetch_add;
    json["hand_over_ns"] = floors.hand_over;
    json["hand_over_ordered_ns"] = floors.hand_over_ordered;
    for (const auto &[name, formula] : floors.formulas()) {
        json["formulas"][name] = formula;
    }
    return json;
}

Json describe_classical(const ClassicalLine &line) {
    Json json = describe_measurement(line.measurement);
    if (line.measurement.measured()) {
        json["milliseconds"] = classical_milliseconds(line.measurement);
        json["all_equal"] = line.measurement.wrong == 0;
    }
    json["published_milliseconds"] = line.published;
    return json;
}

}  // namespace

Json sync_json(const SyncReport &report) {
    Json json;
    json["benchmark"] = "sync";
    json["version"] = version();
    json["built_with"] = built_with();
    json["date"] = report.date;
    json["command"] = report.options.command;
    json["device"] = {{"backend", name(report.device.backend)},
                      {"name", report.device.name},
                      {"driver", report.device.driver},
                      {"compute_units", report.device.compute_units},
                      {"gpu", report.device.gpu}};
    json["settings"] = {{"repetitions", report.options.repetitions},
                        {"rounds", report.options.rounds},
                        {"quick", report.options.quick}};
    json["floors"] = describe_floors(report.floors);
    json["primitives"] = describe_list(report.primitives);
    json["standard_shape"] = {{"groups", report.shape.groups}, {"group_size", report.shape.group_size}};
    json["standard"] = describe_list(report.standard);
    json["sweep"] = describe_list(report.sweep);
    json["classical"] = {{"elements", classical_elements},
                         {"rounds", classical_rounds_published},
                         {"barriers_per_round", 2},
                         {"lines", Json::array()}};
    for (const ClassicalLine &line : report.classical) {
        json["classical"]["lines"].push_back(describe_classical(line));
    }
    json["wrong_values"] = report.wrong();
    json["failures"] = report.failures();
    json["stopped"] = report.stopped;
    return json;
}

}  // namespace perdure::bench
