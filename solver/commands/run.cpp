#include <cstdio>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/output/report_text.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {
namespace {

ExitCode run_one(const Config &config, const CaseOptions &options) {
    check_output(config, options.force);
    const PreparedCase prepared = prepare_case(config);
    for (const Diagnostic &warning : prepared.problem.warnings) {
        fmt::print(stderr, "{}\n", to_text(warning));
    }
    const InterruptGuard guard;
    SnapshotWriter writer(config, prepared.problem.grid);
    const Progress::Style style = options.quiet ? Progress::Style::quiet : Progress::Style::automatic;
    std::vector<std::string> written;
    const Solution last = run_case(prepared, style, [&](const Solution &solution) {
        written.push_back(writer.write(solution).string());
        if (!options.quiet && !options.json) {
            fmt::print("wrote {}\n", written.back());
            std::fflush(stdout);
        }
    });
    if (options.json) {
        nlohmann::ordered_json json = to_json(last.report);
        json["exit_code"] = static_cast<int>(exit_code(last.report.stop));
        json["written"] = written;
        fmt::print("{}\n", json.dump(2));
    } else if (!options.quiet) {
        fmt::print("{}", to_text(last.report, prepared.problem.grid));
    }
    const ExitCode code = exit_code(last.report.stop);
    if (options.quiet && !options.json && code != ExitCode::success) {
        fmt::print(stderr, "{}: {}", config.path.string(), to_text(last.report, prepared.problem.grid));
    }
    return code;
}

}  // namespace

ExitCode run(const CaseOptions &options) {
    return for_each_case(options, [&](const Config &config) { return run_one(config, options); });
}

}  // namespace perdure::commands
