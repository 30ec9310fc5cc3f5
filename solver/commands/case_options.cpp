#include "solver/commands/case_options.hpp"

#include <fmt/format.h>

#include "solver/case_file/sections.hpp"
#include "solver/commands/words.hpp"
#include "solver/messages.hpp"

namespace perdure::commands {
namespace {

/// What CLI11 says of an argument that is an empty text.
std::string is_not_empty(const std::string &text) {
    return text.empty() ? "expected a value, found an empty text; is a shell variable not set?" : "";
}

}  // namespace

void add_case_options(CLI::App &command, CaseOptions &options) {
    command.add_option("case", options.cases, "case files (YAML); - reads standard input")
        ->required()
        ->type_name("CASE");
    add_overrides(command, options.overrides, "solver.rtol=1e-6");
    command.add_flag("--quiet,-q", options.quiet, "print only errors and warnings")
        ->trigger_on_parse()
        ->each([](const std::string &) { leave_out_notices(); });
    command
        .add_option("--member", options.member,
                    "run only case I, such as a member of a sweep, counted from 1; auto: the value of "
                    "SLURM_ARRAY_TASK_ID")
        ->type_name("I")
        ->check(is_not_empty);
    command
        .add_option(
            "--shard", options.shard,
            "run every N-th case, beginning with the I-th; auto: according to the task of a Slurm array")
        ->type_name("I/N")
        ->check(is_not_empty);
    command.add_option("--log", "also append everything that is printed to this file")
        ->type_name("FILE")
        ->trigger_on_parse()
        ->each([](const std::string &file) {
            if (const std::string error = copy_messages_to(file); !error.empty()) {
                throw Failure(ExitCode::input_output,
                              fmt::format("--log: cannot write '{}': {}", file, error));
            }
        });
    options.json.add_to(command, "print only the report, as JSON (one line per case if there are several)");
}

void add_options_of_run(CLI::App &run, CaseOptions &options) {
    run.add_option("--output,-o", options.output, "folder for the results (overrides output.directory)")
        ->type_name("FOLDER");
    run.add_flag("--force,-f", options.force, "replace the results of an earlier run");
    run.add_flag("--resume", options.resume,
                 "continue from the last checkpoint of a run that did not end; without a checkpoint, begin "
                 "at the start");
    run.add_flag("--take-over", options.take_over,
                 "on a file system without locks: take over an output name that a process still claims "
                 "although it has ended");
    run.add_flag("--explain", options.explain,
                 "print the plan and the expected time of an iteration before the run, and the measured time "
                 "after it");
    run.add_option("--table", options.table,
                   "print another table after the last case; order: the observed orders of the errors "
                   "against exact solutions, from grid to grid")
        ->type_name(choices({"order"}))
        ->check([](const std::string &word) {
            return word == "order"
                       ? ""
                       : fmt::format("expected order, found '{}'{}", word, did_you_mean(word, {"order"}));
        });
    run.add_option("--summary", options.summary,
                   "name of the table of a batch, without .csv (default: DIRECTORY/CASE_summary or "
                   "DIRECTORY/batch_summary)")
        ->type_name("NAME");
    run.add_flag("--append", options.append, "keep the rows of other cases in the table");
    run.add_option("--time-limit",
                   "seconds after the start, or a text such as 1h30m: at this time a run in time writes a "
                   "checkpoint and stops, no further case begins, and the exit code is 75")
        ->type_name("TIME")
        ->each([&options](const std::string &text) {
            options.time_limit = time_limit_of(text);
            if (!options.time_limit) {
                throw Failure(
                    ExitCode::case_or_usage,
                    fmt::format(
                        "--time-limit: expected a number of seconds > 0, or a text such as 1h30m, 45m or "
                        "90s; found '{}'",
                        text));
            }
        });
}

}  // namespace perdure::commands
