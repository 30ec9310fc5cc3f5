#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/equations/equation.hpp"
#include "solver/messages.hpp"
#include "solver/output/report_text.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/percolation.hpp"
#include "solver/reference/reference.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/run_effective.hpp"

namespace perdure::commands {
namespace {

/// What a run and the reference say of one problem, and whether they agree.
struct Verdict {
    Solution solution;
    reference::Answer answer;
    FieldDifference difference;
    double bound = 0.0;
    bool agrees = false;
    std::string direction;  // of an effective case
};

Verdict judge(const PreparedCase &prepared, const CaseOptions &options) {
    const Config &config = prepared.config;
    const Progress::Style style = options.quiet ? Progress::Style::quiet : Progress::Style::automatic;
    Verdict verdict;
    verdict.solution = run_case(prepared, style, [](const Solution &) {});
    if (verdict.solution.report.stop == StopReason::stopped) {
        return verdict;
    }
    verdict.answer = is_in_time(config)
                         ? reference::step_heat(prepared.problem, step_sizes(heat_segments(prepared)))
                         : reference::solve_diffusion(prepared.problem);
    verdict.difference = compare(verdict.solution.u, verdict.answer.u);
    verdict.bound = options.bound.value_or(agreement_bound(config));
    verdict.agrees = agrees(verdict.difference, verdict.bound);
    return verdict;
}

nlohmann::ordered_json to_json(const Verdict &verdict) {
    nlohmann::ordered_json json;
    if (!verdict.direction.empty()) {
        json["direction"] = verdict.direction;
    }
    json["agrees"] = verdict.agrees;
    json["bound"] = verdict.bound;
    json["l2"] = verdict.difference.l2;
    json["l2_relative"] = verdict.difference.l2_relative;
    json["max"] = verdict.difference.max;
    json["max_relative"] = verdict.difference.max_relative;
    json["disagreeing_exclusions"] = verdict.difference.disagreeing_exclusions;
    json["reference"] = verdict.answer.solver;
    json["run"] = to_json(verdict.solution.report);
    return json;
}

void print(const Verdict &verdict, const PreparedCase &prepared, bool quiet) {
    if (!quiet) {
        print_output("{}", to_text(verdict.solution.report, prepared.problem.grid));
        print_output("reference: {}, {} unknowns, relative residual {:.1e}\n", verdict.answer.solver,
                     verdict.answer.unknowns, verdict.answer.relative_residual);
    }
    if (quiet && verdict.agrees) {
        return;
    }
    const FieldDifference &difference = verdict.difference;
    const std::string text = fmt::format(
        "{}: {}{}: difference L2 {:.3e} (relative {:.3e}, bound {:.1e}), maximum {:.3e} (relative "
        "{:.3e}){}\n",
        label(prepared.config), verdict.direction.empty() ? "" : fmt::format("along {}: ", verdict.direction),
        verdict.agrees ? "agrees" : "DIFFERS", difference.l2, difference.l2_relative, verdict.bound,
        difference.max, difference.max_relative,
        difference.disagreeing_exclusions > 0
            ? fmt::format(", {} cells are excluded in only one of them", difference.disagreeing_exclusions)
            : "");
    if (verdict.agrees) {
        write_output(text);
    } else {
        write_message(text);
    }
}

/// The percolation of the device against a flood on the host; empty where they agree.
std::string compare_percolation(const PreparedCase &prepared, const Percolation &found) {
    const EffectiveConfig &effective = *prepared.config.effective;
    for (const int axis : effective.axes) {
        const reference::Percolation expected =
            reference::flood(prepared.problem.grid, prepared.problem.image, axis, effective.periodic);
        if (expected.material != found.along[axis].material ||
            expected.connected_cells != found.along[axis].connected_cells) {
            return fmt::format(
                "percolation along {} DIFFERS: {} cells connected from face to face on the device, "
                "{} by the reference, or other labels percolate",
                name(static_cast<Axis>(axis)), found.along[axis].connected_cells, expected.connected_cells);
        }
    }
    return {};
}

/// Percolation, and every direction that percolates.
std::vector<Verdict> judge_effective(PreparedCase &prepared, const CaseOptions &options) {
    prepared.config.output.fields = {"u"};  // which the reference is asked about, whatever is to be written
    const Percolation percolation = find_percolation(prepared);
    const std::string wrong = compare_percolation(prepared, percolation);
    if (!wrong.empty()) {
        throw Failure(ExitCode::differs_or_internal, fmt::format("{}: {}", label(prepared.config), wrong));
    }
    std::vector<Verdict> verdicts;
    for (const int axis : prepared.config.effective->axes) {
        if (!percolation.along[axis].percolates()) {
            continue;
        }
        turn_towards(axis, prepared);
        prepared.cells = active_along(percolation, axis);
        prepared.image = std::make_shared<ImageOnDevice>(
            ImageOnDevice{percolation.material_on_device, percolation.faces_on_device, {}});
        verdicts.push_back(judge(prepared, options));
        verdicts.back().direction = name(static_cast<Axis>(axis));
    }
    return verdicts;
}

ExitCode verify_one(const Config &config, CaseOptions &options) {
    PreparedCase prepared = prepare_case(config);
    options.measurements.choose_model(prepared);
    for (const Diagnostic &warning : prepared.problem.warnings) {
        print_message("{}\n", to_text(warning));
    }
    std::vector<Verdict> verdicts;
    if (config.effective) {
        verdicts = judge_effective(prepared, options);
    } else {
        verdicts.push_back(judge(prepared, options));
    }
    ExitCode code = ExitCode::success;
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Verdict &verdict : verdicts) {
        if (verdict.solution.report.stop == StopReason::stopped) {
            return ExitCode::stopped;
        }
        json.push_back(to_json(verdict));
        if (!options.json.alone()) {
            print(verdict, prepared, options.quiet);
        }
        code = std::max({code, verdict.agrees ? ExitCode::success : ExitCode::differs_or_internal,
                         exit_code(verdict.solution.report.stop)});
    }
    options.json.add(config.effective ? json : json.front());
    if (!options.json.alone() && config.effective && !options.quiet) {
        print_output("{}: percolation agrees with a flood on the host, {} of {} directions percolate\n",
                     label(config), verdicts.size(), config.effective->axes.size());
    }
    return code;
}

}  // namespace

ExitCode verify(CaseOptions &options) {
    const InterruptGuard guard;
    std::vector<BatchCase> batch = load_batch(options);
    return for_each_case(options, batch, [&](const Config &config) { return verify_one(config, options); });
}

}  // namespace perdure::commands
