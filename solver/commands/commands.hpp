// The commands of the program: each returns its exit code or throws Failure.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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
    bool force = false;
    bool take_over =
        false;            // run: a name that another process claimed, where perdure cannot see that process
    bool resume = false;  // run: goes on from the last checkpoint
    bool quiet = false;
    JsonOutput json;
    std::string table;            // run: another table behind the last case: order
    bool explain = false;         // run: the plan and what it is expected to take
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
    std::optional<Config> config;
    std::optional<Failure> failure;  // why there is no config
};

/// The cases of the files, those of a sweep one after the other.
std::vector<BatchCase> load_batch(const CaseOptions &options);

/// The file, and which member of its sweep.
std::string label(const Config &config);

/// Runs `one` on each case, prints a failure and goes on with the next; stops when a run was stopped. The largest exit code.
/// `failed` is told what will be printed; `last` gets the largest code and returns that of the whole. Checks the file of --json before
/// and writes it at the end, behind `last`. Lets go of each config after its turn.
ExitCode for_each_case(CaseOptions &options, std::vector<BatchCase> &batch,
                       const std::function<ExitCode(const Config &)> &one,
                       const std::function<void(const BatchCase &, const Failure &)> &failed = {},
                       const std::function<ExitCode(ExitCode)> &last = {});

/// Prints a failure to standard error, adds it to the JSON and returns its code.
/// `subject`: what the entry of the JSON begins with, such as the case.
ExitCode report_failure(const Failure &failure, JsonOutput &json,
                        const nlohmann::ordered_json &subject = nlohmann::ordered_json::object());

/// A report, or each report of a list, with the label of its case before everything else.
nlohmann::ordered_json of_case(const Config &config, const nlohmann::ordered_json &report);

}  // namespace perdure::commands
