#include "solver/measure/compare/choose_model.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/measure/compare/compile_time.hpp"
#include "solver/measure/compare/model_cache.hpp"
#include "solver/measure/compare/model_key.hpp"
#include "solver/measure/compare/run_length.hpp"
#include "solver/measure/compare/sweep.hpp"
#include "solver/problem/problem_findings.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/work_done.hpp"
#include "solver/time_spent.hpp"

namespace perdure::compare {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int rounds = 5;
constexpr double enough_seconds_a_run = 0.02;  // of a run
constexpr std::chrono::seconds longest{2};
constexpr double same_up_to_factor = 1.02;

/// Whole rounds of all models, as far as time allows; empty where none was finished.
template <typename Real>
std::vector<Result> measure(const PointTask &task) {
    Benchmark<Real> benchmark(task);
    RunLength length;
    length.check_every = static_cast<std::uint32_t>(task.config.solver.check_every);
    auto &candidates = benchmark.candidates();
    for (Candidate<Real> &candidate : candidates) {  // the first run may compile kernels
        if (candidate.usable()) {
            (void)benchmark.from_scratch(candidate, {1, length.check_every});
        }
    }
    benchmark.end_at(Clock::now() + longest);
    if (!choose_length(benchmark, {enough_seconds_a_run, enough_seconds_a_run}, 1, length)) {
        return {};
    }
    for (int round = 0; round < task.rounds; ++round) {
        std::vector<double> seconds(candidates.size(), 0.0);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const auto timing =
                candidates[i].usable() ? benchmark.timed(candidates[i], length) : std::nullopt;
            seconds[i] = timing ? timing->seconds / work_done(timing->state) : 0.0;
        }
        if (benchmark.ended()) {
            break;
        }
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (seconds[i] > 0.0) {
                candidates[i].result.seconds.values.push_back(seconds[i]);
            }
        }
    }
    std::vector<Result> results;
    for (const Candidate<Real> &candidate : candidates) {
        if (candidate.result.counts()) {
            results.push_back(candidate.result);
        }
    }
    return results;
}

ModelTimes calibrate(const PreparedCase &prepared, const std::vector<ExecutionModel> &models,
                     std::string &why_not) {
    std::vector<Contender> measured = contenders({}, {}, false, prepared.config);
    std::erase_if(measured, [&](const Contender &one) {
        return std::find(models.begin(), models.end(), one.model) == models.end();
    });
    const PointTask task{prepared.config,
                         prepared.problem,
                         known_cells(prepared),
                         *prepared.selected.device,
                         measured,
                         rounds,
                         0,
                         {}};
    ModelTimes times;
    times.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    try {
        const bool single = prepared.config.execution.precision == Precision::float32;
        for (const Result &result : single ? measure<float>(task) : measure<double>(task)) {
            times.seconds.emplace_back(result.model, result.seconds.lowest());
        }
        why_not = fmt::format("no round of all models fitted in {} s", longest.count());
    } catch (const Failure &failure) {
        if (failure.code() != ExitCode::numerical && failure.code() != ExitCode::device) {
            throw;
        }
        why_not = failure.what();
    }
    return times;
}

/// Seconds an iteration of the fastest.
double least(const ModelTimes &times) {
    return std::min_element(times.seconds.begin(), times.seconds.end(),
                            [](const auto &one, const auto &other) { return one.second < other.second; })
        ->second;
}

std::vector<ExecutionModel> without_resident(std::vector<ExecutionModel> models) {
    std::erase(models, ExecutionModel::resident);
    return models;
}

ExecutionModel fastest(const ModelTimes &times, const std::vector<ExecutionModel> &models) {
    const auto seconds = [&](ExecutionModel model) {
        for (const auto &[known, value] : times.seconds) {
            if (known == name(model)) {
                return value;
            }
        }
        return std::numeric_limits<double>::infinity();
    };
    const ExecutionModel best = *std::min_element(
        models.begin(), models.end(),
        [&](ExecutionModel one, ExecutionModel other) { return seconds(one) < seconds(other); });
    return *std::find_if(models.begin(), models.end(), [&](ExecutionModel model) {
        return seconds(model) <= same_up_to_factor * seconds(best);
    });
}

