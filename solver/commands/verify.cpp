#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/commands/lead_ranks.hpp"
#include "solver/equations/equation.hpp"
#include "solver/in_words.hpp"
#include "solver/messages.hpp"
#include "solver/output/report_text.hpp"
#include "solver/reference/compare_column.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/compare_watched.hpp"
#include "solver/reference/reference.hpp"
#include "solver/run/case_solves.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::commands {
namespace {

/// What a run and the reference say of one problem, and whether they agree.
struct Verdict {
    Solution solution;
    reference::Answers answers;
    std::vector<FieldDifference> differences;  // of each field
    WatchedDifference watched;                 // at the end, of what the case watches
    std::optional<double> column;              // of an effective case: difference_of_column()
    double bound = 0.0;
    bool agrees = false;
    std::string direction;  // of an effective case
};

/// Those of the case or, of a run that chooses its steps, its own: where stability limits steps, what rounding makes of the choice grows.
std::vector<double> steps_made(const PreparedCase &prepared, const Report &report) {
    if (!prepared.plan.method->chooses_steps) {
        return step_sizes(time_segments(prepared));
    }
    if (static_cast<std::int64_t>(report.step_sizes.size()) < report.iterations) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("{}: the reference repeats the steps of the run, but the run made {} steps and keeps "
                        "the sizes of the first {} only; verify the case with an earlier time.end",
                        label(prepared.config), report.iterations, report.step_sizes.size()));
    }
    return report.step_sizes;
}

Verdict judge(const PreparedCase &prepared, Solution solution, const CaseOptions &options) {
    const Config &config = prepared.config;
    Verdict verdict;
    verdict.solution = std::move(solution);
    if (verdict.solution.report.stop == StopReason::stopped) {
        return verdict;
    }
    std::vector<double> steps = steps_made(prepared, verdict.solution.report);
    if (verdict.solution.report.stop == StopReason::asked) {
        steps.resize(static_cast<std::size_t>(verdict.solution.report.iterations));
    }
    verdict.answers = prepared.plan.method->reference(prepared.problem, steps);
    verdict.bound = options.bound.value_or(agreement_bound(config));
    verdict.agrees = true;
    for (std::size_t i = 0; i < verdict.answers.size(); ++i) {
        verdict.differences.push_back(
            compare(verdict.solution.fields.at(i).values, verdict.answers[i].values));
        verdict.agrees = verdict.agrees && agrees(verdict.differences.back(), verdict.bound);
    }
    const std::optional<EffectiveProperties> &effective = verdict.solution.report.effective;
    if (config.effective && effective) {
        verdict.column = difference_of_column(prepared.problem.grid, prepared.problem.only_field(),
                                              FieldValues(verdict.answers[0].values), *effective,
                                              config.effective->sides != ImageSides::insulated);
        verdict.agrees = verdict.agrees && *verdict.column <= verdict.bound;
    }
    if (verdict.solution.series) {
        verdict.watched = compare_watched(prepared.problem, *verdict.solution.series, verdict.answers);
        verdict.agrees = verdict.agrees && verdict.watched.largest <= verdict.bound;
    }
    return verdict;
}

nlohmann::ordered_json to_json(const Verdict &verdict) {
    nlohmann::ordered_json json;
    if (!verdict.direction.empty()) {
        json["direction"] = verdict.direction;
    }
    json["agrees"] = verdict.agrees;
    json["bound"] = verdict.bound;
    for (std::size_t i = 0; i < verdict.differences.size(); ++i) {
        const FieldDifference &difference = verdict.differences[i];
        json["fields"][verdict.answers[i].field] = {
            {"l2", difference.l2},
            {"l2_relative", difference.l2_relative},
            {"max", difference.max},
            {"max_relative", difference.max_relative},
            {"disagreeing_exclusions", difference.disagreeing_exclusions},
            {"reference", verdict.answers[i].solver}};
    }
    if (verdict.column) {
        json["column"] = {{"largest_difference", *verdict.column}};
    }
    if (verdict.solution.series) {
        json["watched"] = {{"values", verdict.watched.values},
                           {"largest_difference", verdict.watched.largest},
                           {"in", verdict.watched.name}};
    }
    json["run"] = to_json(verdict.solution.report);
    return json;
}

