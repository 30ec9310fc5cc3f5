#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::commands {

namespace {

/// Once for the members of a sweep that leave out the same.
void say_assumptions(const Config &config, const CaseOptions &options, std::set<std::string> &said) {
    if (options.quiet || config.assumed.empty()) {
        return;
    }
    const std::string text =
        fmt::format("{}: assumed: {}\n", config.path.string(), fmt::join(config.assumed, "; "));
    if (said.insert(text).second) {
        fmt::print(stderr, "{}", text);
    }
}

}  // namespace

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

std::vector<BatchCase> load_batch(const CaseOptions &options) {
    std::vector<BatchCase> batch;
    for (const std::filesystem::path &path : options.cases) {
        try {
            for (Config &config : load_cases(path, options.overrides)) {
                if (!options.output.empty()) {
                    config.output.directory = options.output;
                }
                batch.push_back({path, std::move(config), std::nullopt});
            }
        } catch (const Failure &failure) {
            batch.push_back({path, std::nullopt, failure});
        }
    }
    return batch;
}

std::string label(const Config &config) {
    if (!config.sweep) {
        return config.path.string();
    }
    std::string settings;
    for (const auto &[key, value] : config.sweep->settings) {
        settings += fmt::format("{}{}={}", settings.empty() ? ": " : ", ", key, value);
    }
    return fmt::format("{}, {} of {}{}", config.path.string(), config.sweep->number, config.sweep->count,
                       settings);
}

ExitCode for_each_case(const CaseOptions &options, std::vector<BatchCase> &batch,
                       const std::function<ExitCode(const Config &)> &one,
                       const std::function<void(const BatchCase &, const Failure &)> &failed) {
    ExitCode worst = ExitCode::success;
    std::set<std::string> said;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        ExitCode code = ExitCode::success;
        try {
            if (batch[i].failure) {
                throw Failure(*batch[i].failure);
            }
            say_assumptions(*batch[i].config, options, said);
            for (const Diagnostic &warning : batch[i].config->warnings) {
                fmt::print(stderr, "{}\n", to_text(warning));
            }
            code = one(*batch[i].config);
        } catch (const Failure &failure) {
            code = report_failure(failure, options.json);
            if (failed) {
                failed(batch[i], failure);
            }
        }
        batch[i].config.reset();
        if (i + 1 < batch.size() && interrupted()) {  // also between two cases
            code = ExitCode::stopped;
        }
        worst = std::max(worst, code);
        if (code == ExitCode::stopped) {
            if (i + 1 < batch.size()) {
                fmt::print(stderr, "stopped: {} of {} cases not begun; the same call goes on with them\n",
                           batch.size() - i - 1, batch.size());
            }
            break;
        }
    }
    return worst;
}

}  // namespace perdure::commands
