#include "solver/measure/compare/measure_point.hpp"

#include <algorithm>
#include <limits>

#include "solver/measure/compare/benchmark.hpp"
#include "solver/measure/compare/copy_speed.hpp"
#include "solver/measure/compare/run_length.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/work_done.hpp"

namespace perdure::compare {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t first_iterations = 10;
constexpr int most_check_rounds = 3;
constexpr int copy_launches_a_point = 3;

template <typename Real>
class Race {
  public:
    explicit Race(const PointTask &task) : task_(task), benchmark_(task) {
        length_.check_every = static_cast<std::uint32_t>(task.config.solver.check_every);
        point_.check_every = task.config.solver.check_every;
        point_.bytes_per_iteration = benchmark_.bytes_per_iteration();
        point_.bytes_touched = benchmark_.bytes_touched();
    }

    Point run() {
        const Clock::time_point start = Clock::now();
        if (choose_length(benchmark_, {task_.run_seconds, 10.0 * task_.run_seconds}, first_iterations,
                          length_)) {
            point_.iterations = length_.iterations;
            measure();
        }
        for (Candidate<Real> &candidate : benchmark_.candidates()) {
            point_.results.push_back(candidate.result);
        }
        point_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return point_;
    }

  private:
    void measure() {
        if (check_answers()) {
            copy_of_the_same_size();
            time_rounds();
            time_checks();
            find_shares();
        }
    }

    std::optional<Answer<Real>> answer_of(Candidate<Real> &candidate) {
        const auto timing = benchmark_.from_scratch(candidate, length_);
        return timing ? std::optional(candidate.timed_run->answer(timing->state)) : std::nullopt;
    }

    /// False when it ended or nothing is left.
    bool check_answers() {
        std::optional<Answer<Real>> found;
        Candidate<Real> *compared = benchmark_.reference();
        while (compared != nullptr && !benchmark_.ended() && !(found = answer_of(*compared))) {
            compared = benchmark_.reference();
        }
        if (!found) {
            return false;
        }
        expected_ = std::move(*found);
        expected_by_ = compared->result.name;
        for (Candidate<Real> &candidate : benchmark_.candidates()) {
            if (&candidate == compared || !candidate.usable() || benchmark_.ended()) {
                continue;
            }
            if (const auto answer = answer_of(candidate)) {
                judge(candidate, what_differs(candidate, *answer));
            }
        }
        return !benchmark_.ended();
    }

    [[nodiscard]] std::string what_differs(const Candidate<Real> &candidate,
                                           const Answer<Real> &answer) const {
        return candidate.bits
                   ? difference(answer, expected_, expected_by_, task_.problem.grid, candidate.norm_bound)
                   : difference_beyond_bound(answer, expected_, expected_by_);
    }

    static void judge(Candidate<Real> &candidate, const std::string &differs) {
        if (candidate.result.wrong.empty()) {
            candidate.result.wrong = differs;
        }
    }

    void copy_of_the_same_size() {
        if (point_.bytes_touched <= 0.0) {
            return;
        }
        try {
            point_.copy_bytes_per_second = copy_speed_of_ranks(
                task_.device, static_cast<std::int64_t>(point_.bytes_touched / 2.0), copy_launches_a_point);
        } catch (const Failure &) {
            point_.copy_bytes_per_second = 0.0;  // no memory left for it: no cache holds the fields either
        }
    }

    [[nodiscard]] bool time_for_a_round() {
        double round = 0.0;
        for (const Candidate<Real> &candidate : benchmark_.candidates()) {
            round += candidate.usable() ? candidate.last_seconds : 0.0;
        }
        return !in_any_rank(
            interrupted() ||
            (task_.deadline && Clock::now() + std::chrono::duration<double>(round) >= *task_.deadline));
    }