/// The one taken, then the others.
std::string in_words(ModelTimes times, ExecutionModel taken) {
    std::sort(times.seconds.begin(), times.seconds.end(),
              [](const auto &one, const auto &other) { return one.second < other.second; });
    const bool level = times.seconds.front().first != name(taken);
    std::string first;
    std::string others;
    for (const auto &[model, seconds] : times.seconds) {
        if (model == name(taken)) {
            first = fmt::format("{:.4g} us per iteration", 1.0e6 * seconds);
        } else {
            others += fmt::format("{}{} {:.4g}", others.empty() ? "; " : ", ", model, 1.0e6 * seconds);
        }
    }
    return first + others + (level ? ", within 2 % of each other" : "");
}

void take(PreparedCase &prepared, ExecutionModel model, const std::string &why) {
    prepared.config.execution.model = model;
    prepared.plan = plan_launch(prepared.config, *prepared.selected.device);
    choose_barrier(prepared.config, *prepared.selected.device, prepared.plan);
    prepared.model_choice = fmt::format("model: auto chooses {}: {}", name(model), why);
}

void remark(PreparedCase &prepared, const std::string &text) {
    if (!text.empty()) {
        prepared.problem.warnings.push_back(ProblemFindings(prepared.config)
                                                .make(Diagnostic::Severity::warning,
                                                      prepared.config.execution.model_position,
                                                      "execution.model: auto: " + text));
    }
}

}  // namespace

void choose_model(PreparedCase &prepared, const std::filesystem::path &cache) {
    const TimeSpent::Scope planning(Activity::plan);
    if (prepared.config.execution.model != ExecutionModel::automatic) {
        return;
    }
    const auto models = models_there(prepared.selected.device->description());
    if (models.size() == 1) {
        take(prepared, models.front(), "the device has no other model");
        return;
    }
    if (prepared.plan.method->implicit != nullptr) {
        take(prepared, ExecutionModel::persistent, "implicit steps are not timed beforehand");
        return;
    }
    const Clock::time_point start = Clock::now();
    const ModelKey key = key_of(prepared);
    CacheState state;
    if (const auto kept = find_model_times(cache, key, state)) {
        const ExecutionModel model = fastest(*kept, models);
        take(prepared, model,
             fmt::format("{} (measured on {}, kept in {})", in_words(*kept, model), kept->date,
                         cache.string()));
        return;
    }
    const double compiling = seconds_to_compile_resident(prepared);
    std::string why_not;
    ModelTimes times;
    bool everything = compiling == 0.0;
    std::string skipped;
    if (!everything) {
        times = calibrate(prepared, without_resident(models), why_not);
        const double run = times.seconds.empty() ? 0.0 : expected_iterations(prepared) * least(times);
        everything = is_worth_compiling(compiling, run);
        skipped = fmt::format(
            "; resident was not measured, because compiling its kernel takes about {:.0f} s and the run "
            "about {:.2g} s",
            compiling, run);
    }
    if (everything) {
        times = calibrate(prepared, models, why_not);
    }
    if (times.seconds.empty()) {
        remark(prepared, state.trouble);
        take(prepared, models.front(), "not measured: " + why_not);
        return;
    }
    if (everything) {
        keep_model_times(cache, key, times, state);
    }
    const ExecutionModel model = fastest(times, models);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    take(prepared, model,
         fmt::format("{} (measured in {:.2g} s{}{})", in_words(times, model), seconds,
                     state.stale ? "; the times kept earlier belong to another program or driver" : "",
                     everything ? "" : skipped));
    remark(prepared, state.trouble);
}

}  // namespace perdure::compare
