#include <algorithm>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/messages.hpp"
#include "solver/output/solution.hpp"

namespace perdure::commands {
namespace {

/// Files of other commands, by the end of their names.
void refuse_other_kinds(const std::filesystem::path &file) {
    if (!std::filesystem::is_regular_file(file)) {
        return;
    }
    const std::string name = file.string();
    const std::filesystem::path ending = file.extension();
    std::string kind, advice;
    if (ending == ".yaml" || ending == ".yml") {
        kind = "case file";
        advice = fmt::format("`perdure validate {}` checks a case", name);
    } else if (ending == ".csv") {
        kind = "table in text";
        advice = fmt::format("`perdure table {}` prints the table of a batch", name);
    } else if (ending == ".checkpoint") {
        kind = "checkpoint";
        advice = "`perdure run CASE --resume` continues from a checkpoint";
    } else {
        return;
    }
    throw Failure(
        ExitCode::case_or_usage,
        fmt::format("'{}' is a {}; perdure info prints what a result holds, and {}", name, kind, advice));
}

}  // namespace

ExitCode info(const std::vector<std::filesystem::path> &files, JsonOutput &json) {
    json.check();
    if (files.size() > 1) {
        json.one_line_each();
    }
    ExitCode worst = ExitCode::success;
    for (const std::filesystem::path &file : files) {
        try {
            refuse_other_kinds(file);
            const nlohmann::ordered_json contents = describe_file(file);
            if (!json.alone()) {
                print_output("{}\n", describe(contents));
            }
            json.add(contents);
        } catch (const Failure &failure) {
            worst = std::max(worst, report_failure(failure, json, {{"file", file.string()}}));
        }
    }
    json.write();
    return worst;
}

}  // namespace perdure::commands
