// Snapshots through a ring in device memory while the one launch of a run goes on: their bits, a full ring, a slow host, one that fails.
#include <chrono>
#include <stdexcept>
#include <thread>

#include "solver/run/time_steps.hpp"
#include "tests/kernels/stepped_systems.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::snapshot_ring_test {
namespace {

const std::string system_text = R"yaml(
problem:
  type: system
  fields: {u: "1 + x*random(1)", v: "0.5*y"}
  equations: {u: "0.1*lap(u) + u*v - u^2 + 0.2*sin(3*t)", v: "0.2*lap(v) - u*v + cos(t)"}
grid: {shape: [9, 14]}
boundary: {y-: periodic, y+: periodic}
)yaml";
const std::string heat_text = R"yaml(
problem: {type: heat, a: "1 + 0.5*sin(x)", f: x, initial: "x*y"}
grid: {shape: [9, 14]}
boundary: {x-: {value: 1.0}}
)yaml";
const std::string heat_in_time_text = R"yaml(
problem: {type: heat, a: "1 + 0.5*sin(x)", f: {expression: x, factor: cos(20*t)}, initial: "x*y"}
grid: {shape: [9, 14]}
boundary: {x-: {value: {expression: y, factor: 1 - t}}}
)yaml";
const std::string wave_text = R"yaml(
problem: {type: wave, a: "1 + 0.5*sin(x)", f: {expression: x, factor: cos(20*t)}, damping: 0.1*y, initial: x*y, initial_rate: sin(y)}
grid: {shape: [9, 14]}
boundary: {x-: {value: 1.0}}
)yaml";
const std::string reaction_text = R"yaml(
problem:
  type: system
  fields: {u: "1 + x*random(1)", v: "0.5*y"}
  equations: {u: "0.1*lap(u) + u*v - u^2 + 0.2*sin(3*t)", v: "0.2*lap(v) - u*v"}
grid: {shape: [9, 14]}
)yaml";
/// Segments end off the rhythm of checks; the last one is shorter.
const std::string irregular =
    "time: {end: 0.7, dt: 0.01, snapshots: {every: 0.055}INTEGRATOR}\nsolver: {check_every: 4}\n";
const std::string every_step =
    "time: {end: 0.3, dt: 0.01, snapshots: {every_steps: 1}INTEGRATOR}\nsolver: {check_every: 1000}\n";

class SnapshotRing : public SystemRuns {
  protected:
    [[nodiscard]] Case read(std::string text, const std::string &method = "") const {
        const std::string place = "INTEGRATOR";
        text.replace(text.find(place), place.size(), method.empty() ? "" : ", method: " + method);
        return SystemRuns::read(text);
    }
};

std::vector<Solution> run_all(const PreparedCase &prepared, std::chrono::milliseconds delay = {}) {
    std::vector<Solution> snapshots;
    const auto keep = [&](Solution one) {
        snapshots.push_back(std::move(one));
        std::this_thread::sleep_for(delay);
    };
    keep(run_case(prepared, Progress::Style::quiet, keep));
    return snapshots;
}

/// A phase in a launch, and the whole run in one of two groups.
struct BothWays {
    PreparedCase prepared;  // of the one launch
    std::vector<Solution> expected, found;
};

BothWays run_in_both_ways(Case test_case, Device &device) {
    test_case.config.execution.model = ExecutionModel::launches;
    std::vector<Solution> expected = run_all(prepare_as_read(test_case, device));
    test_case.config.execution.model = ExecutionModel::persistent;
    test_case.config.execution.groups = 2;
    PreparedCase prepared = prepare_as_read(test_case, device);
    std::vector<Solution> found = run_all(prepared);
    return {std::move(prepared), std::move(expected), std::move(found)};
}

void expect_same(const std::vector<Solution> &found, const std::vector<Solution> &expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_TRUE(same_bits(found[i], expected[i])) << "snapshot " << i;
        EXPECT_EQ(found[i].time, expected[i].time);
        EXPECT_EQ(found[i].step, expected[i].step);
    }
}

