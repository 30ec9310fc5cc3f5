#include <cstdio>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/compare/choose_model.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/report_text.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {
namespace {

ExitCode run_one(const Config &config, const CaseOptions &options) {
    PreparedCase prepared = prepare_case(config, [&] { check_output(config, options.force); });
    const InterruptGuard guard;
    choose_model(prepared);
    for (const Diagnostic &warning : prepared.problem.warnings) {
        fmt::print(stderr, "{}\n", to_text(warning));
    }
    SnapshotWriter writer(config, prepared.problem.grid);
    const Progress::Style style = options.quiet ? Progress::Style::quiet : Progress::Style::automatic;
    std::vector<std::filesystem::path> written;
    const Solution last = run_case(prepared, style, [&](const Solution &solution) {
        written.push_back(writer.write(solution));
        if (!options.quiet && !options.json) {
            fmt::print("wrote {}\n", written.back().string());
            std::fflush(stdout);
        }
    });
    if (options.force) {
        remove_earlier_outputs(config, written);
    }
    if (options.json) {
        nlohmann::ordered_json json = to_json(last.report);
        json["exit_code"] = static_cast<int>(exit_code(last.report.stop));
        for (const std::filesystem::path &path : written) {
            json["written"].push_back(path.string());
        }
        fmt::print("{}\n", json.dump(options.cases.size() > 1 ? -1 : 2));
    } else if (!options.quiet) {
        fmt::print("{}", to_text(last.report, prepared.problem.grid));
    }
    const ExitCode code = exit_code(last.report.stop);
    if (options.quiet && !options.json && code != ExitCode::success) {
        fmt::print(stderr, "{}: {}", config.path.string(), to_text(last.report, prepared.problem.grid));
    }
    return code;
}

/// Two cases of one call must not write over each other. What is wrong with a case itself is said when its
/// turn comes.
void refuse_equal_outputs(const CaseOptions &options) {
    std::map<std::filesystem::path, std::filesystem::path> writer;
    for (const std::filesystem::path &path : options.cases) {
        try {
            Config config = load_config(path, options.overrides);
            if (!options.output.empty()) {
                config.output.directory = options.output;
            }
            const auto [other, is_new] = writer.emplace(series_path(config).lexically_normal(), path);
            if (!is_new) {
                throw std::invalid_argument(
                    fmt::format("{} and {} would both write {}; set output.name or run them apart",
                                other->second.string(), path.string(), other->first.string()));
            }
        } catch (const Failure &) {
            continue;
        } catch (const std::invalid_argument &collision) {
            throw Failure(ExitCode::case_or_usage, collision.what());
        }
    }
}

}  // namespace

ExitCode run(const CaseOptions &options) {
    refuse_equal_outputs(options);
    return for_each_case(options, [&](const Config &config) { return run_one(config, options); });
}

}  // namespace perdure::commands
