#include "solver/commands/case_options.hpp"

#include <fmt/format.h>

#include "solver/case_file/sections.hpp"
#include "solver/commands/words.hpp"
#include "solver/messages.hpp"

namespace perdure::commands {
namespace {

/// What CLI11 says of an argument that is an empty text.
std::string is_not_empty(const std::string &text) {
    return text.empty()
               ? "expected a value, found an empty text, such as a variable of the shell that is not set"
               : "";
}

}  // namespace

void add_case_options(CLI::App &command, CaseOptions &options) {
    command.add_option("case", options.cases, "case files (YAML); - is standard input")
        ->required()
        ->type_name("CASE");
    add_overrides(command, options.overrides, "solver.rtol=1e-6");
    command.add_flag("--quiet,-q", options.quiet, "print nothing but errors and warnings")
        ->trigger_on_parse()
        ->each([](const std::string &) { leave_out_notices(); });
    command
        .add_option("--member", options.member,
                    "take one case of all, such as a member of a sweep; auto: SLURM_ARRAY_TASK_ID")
        ->type_name("I")
        ->check(is_not_empty);
    command
        .add_option("--shard", options.shard,
                    "take every N-th case from the I-th; auto: by the task of a Slurm array")
        ->type_name("I/N")
        ->check(is_not_empty);
    command.add_option("--log", "add what is printed to the end of this file, too")
        ->type_name("FILE")
        ->trigger_on_parse()
        ->each([](const std::string &file) {
            if (const std::string error = copy_messages_to(file); !error.empty()) {
                throw Failure(ExitCode::input_output,
                              fmt::format("--log: cannot write '{}': {}", file, error));
            }
        });
    options.json.add_to(command, "print the report alone, as JSON (of several cases: one line each)");
}

void add_options_of_run(CLI::App &run, CaseOptions &options) {
    run.add_option("--output,-o", options.output, "folder for the results (instead of output.directory)")
        ->type_name("FOLDER");
    run.add_flag("--force,-f", options.force, "replace results of an earlier run");
    run.add_flag("--resume", options.resume,
                 "go on from the last checkpoint of a run that did not end; without one begin");
    run.add_flag(
        "--take-over", options.take_over,
        "take an output name from a process that ended without giving it up, on a file system without locks");
    run.add_flag("--explain", options.explain,
                 "print the plan and what an iteration is expected to take, and behind the run what it took");
    run.add_option("--table", options.table,
                   "print another table behind the last case: order, how errors against exact solutions fall "
                   "from grid to grid")
        ->type_name(choices({"order"}))
        ->check(CLI::IsMember({"order"}).description(""));
    run.add_option(
           "--summary", options.summary,
           "name of the table of a batch, without .csv (by default DIRECTORY/CASE_summary or batch_summary)")
        ->type_name("NAME");
    run.add_flag("--append", options.append, "keep the rows that the table has of other cases");
    run.add_option("--time-limit",
                   "seconds after the start, or a text such as 1h30m: then a run in time leaves a "
                   "checkpoint, no further case begins, and the exit code is 75")
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