TEST_P(SnapshotRing, EachSnapshotHasTheBitsOfAPhaseInALaunch) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const std::string &text :
             {heat_text + irregular, heat_in_time_text + irregular, wave_text + irregular,
              system_text + irregular, system_text + every_step}) {
            const Case test_case = read(text, text.starts_with(system_text) ? "ssprk3" : "");
            const auto [prepared, expected, found] = run_in_both_ways(test_case, *device);
            ASSERT_GT(expected.size(), 10U);
            expect_same(found, expected);
            const bool at_once = device->description().copies_while_running;
            EXPECT_EQ(prepared.plan.ring_slots, at_once ? 4U : 0U);
            const auto segments = static_cast<std::int64_t>(found.size());
            if (!prepared.plan.bounded) {
                EXPECT_EQ(found.back().report.launches, at_once ? 1 : segments) << device->description().name;
            }
            const std::int64_t phases = found.back().step * prepared.plan.method->phases_per_iteration;
            if (at_once) {
                EXPECT_EQ(found.back().report.barriers, phases - 1);
                EXPECT_EQ(found.front().report.barriers,
                          found.front().step * prepared.plan.method->phases_per_iteration);
                EXPECT_NE(found.front().report.notes.front().find("one launch with a buffer for 4 snapshots"),
                          std::string::npos);
            }
        }
    }
}

PERDURE_ON_EACH_BACK_END(SnapshotRing);

struct Solves {
    std::string text;
    const char *method, *solver;
    int launches;  // matrices, or of a system sizes of steps
};

/// Ten steps of one size lie between two snapshots, and after the last but one four of another.
const std::vector<Solves> of_solves{
    {heat_in_time_text, "backward_euler", "method: cg", 2},
    {heat_in_time_text, "bdf2", "method: cg, preconditioner: multigrid", 4},
    {heat_in_time_text, "crank_nicolson", "method: multigrid", 2},
    {reaction_text, "crank_nicolson", "rtol: 1e-9", 2},
    {reaction_text, "bdf2", "rtol: 1e-9", 2},
};

TEST_P(SnapshotRing, StepsThatAreSolvesGoOnAsLongAsTheirMatrixIsTheSame) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const Solves &solves : of_solves) {
            SCOPED_TRACE(std::string(solves.method) + " " + solves.solver);
            const Case test_case = SystemRuns::read(
                solves.text +
                fmt::format("time: {{end: 0.7, dt: 0.011, method: {}, snapshots: {{every: 0.11}}}}\n"
                            "solver: {{{}}}\n",
                            solves.method, solves.solver));
            const auto [prepared, expected, found] = run_in_both_ways(test_case, *device);
            ASSERT_EQ(expected.size(), 7U);
            expect_same(found, expected);
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Report &one = found[i].report, &other = expected[i].report;
                EXPECT_EQ(one.history.size(), 10 * std::min<std::size_t>(i, 5) + (i < 6 ? 10 : 14)) << i;
                EXPECT_EQ(one.history.back().residual, other.history.back().residual) << i;
                EXPECT_EQ(one.residual, other.residual) << i;
                EXPECT_EQ(one.tolerance, other.tolerance) << i;
                EXPECT_EQ(one.solves->iterations, other.solves->iterations) << i;
                EXPECT_EQ(one.solves->most_iterations, other.solves->most_iterations) << i;
                EXPECT_EQ(one.solves->corrections, other.solves->corrections) << i;
            }
            if (device->description().copies_while_running) {
                EXPECT_EQ(found.back().report.launches, solves.launches);
                EXPECT_NE(found.front().report.notes.front().find(
                              "one launch for all steps of one size with a buffer for 4 snapshots"),
                          std::string::npos);
            } else {
                EXPECT_GT(found.back().report.launches, solves.launches);
                EXPECT_NE(found.front().report.notes.front().find("cannot be copied during a launch"),
                          std::string::npos);
            }
        }
    }
}

/// OpenCL has none, and each case is a program of its own.
class SnapshotRingOfMethods : public SnapshotRing {};

/// What asks the run to stop does so in the phase that takes a snapshot.
TEST_P(SnapshotRingOfMethods, AWatchedSolveStopsWhereASnapshotIsTaken) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const std::string &text :
             {heat_text + "solver: {method: cg}\n", reaction_text + "solver: {rtol: 1e-9}\n"}) {
            const Case test_case = SystemRuns::read(
                text +
                "time: {end: 0.7, dt: 0.01, method: backward_euler, snapshots: {every: 0.1}, "
                "stop_when: t > 0.299}\n"
                "watch: {every_steps: 5, integrals: {m: {sum: u}}}\n");
            const auto [prepared, expected, found] = run_in_both_ways(test_case, *device);
            ASSERT_EQ(expected.size(), 4U) << "three snapshots, the last of which is the end, too";
            expect_same(found, expected);
            EXPECT_EQ(found.back().step, 30);
            EXPECT_EQ(found.back().report.stop, expected.back().report.stop);
            EXPECT_EQ(found.back().series->times, expected.back().series->times);
        }
    }
}