    /// Whole rounds: one that a stop or the deadline cuts short is left out.
    void time_rounds() {
        auto &candidates = benchmark_.candidates();
        while (point_.rounds < task_.rounds && time_for_a_round()) {
            const bool last = point_.rounds + 1 == task_.rounds;
            std::vector<std::optional<Timing>> round(candidates.size());
            std::vector<std::optional<Timing>> bare(candidates.size());
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                round[i] = candidates[i].usable() ? benchmark_.timed(candidates[i], length_) : std::nullopt;
                if (round[i] && last) {
                    judge(candidates[i],
                          what_differs(candidates[i], candidates[i].timed_run->answer(round[i]->state)));
                }
                if (task_.bare_too && candidates[i].usable()) {
                    bare[i] = benchmark_.bare(candidates[i], length_);
                }
            }
            if (benchmark_.ended()) {
                return;
            }
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                if (round[i]) {
                    take(candidates[i], *round[i]);
                }
                if (bare[i]) {
                    candidates[i].result.bare_seconds.values.push_back(bare[i]->seconds /
                                                                       work_done(bare[i]->state));
                }
            }
            ++point_.rounds;
        }
        point_.complete = point_.rounds == task_.rounds;
    }

    void take(Candidate<Real> &candidate, const Timing &timing) {
        Result &result = candidate.result;
        judge(candidate,
              difference(timing.state, expected_.state, expected_by_,
                         candidate.bits ? candidate.norm_bound : std::numeric_limits<double>::infinity()));
        const double iterations = work_done(timing.state);
        result.seconds.values.push_back(timing.seconds / iterations);
        if (timing.device_seconds > 0.0) {
            result.device_seconds.values.push_back(timing.device_seconds / iterations);
        }
        result.launches = timing.launches;
        result.graph_launches = timing.graph_launches;
        result.barriers = timing.barriers;
        result.looks = timing.looks;
    }

    /// The same with a check in every iteration: what that costs more is the cost of the checks.
    /// A check behind each step takes several steps a pass from resident stepping: that is not the cost of one more check.
    static bool takes_single_steps(const Candidate<Real> &candidate) {
        return candidate.plan.model != ExecutionModel::resident || candidate.plan.resident.depth <= 1;
    }

    void time_checks() {
        if (length_.check_every == 1 || !point_.complete) {
            return;
        }
        auto &candidates = benchmark_.candidates();
        std::vector<Samples> samples(candidates.size());
        for (int round = 0; round < std::min(most_check_rounds, task_.rounds) && time_for_a_round();
             ++round) {
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                const auto timing = candidates[i].usable() && takes_single_steps(candidates[i])
                                        ? benchmark_.timed(candidates[i], {length_.iterations, 1})
                                        : std::nullopt;
                if (timing) {
                    samples[i].values.push_back(timing->seconds / work_done(timing->state));
                }
            }
        }
        const double more_checks = 1.0 - 1.0 / length_.check_every;  // per iteration
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            Result &result = candidates[i].result;
            if (!samples[i].empty() && result.counts()) {
                result.check_seconds = (samples[i].median() - result.seconds.median()) / more_checks;
                result.check_seen = samples[i].lowest() > result.seconds.highest();
            }
        }
    }

    /// Where the time goes: one more run of each, instrumented.
    void find_shares() {
        for (Candidate<Real> &candidate : benchmark_.candidates()) {
            if (!candidate.usable() || !candidate.result.counts()) {
                continue;
            }
            if (point_.complete && time_for_a_round()) {
                benchmark_.find_shares(candidate, length_, expected_.state);
            } else {
                candidate.result.no_shares = "out of time";
            }
        }
    }

    const PointTask &task_;
    Benchmark<Real> benchmark_;
    RunLength length_;
    Answer<Real> expected_;
    std::string expected_by_;
    Point point_;
};

}  // namespace

Point measure_point(const PointTask &task) {
    const bool single = task.config.execution.precision == Precision::float32;
    Point point = single ? Race<float>(task).run() : Race<double>(task).run();
    const DeviceDescription &device = task.device.description();
    const auto &cells = task.problem.grid.cells;
    point.backend = name(device.backend);
    point.device = device.name;
    point.precision = name(task.config.execution.precision);
    point.shape.assign(cells.rend() - task.problem.grid.dimensions, cells.rend());
    point.cells = task.problem.grid.count();
    return point;
}

}  // namespace perdure::compare
