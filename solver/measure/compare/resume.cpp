#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/measure/compare/report.hpp"

namespace perdure::compare {
namespace {

using Json = nlohmann::ordered_json;

void expect(bool right, const std::string &what) {
    if (!right) {
        throw std::domain_error(what);
    }
}

Samples get_samples(const Json &json, const std::string &key) {
    if (!json.contains(key)) {
        return {};
    }
    const auto samples = json.at(key).at("samples").get<std::vector<double>>();
    expect(std::all_of(samples.begin(), samples.end(),
                       [](double sample) { return std::isfinite(sample) && sample > 0.0; }),
           fmt::format("{} that are not times", key));
    return {samples};
}

Result member_of(const Json &json) {
    Result result;
    result.name = json.at("name");
    result.model = json.at("model");
    result.barrier = json.value("barrier", "");
    result.cannot_run = json.value("left_out", "");
    result.failure = json.value("failure", "");
    result.wrong = json.value("wrong", "");
    result.groups = json.value("groups", 0);
    result.group_size = json.value("group_size", 0);
    result.launches = json.value("launches", 0L);
    result.graph_launches = json.value("graph_launches", 0L);
    result.barriers = json.value("barriers", 0L);
    result.looks = json.value("looks", 0L);
    result.bound = json.value("bound_of_difference", 0.0);
    result.barrier_seconds = json.value("empty_barrier_seconds", 0.0);
    result.seconds = get_samples(json, "seconds_per_iteration");
    result.device_seconds = get_samples(json, "device_seconds_per_iteration");
    result.bare_seconds = get_samples(json, "bare_seconds_per_iteration");
    result.no_shares = json.value("no_shares", "");
    if (json.contains("shares")) {
        const Json &shares = json.at("shares");
        result.shares = PartShares{shares.at("stencil"), shares.at("reduction"), shares.at("barrier"),
                                   shares.at("host"), shares.at("seconds_per_iteration")};
    }
    if (json.contains("seconds_per_check")) {
        result.check_seconds = json.at("seconds_per_check").get<double>();
        result.check_seen = json.at("check_cost_above_spread");
    }
    return result;
}

Point point_of(const Json &json) {
    Point point;
    point.backend = json.at("backend");
    point.device = json.at("device");
    point.precision = json.at("precision");
    point.shape = json.at("shape").get<std::vector<std::int64_t>>();
    point.cells = json.at("cells");
    point.iterations = json.at("iterations");
    point.check_every = json.at("check_every");
    point.rounds = json.at("rounds");
    point.complete = json.at("complete");
    point.seconds = json.at("seconds");
    point.bytes_per_iteration = json.at("bytes_per_iteration");
    point.bytes_touched = json.at("bytes_touched");
    point.copy_bytes_per_second = json.at("copy_of_that_size_bytes_per_second");
    for (const Json &result : json.at("members")) {
        point.results.push_back(member_of(result));
    }
    const auto positive = [](std::int64_t n) { return n > 0; };
    expect(!point.shape.empty() && std::all_of(point.shape.begin(), point.shape.end(), positive),
           "a point without a shape");
    expect(point.cells > 0 && point.iterations > 0 && point.check_every > 0,
           "a point without cells or iterations");
    expect(!point.results.empty(), "a point without members");
    return point;
}

DeviceNote device_of(const Json &json) {
    DeviceNote device;
    device.backend = json.at("backend");
    device.name = json.at("name");
    device.driver = json.at("driver");
    device.compute_units = json.at("compute_units");
    device.gpu = json.at("gpu");
    device.copy_bytes_per_second = json.at("copy_bytes_per_second");
    for (const Json &missing : json.at("models_missing")) {
        device.missing.push_back({missing.at("what"), missing.at("why")});
    }
    return device;
}

}  // namespace

Comparison from_json(const Json &json) {
    Comparison comparison;
    comparison.version = json.at("version");
    comparison.built_with = json.at("built_with");
    comparison.build_id = json.value("build_id", "");
    comparison.date = json.at("date");
    comparison.command = json.at("command");
    comparison.title = json.at("case").at("title");
    comparison.case_path = json.at("case").at("path");
    comparison.method = json.at("case").at("method");
    comparison.case_text = json.at("case").at("text");
    comparison.models = json.at("settings").at("models").get<std::vector<std::string>>();
    comparison.repetitions = json.at("settings").at("repetitions");
    comparison.iterations = json.at("settings").at("iterations");
    comparison.run_seconds = json.at("settings").at("run_seconds");
    for (const Json &device : json.at("devices")) {
        comparison.devices.push_back(device_of(device));
    }
    for (const Json &point : json.at("points")) {
        comparison.points.push_back(point_of(point));
        expect(std::none_of(comparison.points.begin(), comparison.points.end() - 1,
                            [&](const Point &other) { return other.is_at(comparison.points.back()); }),
               "the same point twice");
    }
    return comparison;
}

std::string why_not_resumed(const Comparison &earlier, const Comparison &now) {
    if (earlier.case_text != now.case_text) {
        return fmt::format("another case ('{}' of {}), or the same case with other keys", earlier.title,
                           earlier.case_path);
    }
    if (earlier.version != now.version || earlier.built_with != now.built_with) {
        return fmt::format("another program: perdure {} ({}), this one is {} ({})", earlier.version,
                           earlier.built_with, now.version, now.built_with);
    }
    if (earlier.build_id != now.build_id) {
        return "a comparison by another build of this program";
    }
    if (earlier.models != now.models) {
        return fmt::format("other models: {}, now {}", fmt::join(earlier.models, ", "),
                           fmt::join(now.models, ", "));
    }
    if (earlier.repetitions != now.repetitions) {
        return fmt::format("{} repetitions, now {}", earlier.repetitions, now.repetitions);
    }
    if (earlier.iterations != now.iterations) {
        return fmt::format("--iterations {}, now {} (0: chosen at each size)", earlier.iterations,
                           now.iterations);
    }
    if (earlier.run_seconds != now.run_seconds) {
        return fmt::format("--run-seconds {}, now {}", earlier.run_seconds, now.run_seconds);
    }
    return {};
}

}  // namespace perdure::compare