/// Watched, so that the phase behind the last step is among those of the one launch.
TEST_P(SnapshotRingOfMethods, EveryMethodOfStepsHasOne) {
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const SteppedSystem &system : stepped_systems) {
            SCOPED_TRACE(system.name);
            const Case test_case = SystemRuns::read(
                system.text() + fmt::format("time: {{end: 0.72, {}, snapshots: {{every: 0.06}}}}\n"
                                            "solver: {{check_every: 3}}\n"
                                            "watch: {{every_steps: 2, integrals: {{m: {{sum: u*v}}}}}}\n",
                                            system.steps));
            const auto [prepared, expected, found] = run_in_both_ways(test_case, *device);
            ASSERT_EQ(expected.size(), 12U);
            expect_same(found, expected);
            const bool at_once = device->description().copies_while_running;
            EXPECT_EQ(prepared.plan.ring_slots, at_once ? 4U : 0U);
            if (at_once) {
                EXPECT_EQ(found.back().report.launches, 1);
            }
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Report &one = found[i].report, &other = expected[i].report;
                EXPECT_EQ(one.history.size(), other.history.size()) << i;
                EXPECT_EQ(one.history.back().residual, other.history.back().residual) << i;
                EXPECT_EQ(one.rejected_steps, other.rejected_steps) << i;
                EXPECT_EQ(one.step_sizes, other.step_sizes) << i;
                EXPECT_EQ(one.time_step, other.time_step) << i;
                EXPECT_EQ(one.residual, other.residual) << i;
            }
            EXPECT_EQ(found.back().series->variables[0].values, expected.back().series->variables[0].values);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(BackEnds, SnapshotRingOfMethods,
                         testing::Values(BackendChoice::host, BackendChoice::cuda), back_end_name);

class SnapshotRingOnHostThreads : public SnapshotRing {};

TEST_P(SnapshotRingOnHostThreads, AFullRingIsWaitedForAndSaysHowLong) {
    Case test_case = read(system_text + every_step, "euler");
    PreparedCase prepared = prepare_as_read(test_case, host_device());
    const std::vector<Solution> at_ease = run_all(prepared);
    prepared.plan.ring_slots = 1;
    const std::vector<Solution> found = run_all(prepared, std::chrono::milliseconds(10));
    expect_same(found, at_ease);
    EXPECT_EQ(found.back().report.launches, 1);
    EXPECT_GT(found.back().report.snapshot_wait, 0.1) << "30 snapshots that take 10 ms each";
    EXPECT_LT(found.back().report.snapshot_wait, found.back().report.device_seconds);
}

TEST_P(SnapshotRingOnHostThreads, ASlowDiskIsNoHang) {
    Case test_case =
        read(system_text + "time: {end: 0.05, dt: 0.01, snapshots: {every_steps: 1}INTEGRATOR}\n", "euler");
    test_case.config.execution.watchdog = 0.5;
    PreparedCase prepared = prepare_as_read(test_case, host_device());
    prepared.plan.ring_slots = 1;
    std::size_t count = 0;
    const Solution last = run_case(prepared, Progress::Style::quiet, [&](const Solution &) {
        std::this_thread::sleep_for(std::chrono::milliseconds(count++ == 0 ? 1500 : 0));
    });
    EXPECT_EQ(last.report.stop, StopReason::complete);
    EXPECT_EQ(count, 4U);
    EXPECT_GT(last.report.snapshot_wait, 1.0);
}

TEST_P(SnapshotRingOnHostThreads, WhatWritingThrowsEndsTheRun) {
    Case test_case =
        read(system_text + "time: {end: 1.0e4, dt: 0.01, snapshots: {every_steps: 2}INTEGRATOR}\n", "euler");
    const PreparedCase prepared = prepare_as_read(test_case, host_device());
    std::size_t count = 0;
    EXPECT_THROW((void)run_case(prepared, Progress::Style::quiet,
                                [&](const Solution &) {
                                    if (++count == 3) {
                                        throw std::runtime_error("the disk is full");
                                    }
                                }),
                 std::runtime_error);
    EXPECT_EQ(count, 3U);
}

INSTANTIATE_TEST_SUITE_P(BackEnds, SnapshotRingOnHostThreads, testing::Values(BackendChoice::host),
                         back_end_name);

}  // namespace
}  // namespace perdure::tests::snapshot_ring_test
