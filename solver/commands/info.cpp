#include <algorithm>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/messages.hpp"
#include "solver/output/solution.hpp"

namespace perdure::commands {

ExitCode info(const std::vector<std::filesystem::path> &files, bool json) {
    ExitCode worst = ExitCode::success;
    for (const std::filesystem::path &file : files) {
        try {
            print_output("{}\n", describe_file(file, json));
        } catch (const Failure &failure) {
            worst = std::max(worst, report_failure(failure, json));
        }
    }
    return worst;
}

}  // namespace perdure::commands
