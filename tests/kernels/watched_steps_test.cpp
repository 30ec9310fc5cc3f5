// What is watched while each method steps: the reference, the fields themselves, bits, rejected steps, stopping, long series.
#include <cstring>

#include "solver/integrators/integrator.hpp"
#include "solver/reference/compare_watched.hpp"
#include "solver/run/time_steps.hpp"
#include "solver/systems/watch_memory.hpp"
#include "tests/kernels/stepped_systems.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::watched_steps_test {
namespace {

class WatchedSteps : public SystemRuns {
  protected:
    /// `time`: what is said of it besides the method; `others`: further sections.
    [[nodiscard]] Case read(const SteppedSystem &system, const std::string &time,
                            const std::string &others) const {
        return SystemRuns::read(system.text() + others +
                                fmt::format("time: {{{}, {}}}\n", system.steps, time));
    }
};

/// Each case is a program of its own, which PoCL compiles for a minute.
class WatchedStepsInDetail : public WatchedSteps {};

const std::string everything = R"yaml(
watch:
  every_steps: 3
  integrals:
    mass: {sum: u + v}
    least: {min: u*v}
    part: {mean: v, where: y > 1}
    slope: {L2: "dot(grad(u), grad(v))"}
  probes: {cut: {from: {x: 3, y: 0.5}, to: {x: 30, y: 3}, points: 5, of: {u: u, rough: lap(v)}}}
solver: {check_every: 4}
)yaml";

std::vector<std::int64_t> every_third(std::int64_t last) {
    std::vector<std::int64_t> steps;
    for (std::int64_t step = 0; step < last; step += 3) {
        steps.push_back(step);
    }
    steps.push_back(last);
    return steps;
}

bool same_bits(const Series &one, const Series &other) {
    return one.times == other.times && one.steps == other.steps &&
           std::equal(one.variables.begin(), one.variables.end(), other.variables.begin(),
                      other.variables.end(), [](const SeriesVariable &a, const SeriesVariable &b) {
                          return a.values.size() == b.values.size() &&
                                 std::memcmp(a.values.data(), b.values.data(),
                                             a.values.size() * sizeof(double)) == 0;
                      });
}

TEST_P(WatchedSteps, AgreeWithTheReferenceAndHaveTheSameBitsInEveryModelAndNumberOfGroups) {
    for (const SteppedSystem &system : stepped_systems) {
        SCOPED_TRACE(system.name);
        Case on_host = read(system, "end: 0.5, snapshots: [0.17]", everything);
        const Solution expected = run_all(on_host, host_device()).back();
        ASSERT_EQ(expected.report.stop, StopReason::complete);
        EXPECT_EQ(expected.series->steps, every_third(expected.step));
        EXPECT_NEAR(expected.series->times.back(), 0.5, 1.0e-12);
        if (system.name == std::string("rk23") || system.name == std::string("rk45")) {
            EXPECT_GT(expected.report.rejected_steps.value_or(0), 0) << "a step that is watched";
        }
        for (const std::unique_ptr<Device> &device : devices()) {
            Case test_case = on_host;
            const PreparedCase prepared = prepare_as_read(test_case, *device);
            const Solution found = run_all(test_case, *device).back();
            if (!system.solves) {  // whose reference is dense; the next test looks at their rows
                const std::vector<double> sizes =
                    system.chooses_steps ? found.report.step_sizes : step_sizes(time_segments(prepared));
                const WatchedDifference difference =
                    compare_watched(test_case.problem, *found.series,
                                    prepared.plan.method->reference(test_case.problem, sizes));
                EXPECT_LT(difference.largest, 1.0e-10) << difference.name;
                EXPECT_EQ(difference.values, 14U);
            }
            EXPECT_TRUE(same_bits(*found.series, *expected.series));
            test_case.config.execution.groups = 2;
            EXPECT_TRUE(same_bits(*run_all(test_case, *device).back().series, *expected.series));
            test_case.config.execution.groups = 1;
            test_case.config.execution.model = ExecutionModel::launches;
            EXPECT_TRUE(same_bits(*run_all(test_case, *device).back().series, *expected.series));
        }
    }
}

/// Each row is that of the fields at its time, not those of a stage or of a step before.
TEST_P(WatchedStepsInDetail, RowsAreOfTheFieldsAtTheirTimes) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const SteppedSystem &system : stepped_systems) {
            SCOPED_TRACE(system.name);
            const std::vector<Solution> all = run_all(
                read(system, "end: 0.5, snapshots: {every: 0.1}",
                     "watch: {every: 0.1, integrals: {most: {max: u}, least: {min: v}, at: {mean: t}}}\n"),
                *device);
            const Series &series = *all.back().series;
            ASSERT_EQ(all.size(), 5U);
            ASSERT_EQ(series.times.size(), 6U);
            for (std::size_t i = 0; i < all.size(); ++i) {
                double most = -1.0e300, least = 1.0e300;
                for (std::int64_t cell = 0; cell < 9 * 150; ++cell) {
                    most = std::max(most, value_at(all[i].fields[0].values, cell));
                    least = std::min(least, value_at(all[i].fields[1].values, cell));
                }
                EXPECT_EQ(series.steps[i + 1], all[i].step);
                EXPECT_EQ(series.times[i + 1], all[i].time);
                EXPECT_EQ(series.variables[0].values[i + 1], most);
                EXPECT_EQ(series.variables[1].values[i + 1], least);
                EXPECT_NEAR(series.variables[2].values[i + 1], all[i].time, 1.0e-12);
            }
        }
    }
}