/// A line for a field: what differs by how much.
std::string to_text(const Verdict &verdict, std::size_t field, const PreparedCase &prepared) {
    const FieldDifference &difference = verdict.differences[field];
    return fmt::format(
        "{}: {}{} {}: difference L2 {:.3e} (relative {:.3e}, bound {:.1e}), maximum {:.3e} (relative "
        "{:.3e}){}\n",
        label(prepared.config), verdict.direction.empty() ? "" : fmt::format("along {}: ", verdict.direction),
        verdict.answers[field].field, agrees(difference, verdict.bound) ? "agrees" : "DIFFERS", difference.l2,
        difference.l2_relative, verdict.bound, difference.max, difference.max_relative,
        difference.disagreeing_exclusions > 0
            ? fmt::format(", {} excluded from only one of the two solutions",
                          count_of(difference.disagreeing_exclusions, "cell"))
            : "");
}

/// A line for what the case watches; empty where it watches nothing.
std::string watched_text(const Verdict &verdict, const PreparedCase &prepared) {
    const WatchedDifference &watched = verdict.watched;
    return verdict.solution.series
               ? fmt::format("{}: {} {}: largest relative difference {:.3e}, in {} (bound {:.1e})\n",
                             label(prepared.config), count_of(watched.values, "watched value"),
                             watched.largest > verdict.bound ? "DIFFER"
                             : watched.values == 1           ? "agrees"
                                                             : "agree",
                             watched.largest, watched.name, verdict.bound)
               : "";
}

/// A line for the column of the tensor; empty where there is none.
std::string column_text(const Verdict &verdict, const PreparedCase &prepared) {
    return verdict.column
               ? fmt::format(
                     "{}: along {}: {} {}: largest difference {:.3e} of the coefficient (bound "
                     "{:.1e})\n",
                     label(prepared.config), verdict.direction,
                     prepared.config.effective->sides == ImageSides::insulated ? "effective coefficient"
                                                                               : "column of the tensor",
                     *verdict.column <= verdict.bound ? "agrees" : "DIFFERS", *verdict.column, verdict.bound)
               : "";
}

void print(const Verdict &verdict, const PreparedCase &prepared, bool quiet) {
    if (!quiet) {
        print_output("{}", to_text(verdict.solution.report, prepared.problem.grid));
    }
    for (std::size_t i = 0; i < verdict.answers.size(); ++i) {
        const reference::Answer &answer = verdict.answers[i];
        if (!quiet) {
            print_output("reference of {}: {}, {} unknowns, relative residual {:.1e}\n", answer.field,
                         answer.solver, answer.unknowns, answer.relative_residual);
        }
        if (!agrees(verdict.differences[i], verdict.bound)) {
            write_message(to_text(verdict, i, prepared));
        } else if (!quiet) {
            write_output(to_text(verdict, i, prepared));
        }
    }
    const std::string rest = column_text(verdict, prepared) + watched_text(verdict, prepared);
    if (!verdict.agrees) {
        write_message(rest);
    } else if (!quiet) {
        write_output(rest);
    }
}

ExitCode verify_one(const Config &config, CaseOptions &options) {
    Config of_run = config;
    choose_model_of_ranks(of_run);
    PreparedCase prepared = prepare_case(std::move(of_run));
    prepared.config.output.fields.reset();  // the equation's own are compared, whatever is to be written
    options.measurements.choose_model(prepared);
    for (const Diagnostic &warning : prepared.problem.warnings) {
        print_message("{}\n", to_text(warning));
    }
    std::vector<Verdict> verdicts;
    std::exception_ptr failed;  // of the first that could not be judged: other ranks go on with the solves
    const Progress::Style style = options.quiet ? Progress::Style::quiet : Progress::Style::automatic;
    const std::string before_solves = each_with_ranks(prepared, [&](const std::string &direction) {
        Solution solution = run_case(prepared, style, [](const Solution &) {});
        try {
            if (!failed) {
                verdicts.push_back(judge(prepared, std::move(solution), options));
                verdicts.back().direction = direction;
            }
        } catch (const std::exception &) {
            failed = std::current_exception();
        }
    });
    if (failed) {
        std::rethrow_exception(failed);
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
    if (verdicts.empty()) {
        json.push_back({{"direction", nullptr}, {"agrees", true}});  // that nothing percolates
    }
    options.json.add(of_case(config, directions_of(config).empty() ? json.front() : json));
    if (!options.json.alone() && !before_solves.empty() && !options.quiet) {
        print_output("{}: {}\n", label(config), before_solves);
    }
    return code;
}

}  // namespace

ExitCode verify(CaseOptions &options) {
    return by_all_ranks([&] {
        const InterruptGuard guard;
        std::vector<BatchCase> batch = load_batch(options);
        return for_each_case(options, batch,
                             [&](const Config &config) { return verify_one(config, options); });
    });
}

}  // namespace perdure::commands
