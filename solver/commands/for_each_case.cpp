#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"

namespace perdure::commands {

ExitCode report_failure(const Failure &failure, bool json) {
    if (json) {
        nlohmann::ordered_json out;
        out["exit_code"] = static_cast<int>(failure.code());
        out["error"] = failure.what();
        fmt::print("{}\n", out.dump());
    }
    const bool positioned = !failure.diagnostics().empty();
    fmt::print(stderr, "{}{}\n", positioned ? "" : "error: ", failure.what());
    return failure.code();
}

ExitCode for_each_case(const CaseOptions &options, const std::function<ExitCode(const Config &)> &one) {
    ExitCode worst = ExitCode::success;
    for (const std::filesystem::path &path : options.cases) {
        ExitCode code = ExitCode::success;
        try {
            Config config = load_config(path, options.overrides);
            if (!options.output.empty()) {
                config.output.directory = options.output;
            }
            for (const Diagnostic &warning : config.warnings) {
                fmt::print(stderr, "{}\n", to_text(warning));
            }
            code = one(config);
        } catch (const Failure &failure) {
            code = report_failure(failure, options.json);
        }
        worst = std::max(worst, code);
    }
    return worst;
}

}  // namespace perdure::commands
