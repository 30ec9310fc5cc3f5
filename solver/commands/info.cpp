#include <algorithm>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/messages.hpp"
#include "solver/output/solution.hpp"

namespace perdure::commands {

ExitCode info(const std::vector<std::filesystem::path> &files, JsonOutput &json) {
    json.check();
    if (files.size() > 1) {
        json.one_line_each();
    }
    ExitCode worst = ExitCode::success;
    for (const std::filesystem::path &file : files) {
        try {
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
