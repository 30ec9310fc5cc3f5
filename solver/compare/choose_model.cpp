#include "solver/compare/choose_model.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/compare/model_cache.hpp"
#include "solver/compare/run_length.hpp"
#include "solver/compare/sweep.hpp"
#include "solver/problem/problem_findings.hpp"
#include "solver/resident/plan_resident.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/version.hpp"

namespace perdure {
namespace compare {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int rounds = 5;
constexpr double enough_seconds_a_run = 0.02;  // of a run
constexpr std::chrono::seconds longest{2};
constexpr double same_up_to_factor = 1.02;

std::vector<ExecutionModel> models_there(const DeviceDescription &device) {
    std::vector<ExecutionModel> models;
    for (const ExecutionModel model : all_models) {
        if (model_missing(device, model).empty()) {
            models.push_back(model);
        }
    }
    return models;
}

std::vector<std::string> sides_of(const Config &config) {
    std::vector<std::string> sides;
    for (const SideConfig &side : config.sides) {
        sides.push_back(fmt::format("{} {} {}", name(side.kind), static_cast<int>(side.coefficient.kind),
                                    side.values.time_factor.empty() ? "" : "in time"));
    }
    return sides;
}

std::vector<int> velocity_of(const Config &config) {
    std::vector<int> kinds;
    for (int axis = 0; config.velocity && axis < config.velocity->dimensions; ++axis) {
        kinds.push_back(
            static_cast<int>(config.velocity->components.at(static_cast<std::size_t>(axis)).kind));
    }
    return kinds;
}

/// Launches end at them.
std::int64_t snapshots_of(const TimeConfig &time) {
    return time.snapshot_every > 0 ? time.snapshot_every
                                   : -static_cast<std::int64_t>(time.snapshot_times.size());
}

/// Everything that the times depend on.
ModelKey key_of(const PreparedCase &prepared) {
    const Config &config = prepared.config;
    const DeviceDescription &device = prepared.selected.device->description();
    const ExecutionConfig &execution = config.execution;
    std::vector<std::string> models;
    for (const ExecutionModel model : models_there(device)) {
        models.emplace_back(name(model));
    }
    const nlohmann::ordered_json place{
        {"program", fmt::format("{}, {}, {}", version(), built_with(), build_id())},
        {"driver", device.driver},
        {"models", models}};
    const nlohmann::ordered_json of_case{
        {"backend", name(device.backend)},
        {"device", device.name},
        {"kernel", prepared.plan.method->name},
        {"precision", name(execution.precision)},
        {"cells", prepared.problem.grid.cells},
        {"coefficients", {static_cast<int>(config.a.kind), static_cast<int>(config.sigma.kind)}},
        {"source", fmt::format("{}{}", static_cast<int>(config.f.kind),
                               config.f.time_factor.empty() ? "" : " in time")},
        {"resident", fingerprint(plan_resident(config, resident_device(device)))},
        {"convective", prepared.problem.convective},
        {"norm", name(config.solver.norm)},
        {"check_every", config.solver.check_every},
        {"preconditioner", name(config.solver.preconditioner)},
        {"multigrid",
         {name(config.solver.multigrid.cycle), name(config.solver.multigrid.smoother),
          config.solver.multigrid.sweeps, config.solver.multigrid.full_start,
          config.solver.multigrid.direct_level}},
        {"sides", sides_of(config)},
        {"velocity", velocity_of(config)},
        {"snapshots", config.time ? snapshots_of(*config.time) : 0},
        {"barrier", name(execution.barrier)},
        {"groups", execution.groups},
        {"group_size", execution.group_size}};
    return {of_case, place};
}

/// Whole rounds of all models, as far as time allows; empty where none was finished.
template <typename Real>
std::vector<Member> measure(const PointTask &task) {
    Contest<Real> contest(task);
    RunLength length;
    length.check_every = static_cast<std::uint32_t>(task.config.solver.check_every);
    auto &runners = contest.runners();
    for (Runner<Real> &runner : runners) {  // the first run may compile kernels
        if (runner.usable()) {
            (void)contest.from_scratch(runner, {1, length.check_every});
        }
    }
    contest.end_at(Clock::now() + longest);
    if (!choose_length(contest, {enough_seconds_a_run, enough_seconds_a_run}, 1, length)) {
        return {};
    }
    for (int round = 0; round < task.rounds; ++round) {
        std::vector<double> seconds(runners.size(), 0.0);
        for (std::size_t i = 0; i < runners.size(); ++i) {
            const auto timing = runners[i].usable() ? contest.timed(runners[i], length) : std::nullopt;
            seconds[i] = timing ? timing->seconds / timing->state.iteration : 0.0;
        }
        if (contest.ended()) {
            break;
        }
        for (std::size_t i = 0; i < runners.size(); ++i) {
            if (seconds[i] > 0.0) {
                runners[i].member.seconds.values.push_back(seconds[i]);
            }
        }
    }
    std::vector<Member> members;
    for (const Runner<Real> &runner : runners) {
        if (runner.member.counts()) {
            members.push_back(runner.member);
        }
    }
    return members;
}

ModelTimes calibrate(const PreparedCase &prepared, std::string &why_not) {
    const PointTask task{prepared.config,
                         prepared.problem,
                         prepared.config.effective ? find_active_cells(prepared.problem) : prepared.cells,
                         *prepared.selected.device,
                         contenders({}, {}, false, prepared.config),
                         rounds,
                         0,
                         {}};
    ModelTimes times;
    times.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    try {
        const bool single = prepared.config.execution.precision == Precision::float32;
        for (const Member &member : single ? measure<float>(task) : measure<double>(task)) {
            times.seconds.emplace_back(member.model, member.seconds.lowest());
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
            first = fmt::format("{:.4g} us an iteration", 1.0e6 * seconds);
        } else {
            others += fmt::format("{}{} {:.4g}", others.empty() ? "; " : ", ", model, 1.0e6 * seconds);
        }
    }
    return first + others + (level ? ", level within 2 %" : "");
}

void take(PreparedCase &prepared, ExecutionModel model, const std::string &why) {
    prepared.config.execution.model = model;
    prepared.plan = plan_launch(prepared.config, *prepared.selected.device);
    choose_barrier(prepared.config, *prepared.selected.device, prepared.plan);
    prepared.model_choice = fmt::format("model: auto takes {}: {}", name(model), why);
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
}  // namespace compare

void choose_model(PreparedCase &prepared) {
    choose_model(prepared, compare::model_cache_path());
}

void choose_model(PreparedCase &prepared, const std::filesystem::path &cache) {
    if (prepared.config.execution.model != ExecutionModel::automatic) {
        return;
    }
    using namespace compare;
    const auto models = models_there(prepared.selected.device->description());
    if (models.size() == 1) {
        take(prepared, models.front(), "the device has no other");
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
    std::string why_not;
    const ModelTimes times = calibrate(prepared, why_not);
    if (times.seconds.empty()) {
        remark(prepared, state.trouble);
        take(prepared, models.front(), "not measured: " + why_not);
        return;
    }
    keep_model_times(cache, key, times, state);
    const ExecutionModel model = fastest(times, models);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    take(prepared, model,
         fmt::format("{} (measured in {:.2g} s{})", in_words(times, model), seconds,
                     state.stale ? "; what was kept is of another program or driver" : ""));
    remark(prepared, state.trouble);
}

}  // namespace perdure
