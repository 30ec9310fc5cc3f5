#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/compare/choose_model.hpp"
#include "solver/output/report_text.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/reference.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {
namespace {

/// Largest relative L2 difference that counts as agreement: the error that a residual of rtol may leave, or
/// rounding.
double default_bound(const Config &config) {
    const bool single = config.execution.precision == Precision::float32;
    if (config.type == ProblemType::heat) {
        return single ? 1.0e-4 : 1.0e-10;
    }
    return std::max(1.0e3 * config.solver.rtol, single ? 1.0e-3 : 1.0e-10);
}

/// A single cell may differ by this much more than the mean does.
constexpr double maximum_per_l2 = 100.0;

ExitCode verify_one(const Config &config, const CaseOptions &options) {
    PreparedCase prepared = prepare_case(config);
    const InterruptGuard guard;
    choose_model(prepared);
    for (const Diagnostic &warning : prepared.problem.warnings) {
        fmt::print(stderr, "{}\n", to_text(warning));
    }
    const Progress::Style style = options.quiet ? Progress::Style::quiet : Progress::Style::automatic;
    const Solution solution = run_case(prepared, style, [](const Solution &) {});
    if (solution.report.stop == StopReason::stopped) {
        return ExitCode::stopped;
    }
    const reference::Answer answer =
        config.type == ProblemType::heat
            ? reference::step_heat(prepared.problem, step_sizes(heat_segments(prepared)))
            : reference::solve_diffusion(prepared.problem);
    const FieldDifference difference = compare(solution.u, answer.u);
    const double bound = options.bound.value_or(default_bound(config));
    const bool agrees = difference.l2_relative <= bound &&
                        difference.max_relative <= maximum_per_l2 * bound &&
                        difference.disagreeing_exclusions == 0;
    if (options.json) {
        nlohmann::ordered_json json;
        json["agrees"] = agrees;
        json["bound"] = bound;
        json["l2"] = difference.l2;
        json["l2_relative"] = difference.l2_relative;
        json["max"] = difference.max;
        json["max_relative"] = difference.max_relative;
        json["disagreeing_exclusions"] = difference.disagreeing_exclusions;
        json["reference"] = answer.solver;
        json["run"] = to_json(solution.report);
        fmt::print("{}\n", json.dump(2));
    } else if (!options.quiet) {
        fmt::print("{}", to_text(solution.report, prepared.problem.grid));
        fmt::print("reference: {}, {} unknowns, relative residual {:.1e}\n", answer.solver, answer.unknowns,
                   answer.relative_residual);
    }
    if (!options.json && !(options.quiet && agrees)) {
        std::FILE *out = agrees ? stdout : stderr;
        fmt::print(
            out,
            "{}: {}: difference L2 {:.3e} (relative {:.3e}, bound {:.1e}), maximum {:.3e} (relative {:.3e})",
            label(config), agrees ? "agrees" : "DIFFERS", difference.l2, difference.l2_relative, bound,
            difference.max, difference.max_relative);
        fmt::print(out, "{}\n",
                   difference.disagreeing_exclusions > 0
                       ? fmt::format(", {} cells are excluded in only one of them",
                                     difference.disagreeing_exclusions)
                       : "");
    }
    return std::max(agrees ? ExitCode::success : ExitCode::differs_or_internal,
                    exit_code(solution.report.stop));
}

}  // namespace

ExitCode verify(const CaseOptions &options) {
    return for_each_case(options, load_batch(options),
                         [&](const Config &config) { return verify_one(config, options); });
}

}  // namespace perdure::commands
