#include "solver/measure/compare/measure_point.hpp"

#include <algorithm>
#include <limits>

#include "solver/measure/compare/contest.hpp"
#include "solver/measure/compare/copy_speed.hpp"
#include "solver/measure/compare/run_length.hpp"
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
    explicit Race(const PointTask &task) : task_(task), contest_(task) {
        length_.check_every = static_cast<std::uint32_t>(task.config.solver.check_every);
        point_.check_every = task.config.solver.check_every;
        point_.bytes_per_iteration = contest_.bytes_per_iteration();
        point_.bytes_touched = contest_.bytes_touched();
    }

    Point run() {
        const Clock::time_point start = Clock::now();
        if (choose_length(contest_, {task_.run_seconds, 10.0 * task_.run_seconds}, first_iterations,
                          length_)) {
            point_.iterations = length_.iterations;
            measure();
        }
        for (Runner<Real> &runner : contest_.runners()) {
            point_.members.push_back(runner.member);
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

    std::optional<Answer<Real>> answer_of(Runner<Real> &runner) {
        const auto timing = contest_.from_scratch(runner, length_);
        return timing ? std::optional(runner.track->answer(timing->state)) : std::nullopt;
    }

    /// False when it ended or nothing is left.
    bool check_answers() {
        std::optional<Answer<Real>> found;
        Runner<Real> *compared = contest_.reference();
        while (compared != nullptr && !contest_.ended() && !(found = answer_of(*compared))) {
            compared = contest_.reference();
        }
        if (!found) {
            return false;
        }
        expected_ = std::move(*found);
        expected_by_ = compared->member.name;
        for (Runner<Real> &runner : contest_.runners()) {
            if (&runner == compared || !runner.usable() || contest_.ended()) {
                continue;
            }
            if (const auto answer = answer_of(runner)) {
                judge(runner, what_differs(runner, *answer));
            }
        }
        return !contest_.ended();
    }

    [[nodiscard]] std::string what_differs(const Runner<Real> &runner, const Answer<Real> &answer) const {
        return runner.bits
                   ? difference(answer, expected_, expected_by_, task_.problem.grid, runner.norm_bound)
                   : difference_beyond_bound(answer, expected_, expected_by_);
    }

    static void judge(Runner<Real> &runner, const std::string &differs) {
        if (runner.member.wrong.empty()) {
            runner.member.wrong = differs;
        }
    }

    void copy_of_the_same_size() {
        if (point_.bytes_touched <= 0.0) {
            return;
        }
        try {
            point_.copy_bytes_per_second = copy_bytes_per_second(
                task_.device, static_cast<std::int64_t>(point_.bytes_touched / 2.0), copy_launches_a_point);
        } catch (const Failure &) {
            point_.copy_bytes_per_second = 0.0;  // no memory left for it: no cache holds the fields either
        }
    }

    [[nodiscard]] bool time_for_a_round() {
        double round = 0.0;
        for (const Runner<Real> &runner : contest_.runners()) {
            round += runner.usable() ? runner.last_seconds : 0.0;
        }
        return !interrupted() &&
               (!task_.deadline || Clock::now() + std::chrono::duration<double>(round) < *task_.deadline);
    }

    /// Whole rounds: one that a stop or the deadline cuts short is left out.
    void time_rounds() {
        auto &runners = contest_.runners();
        while (point_.rounds < task_.rounds && time_for_a_round()) {
            const bool last = point_.rounds + 1 == task_.rounds;
            std::vector<std::optional<Timing>> round(runners.size());
            std::vector<std::optional<Timing>> bare(runners.size());
            for (std::size_t i = 0; i < runners.size(); ++i) {
                round[i] = runners[i].usable() ? contest_.timed(runners[i], length_) : std::nullopt;
                if (round[i] && last) {
                    judge(runners[i], what_differs(runners[i], runners[i].track->answer(round[i]->state)));
                }
                if (task_.bare_too && runners[i].usable()) {
                    bare[i] = contest_.bare(runners[i], length_);
                }
            }
            if (contest_.ended()) {
                return;
            }
            for (std::size_t i = 0; i < runners.size(); ++i) {
                if (round[i]) {
                    take(runners[i], *round[i]);
                }
                if (bare[i]) {
                    runners[i].member.bare_seconds.values.push_back(bare[i]->seconds /
                                                                    work_done(bare[i]->state));
                }
            }
            ++point_.rounds;
        }
        point_.complete = point_.rounds == task_.rounds;
    }

    void take(Runner<Real> &runner, const Timing &timing) {
        Member &member = runner.member;
        judge(runner, difference(timing.state, expected_.state, expected_by_,
                                 runner.bits ? runner.norm_bound : std::numeric_limits<double>::infinity()));
        const double iterations = work_done(timing.state);
        member.seconds.values.push_back(timing.seconds / iterations);
        if (timing.device_seconds > 0.0) {
            member.device_seconds.values.push_back(timing.device_seconds / iterations);
        }
        member.launches = timing.launches;
        member.graph_launches = timing.graph_launches;
        member.barriers = timing.barriers;
        member.looks = timing.looks;
    }

    /// The same with a check in every iteration: what that costs more is the cost of the checks.
    /// A check behind each step takes several steps a pass from resident stepping: that is not the cost of one more check.
    static bool takes_single_steps(const Runner<Real> &runner) {
        return runner.plan.model != ExecutionModel::resident || runner.plan.resident.depth <= 1;
    }

    void time_checks() {
        if (length_.check_every == 1 || !point_.complete) {
            return;
        }
        auto &runners = contest_.runners();
        std::vector<Samples> samples(runners.size());
        for (int round = 0; round < std::min(most_check_rounds, task_.rounds) && time_for_a_round();
             ++round) {
            for (std::size_t i = 0; i < runners.size(); ++i) {
                const auto timing = runners[i].usable() && takes_single_steps(runners[i])
                                        ? contest_.timed(runners[i], {length_.iterations, 1})
                                        : std::nullopt;
                if (timing) {
                    samples[i].values.push_back(timing->seconds / work_done(timing->state));
                }
            }
        }
        const double more_checks = 1.0 - 1.0 / length_.check_every;  // per iteration
        for (std::size_t i = 0; i < runners.size(); ++i) {
            Member &member = runners[i].member;
            if (!samples[i].empty() && member.counts()) {
                member.check_seconds = (samples[i].median() - member.seconds.median()) / more_checks;
                member.check_seen = samples[i].lowest() > member.seconds.highest();
            }
        }
    }

    /// Where the time goes: one more run of each, instrumented.
    void find_shares() {
        for (Runner<Real> &runner : contest_.runners()) {
            if (!runner.usable() || !runner.member.counts()) {
                continue;
            }
            if (point_.complete && time_for_a_round()) {
                contest_.find_shares(runner, length_, expected_.state);
            } else {
                runner.member.no_shares = "out of time";
            }
        }
    }

    const PointTask &task_;
    Contest<Real> contest_;
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
