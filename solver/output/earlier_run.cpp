#include "solver/output/earlier_run.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "solver/hdf5/probe.hpp"
#include "solver/output/output_names.hpp"

namespace perdure {
namespace {

using nlohmann::literals::operator""_json_pointer;

constexpr std::array ends{StopReason::converged_rtol,  StopReason::converged_atol, StopReason::complete,
                          StopReason::iteration_limit, StopReason::accuracy_limit, StopReason::diverged,
                          StopReason::not_finite,      StopReason::breakdown,      StopReason::stagnated};

/// The snapshot of the largest step.
std::filesystem::path last_snapshot(const Config &config) {
    const auto folder =
        config.output.directory.empty() ? std::filesystem::path(".") : config.output.directory;
    std::filesystem::path last;
    const auto earlier = [](const std::string &one, const std::string &other) {
        return one.size() != other.size() ? one.size() < other.size() : one < other;
    };
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::filesystem::path file = entry->path();
        if (is_output_of(config, file.filename().string()) && file.extension() != ".series" &&
            (last.empty() || earlier(last.filename().string(), file.filename().string()))) {
            last = file;
        }
    }
    return last;
}

/// Whether a data file that the case reads is younger than `result`.
bool data_changed_since(const Config &config, const std::filesystem::path &result) {
    std::vector<const ValueSource *> sources{&config.a, &config.sigma, &config.f, &config.initial};
    for (const SideConfig &side : config.sides) {
        sources.push_back(&side.values);
        sources.push_back(&side.coefficient);
    }
    if (config.velocity) {
        for (const ValueSource &component : config.velocity->components) {
            sources.push_back(&component);
        }
    }
    std::error_code error;
    const auto written = std::filesystem::last_write_time(result, error);
    return std::any_of(sources.begin(), sources.end(), [&](const ValueSource *source) {
        return !source->file.empty() && std::filesystem::last_write_time(source->file, error) > written;
    });
}

}  // namespace

EarlierRun find_earlier_run(const Config &config) {
    EarlierRun run;
    run.file = last_snapshot(config);
    if (run.file.empty()) {
        return run;
    }
    run.state = EarlierRun::State::other;
    nlohmann::ordered_json contents;
    try {
        hdf5::ProbeArguments arguments;
        arguments.request = hdf5::ProbeRequest::description;
        arguments.file = run.file;
        contents = hdf5::probe(arguments);
    } catch (const Failure &) {
        return run;
    }
    if (contents.value("case_as_read", "") != config.as_read || data_changed_since(config, run.file)) {
        return run;
    }
    run.report = nlohmann::ordered_json::parse(contents.value("report_json", ""), nullptr, false);
    if (!run.report.is_object()) {
        return run;
    }
    const std::string reason = run.report.value("stop_reason", "");
    const auto *const end =
        std::find_if(ends.begin(), ends.end(), [&](StopReason stop) { return reason == describe(stop); });
    const bool at_end = end != ends.end();
    run.state = at_end ? EarlierRun::State::finished : EarlierRun::State::unfinished;
    run.stop = at_end ? *end : StopReason::stopped;
    const bool violated = run.report.value("/effective/bounds_violated"_json_pointer, false);
    run.code = violated ? ExitCode::differs_or_internal : exit_code(run.stop);
    return run;
}

}  // namespace perdure
