#include "solver/output/earlier_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "solver/file_descriptor.hpp"
#include "solver/hdf5/file_in_use.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/output/case_differences.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/result_format.hpp"
#include "solver/output/stored_results.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

/// How the run ended, from its report. Throws when an entry of the report is of another type or out of range.
void read_end(EarlierRun &run, bool is_finished) {
    const auto stop = value_named<StopReason>(run.report.value("stop_reason", ""));
    const bool at_end = is_finished && stop && is_an_end(*stop);
    run.state = at_end ? EarlierRun::State::finished : EarlierRun::State::unfinished;
    run.stop = at_end ? *stop : StopReason::stopped;
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

std::string unreadable(const std::filesystem::path &file, const std::string &reason) {
    return fmt::format("cannot read '{}' ({}); remove it, or choose another output.directory or output.name",
                       file.string(), reason);
}

std::string different(const std::filesystem::path &file, const std::string &difference) {
    return fmt::format(
        "'{}' {}; use --force to replace the results of this name, or choose another output.directory or "
        "output.name",
        file.string(), difference);
}

std::string difference_of_cases(const nlohmann::ordered_json &contents, const Config &config) {
    const std::vector<ValueDifference> found =
        differences(contents.value("case_as_read", ""), through_json(config.as_read));
    return fmt::format("already exists, and it is the result of a different case{}",
                       found.empty() ? "" : ": " + in_words(found));
}

}  // namespace

std::string identity_of_result(const Config &config) {
    return identity_of(result_path(config)) + " " + identity_of(snapshots_folder(config));
}

EarlierRun find_earlier_run(const Config &config) {
    const TimeSpent::Scope reading(Activity::read);
    EarlierRun run;
    const StoredResults results = find_stored_results(config);
    const bool is_finished = !results.answer.empty();
    if (!is_finished && results.unfinished.empty()) {
        return run;
    }
    run.file = is_finished ? results.answer : results.unfinished.back();
    run.state = EarlierRun::State::other;
    nlohmann::ordered_json contents;
    try {
        hdf5::ProbeArguments arguments;
        arguments.request = hdf5::ProbeRequest::description;
        arguments.file = run.file;
        contents = hdf5::probe(arguments);
    } catch (const hdf5::InUse &in_use) {
        run.why = in_use.what();
        return run;
    } catch (const Failure &failure) {
        if (failure.code() == ExitCode::stopped) {
            throw;  // nothing is known of the file
        }
        run.why = access(run.file.c_str(), R_OK) == 0 ? unreadable(run.file, failure.what()) : failure.what();
        return run;
    }
    if (run.why = later_format(contents); !run.why.empty()) {
        return run;
    }
    if (contents.value("case_as_read", "") != through_json(config.as_read)) {
        run.why = different(run.file, difference_of_cases(contents, config));
        run.is_of_other_case = is_finished;
        return run;
    }
    if (const std::string other = difference_of_data_files(contents.value("data_files", ""), config);
        !other.empty()) {
        run.why = different(
            run.file,
            fmt::format("was computed from other data files, or the data files have changed since: {}",
                        other));
        return run;
    }
    run.report = nlohmann::ordered_json::parse(contents.value("report_json", ""), nullptr, false);
    if (!run.report.is_object()) {
        run.why = unreadable(run.file, "its report cannot be read");
        return run;
    }
    try {
        read_end(run, is_finished);
    } catch (const nlohmann::ordered_json::exception &) {  // of an entry that is something else
        run.state = EarlierRun::State::other;
        run.why = unreadable(run.file, "its report cannot be read");
    }
    return run;
}

EarlierRun find_finished_run(const Config &config) {
    try {
        EarlierRun run = find_earlier_run(config);
        return run.state == EarlierRun::State::finished || run.is_of_other_case ? run : EarlierRun();
    } catch (const Failure &failure) {
        if (failure.code() == ExitCode::stopped) {
            throw;
        }
        return {};
    }
}

}  // namespace perdure
