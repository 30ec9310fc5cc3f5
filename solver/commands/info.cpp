#include <algorithm>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/messages.hpp"
#include "solver/output/solution.hpp"

namespace perdure::commands {
namespace {

bool is_case_file(const std::filesystem::path &file) {
    const std::filesystem::path ending = file.extension();
    return std::filesystem::is_regular_file(file) && (ending == ".yaml" || ending == ".yml");
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
            if (is_case_file(file)) {
                throw Failure(ExitCode::case_or_usage,
                              fmt::format("'{}' is a case file; perdure info prints what a result holds, "
                                          "and `perdure validate {}` checks a case",
                                          file.string(), file.string()));
            }
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
