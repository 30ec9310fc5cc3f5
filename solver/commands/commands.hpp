// The commands of the program: each returns its exit code or throws Failure.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/case_file/case_file.hpp"
#include "solver/case_file/config.hpp"
#include "solver/commands/json_output.hpp"
#include "solver/failure.hpp"
#include "solver/run/measurements.hpp"

namespace perdure::commands {

/// What `run`, `validate` and `verify` have in common.
struct CaseOptions {
    std::vector<std::filesystem::path> cases;
    std::vector<std::string> overrides;  // --set key.path=value
    std::string output;                  // --output: a folder
    std::string member, shard;           // --member I, --shard I/N: the cases of the call that count
    std::optional<double> time_limit;    // run: seconds after the start of the program
    bool force = false;
    bool take_over =
        false;            // run: a name that another process claimed, where perdure cannot see that process
    bool resume = false;  // run: goes on from the last checkpoint
    bool quiet = false;
    bool verbose = false;  // validate: a line for each member of a sweep
    JsonOutput json;
    std::string table;     // run: another table behind the last case: order
    std::string summary;   // run: where the table of the batch goes, without .csv; empty: a name of its own
    bool append = false;   // run: rows that the table has of other cases stay
    bool explain = false;  // run: the plan and what it is expected to take
    std::optional<double> bound;  // verify: relative L2 difference
    Measurements measurements;    // run, verify
};

struct DevicesOptions {
    std::string backend = "auto";  // all
    JsonOutput json;
};

struct LitmusOptions {
    std::vector<std::string> names;  // of experiments; empty: all
    std::string backend = "auto";
    std::optional<int> device;
    JsonOutput json;
};

ExitCode run(CaseOptions &options);
ExitCode validate(CaseOptions &options);
ExitCode verify(CaseOptions &options);
ExitCode info(const std::vector<std::filesystem::path> &files, JsonOutput &json);
ExitCode devices(DevicesOptions &options);

/// What goes wrong without synchronisation, tried out. Throws Failure(device) when a form fails that must not.
ExitCode litmus(LitmusOptions &options);

/// One case of a batch: a case file without a sweep, a member of one, or a file that cannot be read as a case.
struct BatchCase {
    std::filesystem::path path;
    std::shared_ptr<CaseFile> file;      // null where the file cannot be read or the case is wrong
    std::size_t index = 0;               // of the case in its file
    std::filesystem::path result;        // where its answer belongs
    std::optional<Failure> failure;      // what is wrong with it
    std::vector<Diagnostic> warnings{};  // of the file's first case: those of all its cases, each once

    [[nodiscard]] bool is_good() const { return file != nullptr; }
};

/// The cases of the files, those of a sweep one after the other, as far as the options choose them. Each is read, so that what is wrong with any is
/// known before the first runs, but not kept.
std::vector<BatchCase> load_batch(const CaseOptions &options);

/// The config of a case. Throws Failure: what is wrong with it.
Config load(const BatchCase &one, const CaseOptions &options);

/// Which cases of `count`, counted from 0, the options choose: those of --member I or --shard I/N. Throws Failure(case_or_usage).
std::vector<std::size_t> chosen_cases(const CaseOptions &options, std::size_t count);

/// What an entry of --json begins with: case and, of a sweep, member, members and what the member sets.
nlohmann::ordered_json subject_of(const Config &config);

/// Runs `one` on each case, prints a failure and goes on with the next; stops when a run was stopped. The largest exit code.
/// `failed` is told what will be printed, the config too where there is one; `last` gets the largest code and returns that of the whole.
/// Checks the file of --json before and writes it at the end, behind `last`. Each config is there until its turn is over: the next few are
/// read by other threads, which call `ahead` with them.
ExitCode for_each_case(
    CaseOptions &options, std::vector<BatchCase> &batch, const std::function<ExitCode(const Config &)> &one,
    const std::function<void(const BatchCase &, const Config *, const Failure &)> &failed = {},
    const std::function<ExitCode(ExitCode)> &last = {},
    const std::function<void(const Config &)> &ahead = [](const Config &) {});

/// Prints a failure to standard error, adds it to the JSON and returns its code.
/// `subject`: what the entry of the JSON begins with, such as the case.
ExitCode report_failure(const Failure &failure, JsonOutput &json,
                        const nlohmann::ordered_json &subject = nlohmann::ordered_json::object());

/// A report, or each report of a list, with the subject_of() its case before everything else.
nlohmann::ordered_json of_case(const Config &config, const nlohmann::ordered_json &report);

}  // namespace perdure::commands
