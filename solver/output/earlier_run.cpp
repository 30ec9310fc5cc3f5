#include "solver/output/earlier_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "solver/hdf5/probe.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/output_names.hpp"

namespace perdure {
namespace {

constexpr std::array ends{StopReason::converged_rtol,  StopReason::converged_atol, StopReason::complete,
                          StopReason::iteration_limit, StopReason::accuracy_limit, StopReason::diverged,
                          StopReason::not_finite,      StopReason::breakdown,      StopReason::stagnated};

/// The snapshot of the largest step.
std::filesystem::path last_snapshot(const Config &config) {
    std::filesystem::path last;
    const auto earlier = [](const std::string &one, const std::string &other) {
        return one.size() != other.size() ? one.size() < other.size() : one < other;
    };
    std::error_code error;
    if (!std::filesystem::is_directory(output_folder(config), error)) {
        return last;
    }
    for (const auto &entry : earlier_outputs(config)) {
        const std::filesystem::path &file = entry.path();
        if (file.extension() != ".series" &&
            (last.empty() || earlier(last.filename().string(), file.filename().string()))) {
            last = file;
        }
    }
    return last;
}

/// How the run ended, from its report. Throws when an entry of the report is of another type or out of range.
void read_end(EarlierRun &run) {
    const std::string reason = run.report.value("stop_reason", "");
    const auto *const end =
        std::find_if(ends.begin(), ends.end(), [&](StopReason stop) { return reason == describe(stop); });
    const bool at_end = end != ends.end();
    run.state = at_end ? EarlierRun::State::finished : EarlierRun::State::unfinished;
    run.stop = at_end ? *end : StopReason::stopped;
    run.outcome = run.report.value("outcome", describe(run.stop));
    if (run.report.contains("effective")) {
        run.remarks = run.report.at("effective").value("remarks", run.remarks);
    }
    run.code = exit_code(run.stop);
    if (run.report.contains("exit_code")) {
        const nlohmann::ordered_json &code = run.report.at("exit_code");
        constexpr std::int64_t largest_status = 255;
        if (!code.is_number_integer() || code < 0 || code > largest_status) {
            throw nlohmann::ordered_json::other_error::create(0, "exit_code", &run.report);
        }
        run.code = static_cast<ExitCode>(code.get<int>());
    }
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
    } catch (const Failure &failure) {
        run.why = fmt::format("'{}' cannot be read ({}): remove it", run.file.string(), failure.what());
        return run;
    }
    if (contents.value("case_as_read", "") != config.as_read) {
        run.why = fmt::format("'{}' is of another case", run.file.string());
        return run;
    }
    if (contents.value("data_files", "") != describe_data_files(config)) {
        run.why =
            fmt::format("'{}' was made from other data files, or they have changed since", run.file.string());
        return run;
    }
    run.report = nlohmann::ordered_json::parse(contents.value("report_json", ""), nullptr, false);
    if (!run.report.is_object()) {
        run.why = fmt::format("'{}' has no report that can be read: remove it", run.file.string());
        return run;
    }
    try {
        read_end(run);
    } catch (const nlohmann::ordered_json::exception &) {  // of an entry that is something else
        run.state = EarlierRun::State::other;
        run.why = fmt::format("'{}' has no report that can be read: remove it", run.file.string());
    }
    return run;
}

}  // namespace perdure
