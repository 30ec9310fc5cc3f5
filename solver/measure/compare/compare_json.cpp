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

std::string status(const Member &member) {
    if (!member.cannot_run.empty()) {
        return "left out";
    }
    if (!member.failure.empty()) {
        return "failed";
    }
    if (!member.wrong.empty()) {
        return "wrong";
    }
    return member.measured() ? "measured" : "not measured";
}

template <typename Value>
void put_known(Json &json, const char *key, const std::optional<Value> &value) {
    if (value) {
        json[key] = *value;
    }
}

void put_derived(Json &json, const Point &point, const Member &member, const DeviceNote *device) {
    const double iterations = static_cast<double>(point.iterations);
    json["launches_per_iteration"] = static_cast<double>(member.launches) / iterations;
    json["barriers_per_iteration"] = static_cast<double>(member.barriers) / iterations;
    json["looks_per_iteration"] = static_cast<double>(member.looks) / iterations;
    json["cells_per_second"] = static_cast<double>(point.cells) / member.seconds.median();
    json["bytes_per_second"] = bytes_per_second(point, member);
    if (device != nullptr) {
        const std::string why = why_no_fraction(point, member, *device);
        if (why.empty()) {
            json["fraction_of_copy"] = bytes_per_second(point, member) / device->copy_bytes_per_second;
        } else {
            json["no_fraction_of_copy"] = why;
        }
    }
    put_known(json, "host_share_estimated", host_share(member));
    put_known(json, "barrier_share_estimated", barrier_share(point, member));
    if (member.shares) {
        json["shares"] = {{"stencil", member.shares->stencil},
                          {"reduction", member.shares->reduction},
                          {"barrier", member.shares->barrier},
                          {"host", member.shares->host},
                          {"seconds_per_iteration", member.shares->seconds}};
    }
    put_known(json, "overhead_of_comparison", overhead(member));
    put_known(json, "seconds_per_check", member.check_seconds);
    if (member.check_seconds) {
        json["check_cost_above_spread"] = member.check_seen;
    }
    put_known(json, "speed_up_over_best_multi_launch", speed_up(point, member));
}

Json describe(const Point &point, const Member &member, const DeviceNote *device) {
    Json json{{"name", member.name}, {"model", member.model}, {"status", status(member)}};
    for (const auto &[key, text] : {std::pair{"barrier", &member.barrier},
                                    {"left_out", &member.cannot_run},
                                    {"failure", &member.failure},
                                    {"wrong", &member.wrong},
                                    {"no_shares", &member.no_shares}}) {
        if (!text->empty()) {
            json[key] = *text;
        }
    }
    if (!member.cannot_run.empty()) {
        return json;
    }
    json["groups"] = member.groups;
    json["group_size"] = member.group_size;
    json["launches"] = member.launches;
    json["graph_launches"] = member.graph_launches;
    json["barriers"] = member.barriers;
    json["looks"] = member.looks;
    json["bound_of_difference"] = member.bound;
    json["empty_barrier_seconds"] = member.barrier_seconds;
    put_samples(json, "seconds_per_iteration", member.seconds);
    put_samples(json, "device_seconds_per_iteration", member.device_seconds);
    put_samples(json, "bare_seconds_per_iteration", member.bare_seconds);
    if (member.measured()) {
        put_derived(json, point, member, device);
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
    for (const Member &member : point.members) {
        json["members"].push_back(describe(point, member, comparison.device_of(point)));
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
               "the host's, around the loop that launches; device_seconds where the whole run is on the "
               "device"},
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
