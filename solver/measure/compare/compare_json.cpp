#include <nlohmann/json.hpp>

#include "solver/measure/compare/report.hpp"

namespace perdure::compare {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *benchmark = "compare";

void put_samples(Json &json, const std::string &key, const Samples &samples) {
    if (!samples.empty()) {
        json[key] = {{"median", samples.median()},
                     {"lowest", samples.lowest()},
                     {"highest", samples.highest()},
                     {"samples", samples.values}};
    }
}

std::string status(const Result &result) {
    if (!result.cannot_run.empty()) {
        return "left out";
    }
    if (!result.failure.empty()) {
        return "failed";
    }
    if (!result.wrong.empty()) {
        return "wrong";
    }
    return result.measured() ? "measured" : "not measured";
}

template <typename Value>
void put_known(Json &json, const char *key, const std::optional<Value> &value) {
    if (value) {
        json[key] = *value;
    }
}

void put_derived(Json &json, const Point &point, const Result &result, const DeviceNote *device) {
    const double iterations = static_cast<double>(point.iterations);
    json["launches_per_iteration"] = static_cast<double>(result.launches) / iterations;
    json["barriers_per_iteration"] = static_cast<double>(result.barriers) / iterations;
    json["looks_per_iteration"] = static_cast<double>(result.looks) / iterations;
    json["cells_per_second"] = static_cast<double>(point.cells) / result.seconds.median();
    json["bytes_per_second"] = bytes_per_second(point, result);
    if (device != nullptr) {
        const std::string why = why_no_fraction(point, result, *device);
        if (why.empty()) {
            json["fraction_of_copy"] = bytes_per_second(point, result) / device->copy_bytes_per_second;
        } else {
            json["no_fraction_of_copy"] = why;
        }
    }
    put_known(json, "host_share_estimated", host_share(result));
    put_known(json, "barrier_share_estimated", barrier_share(point, result));
    if (result.shares) {
        json["shares"] = {{"stencil", result.shares->stencil},
                          {"reduction", result.shares->reduction},
                          {"barrier", result.shares->barrier},
                          {"host", result.shares->host},
                          {"seconds_per_iteration", result.shares->seconds}};
    }
    put_known(json, "overhead_of_comparison", overhead(result));
    put_known(json, "seconds_per_check", result.check_seconds);
    if (result.check_seconds) {
        json["check_cost_above_spread"] = result.check_seen;
    }
    put_known(json, "speed_up_over_best_multi_launch", speed_up(point, result));
}

Json describe(const Point &point, const Result &result, const DeviceNote *device) {
    Json json{{"name", result.name}, {"model", result.model}, {"status", status(result)}};
    for (const auto &[key, text] : {std::pair{"barrier", &result.barrier},
                                    {"left_out", &result.cannot_run},
                                    {"failure", &result.failure},
                                    {"wrong", &result.wrong},
                                    {"no_shares", &result.no_shares}}) {
        if (!text->empty()) {
            json[key] = *text;
        }
    }
    if (!result.cannot_run.empty()) {
        return json;
    }
    json["groups"] = result.groups;
    json["group_size"] = result.group_size;
    json["launches"] = result.launches;
    json["graph_launches"] = result.graph_launches;
    json["barriers"] = result.barriers;
    json["looks"] = result.looks;
    json["bound_of_difference"] = result.bound;
    json["empty_barrier_seconds"] = result.barrier_seconds;
    put_samples(json, "seconds_per_iteration", result.seconds);
    put_samples(json, "device_seconds_per_iteration", result.device_seconds);
    put_samples(json, "bare_seconds_per_iteration", result.bare_seconds);
    if (result.measured()) {
        put_derived(json, point, result, device);
    }
    return json;
}

Json describe(const Comparison &comparison, const Point &point) {
    Json json{{"backend", point.backend},
              {"device", point.device},
              {"precision", point.precision},
              {"shape", point.shape},
              {"size", point.size()},
              {"cells", point.cells},
              {"iterations", point.iterations},
              {"check_every", point.check_every},
              {"rounds", point.rounds},
              {"complete", point.complete},
              {"seconds", point.seconds},
              {"bytes_per_iteration", point.bytes_per_iteration},
              {"bytes_touched", point.bytes_touched},
              {"copy_of_that_size_bytes_per_second", point.copy_bytes_per_second},
              {"members", Json::array()}};
    for (const Result &result : point.results) {
        json["members"].push_back(describe(point, result, comparison.device_of(point)));
    }
    for (const auto &[key, best] : {std::pair{"best_multi_launch", best_multi_launch(point)},
                                    {"best_single_launch", best_single_launch(point)}}) {
        if (best != nullptr) {
            json[key] = best->name;
        }
    }
    return json;
}

Json describe(const std::vector<NotMeasured> &list) {
    Json json = Json::array();
    for (const NotMeasured &one : list) {
        json.push_back({{"what", one.what}, {"why", one.why}});
    }
    return json;
}

Json describe(const DeviceNote &device) {
    return {{"backend", device.backend},
            {"name", device.name},
            {"driver", device.driver},
            {"compute_units", device.compute_units},
            {"gpu", device.gpu},
            {"copy_bytes_per_second", device.copy_bytes_per_second},
            {"models_missing", describe(device.missing)}};
}

Json describe(const OrderChange &change) {
    return {{"backend", change.backend},
            {"device", change.device},
            {"precision", change.precision},
            {"from", change.from},
            {"to", change.to},
            {"estimated", change.estimated},
            {"faster_below", change.faster_below},
            {"faster_above", change.faster_above}};
}

}  // namespace

Json to_json(const Comparison &comparison) {
    Json json{{"benchmark", benchmark},
              {"version", comparison.version},
              {"built_with", comparison.built_with},
              {"build_id", comparison.build_id},
              {"date", comparison.date},
              {"command", comparison.command},
              {"clock",
               "the host's clock around the launch loop; device_seconds if the whole run is on the device"},
              {"case",
               {{"title", comparison.title},
                {"path", comparison.case_path},
                {"method", comparison.method},
                {"text", comparison.case_text}}},
              {"settings",
               {{"models", comparison.models},
                {"repetitions", comparison.repetitions},
                {"iterations", comparison.iterations},
                {"run_seconds", comparison.run_seconds}}}};
    json["devices"] = Json::array();
    for (const DeviceNote &device : comparison.devices) {
        json["devices"].push_back(describe(device));
    }
    json["points"] = Json::array();
    for (const Point &point : comparison.points) {
        json["points"].push_back(describe(comparison, point));
    }
    json["order_changes"] = Json::array();
    for (const OrderChange &change : order_changes(comparison.points)) {
        json["order_changes"].push_back(describe(change));
    }
    json["advice"] = advice(comparison.points);
    json["not_measured"] = describe(comparison.not_measured);
    json["wrong"] = comparison.wrong();
    json["failures"] = comparison.failures();
    json["stopped"] = comparison.stopped;
    json["out_of_time"] = comparison.out_of_time;
    return json;
}

}  // namespace perdure::compare