TEST_P(WatchedStepsInDetail, StopAsAskedBeforeTheStepThatFollows) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const SteppedSystem &system : stepped_systems) {
            SCOPED_TRACE(system.name);
            const std::string watch = "watch: {every_steps: 1, integrals: {at: {mean: t}}}\n";
            const std::vector<Solution> all = run_all(
                read(system, "end: 9, snapshots: {every: 0.1}, stop_when: at > 0.25", watch), *device);
            const Solution &last = all.back();
            EXPECT_EQ(all.size(), 3U);
            EXPECT_EQ(last.report.stop, StopReason::asked);
            const std::vector<double> &times = last.series->times;
            EXPECT_GT(times.back(), 0.25);
            EXPECT_LE(times[times.size() - 2], 0.25);
            EXPECT_EQ(last.time, times.back());
            EXPECT_EQ(last.step, last.series->steps.back());
            EXPECT_EQ(std::ssize(times), last.step + 1);
            if (!system.chooses_steps) {
                const Solution direct =
                    run_all(read(system, fmt::format("end: {:.17g}, snapshots: {{every: 0.1}}", last.time),
                                 watch),
                            *device)
                        .back();
                for (std::int64_t cell = 0; cell < 9 * 150; ++cell) {
                    ASSERT_NEAR(value_at(direct.fields[0].values, cell),
                                value_at(last.fields[0].values, cell), system.solves ? 1.0e-7 : 1.0e-11);
                }
            }
        }
    }
}

/// The slot of the snapshot is filled in the phase that finds out that the run stops.
TEST_P(WatchedStepsInDetail, MayStopAtASnapshot) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const SteppedSystem &system : stepped_systems) {
            SCOPED_TRACE(system.name);
            const std::vector<Solution> all =
                run_all(read(system, "end: 9, snapshots: {every: 0.1}, stop_when: at > 0.1999999",
                             "watch: {every_steps: 1, integrals: {at: {mean: t}}}\n"),
                        *device);
            ASSERT_EQ(all.size(), 3U);
            EXPECT_EQ(all[2].report.stop, StopReason::asked);
            EXPECT_NEAR(all[2].time, 0.2, 1.0e-12);
            EXPECT_EQ(all[2].time, all[1].time);
            EXPECT_EQ(all[2].step, all[1].step);
            EXPECT_EQ(all[2].fields[0].values, all[1].fields[0].values);
            EXPECT_EQ(all[2].fields[1].values, all[1].fields[1].values);
        }
    }
}

/// Nobody can say beforehand how many rows a run makes that chooses its steps: the host takes them whenever the memory is full.
TEST_P(WatchedStepsInDetail, ALongSeriesIsTakenInParts) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const SteppedSystem &system : stepped_systems) {
            if (!system.chooses_steps) {
                continue;
            }
            SCOPED_TRACE(system.name);
            const int points = 30000;
            const std::size_t rows = systems::series_bytes_of_chosen_steps / (8 * (points + 3));
            const auto solve = [&](const std::string &more) {
                return run_all(read(system, "end: 0.5, snapshots: {every: 0.02}",
                                    "watch: {every_steps: 1, integrals: {m: {sum: u*v}}" + more + "}\n"),
                               *device)
                    .back();
            };
            const Solution found = solve(fmt::format(
                ", probes: {{cut: {{from: {{x: 3, y: 1}}, to: {{x: 30, y: 3}}, points: {}, of: [u]}}}}",
                points));
            const Solution expected = solve("");
            ASSERT_GT(found.series->times.size(), rows);
            EXPECT_EQ(found.series->times, expected.series->times);
            EXPECT_EQ(found.series->variables[0].values, expected.series->variables[0].values);
            EXPECT_EQ(found.fields[0].values, expected.fields[0].values);
            const std::vector<double> &cut = found.series->variables[1].values;
            ASSERT_EQ(cut.size(), found.series->times.size() * points);
            const auto row = [&](std::size_t number) {
                return std::vector(cut.begin() + static_cast<std::ptrdiff_t>(number * points),
                                   cut.begin() + static_cast<std::ptrdiff_t>((number + 1) * points));
            };
            EXPECT_NE(row(0), row(rows)) << "the first row of the second part";
        }
    }
}

PERDURE_ON_EACH_BACK_END(WatchedSteps);
INSTANTIATE_TEST_SUITE_P(BackEnds, WatchedStepsInDetail,
                         testing::Values(BackendChoice::host, BackendChoice::cuda), back_end_name);

}  // namespace
}  // namespace perdure::tests::watched_steps_test
