#include "solver/run/drive_launches.hpp"

#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "solver/backends/host/host_kernels.hpp"
#include "solver/run/run_memory.hpp"
#include "sync/group_context.h"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::drive_launches_test {
namespace {

constexpr int expected_groups = 3;

/// A launch on host threads in which one group of three never starts.
class OneGroupMissing : public DeviceRun {
  public:
    OneGroupMissing(const KernelCall &call, int missing)
        : kernel_(host::find_kernel(call.kernel, call.precision, call.form)), missing_(missing) {
        for (const KernelBuffer &buffer : call.buffers) {
            memory_.emplace_back(buffer.bytes / sizeof(std::uint64_t) + 1, 0);
            if (buffer.initial != nullptr) {
                std::memcpy(memory_.back().data(), buffer.initial, buffer.bytes);
            }
            pointers_.push_back(memory_.back().data());
        }
    }

    void launch(const run_parameters_t &parameters, bool) override {
        std::vector<std::thread> threads;
        for (int group = 0; group < expected_groups; ++group) {
            if (group != missing_) {
                threads.emplace_back([this, group, parameters] {
                    perdure_group = {static_cast<std::uint32_t>(group), expected_groups};
                    kernel_(parameters, pointers_.data());
                });
            }
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
    }
    bool finished(std::chrono::milliseconds) override { return true; }
    double launch_seconds() override { return 0.0; }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        std::memcpy(to, reinterpret_cast<const std::byte *>(memory_[buffer].data()) + offset, bytes);
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        std::memcpy(reinterpret_cast<std::byte *>(memory_[buffer].data()) + offset, from, bytes);
    }
    control_t *control() override { return nullptr; }

  private:
    host::HostKernel kernel_;
    int missing_;
    std::vector<std::vector<std::uint64_t>> memory_;
    std::vector<void *> pointers_;
};

struct Prepared {
    PreparedCase prepared;
    RunMemory<double> memory;

    explicit Prepared(const Case &test_case)
        : prepared(prepare(test_case, host_device())),
          memory(prepared.config, prepared.problem.grid, prepared.problem.only_field(),
                 prepared.cells.front(), prepared.plan,
                 discretise<double>(prepared.problem.grid, prepared.problem.only_field(),
                                    prepared.cells.front()),
                 {}) {}
};

Case small_case(SolverMethod method) {
    Case test_case;
    test_case.problem = random_problem({13, 71}, mixed_sides(2), Coefficients::variable, 3);
    test_case.config.solver.method = method;
    test_case.config.execution.groups = expected_groups;
    return test_case;
}

/// What the driver throws when group `missing` is not there; `arrived` is the barrier's word before the
/// launch.
std::string watchdog_message(SolverMethod method, int missing, std::uint32_t arrived) {
    const Prepared prepared(small_case(method));
    OneGroupMissing run(prepared.memory.call(), missing);
    run.write(buffer_sync, &arrived, sizeof arrived, 0);
    run_parameters_t parameters = prepared.memory.parameters();
    parameters.wait_limit = 50'000'000;  // ns
    Progress progress(Progress::Style::quiet, 1);
    LaunchDriver driver(run, prepared.prepared.plan, progress);
    try {
        driver.run(parameters, 0, 1000);
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::device);
        return failure.what();
    }
    return "no failure";
}

// The first barrier, and one that ends with the top bit going from 1 to 0; with and without the group that
// adds the large number.
TEST(Watchdog, AMissingGroupEndsTheRunAndIsNamed) {
    for (const SolverMethod method : {SolverMethod::jacobi, SolverMethod::cg, SolverMethod::bicgstab}) {
        for (const std::uint32_t arrived : {0U, 0x80000000U}) {
            for (const int missing : {0, 1, 2}) {
                const std::string message = watchdog_message(method, missing, arrived);
                std::vector<std::string> expected;
                for (const int waiting : {0, 1, 2}) {
                    if (waiting != missing) {
                        expected.push_back(fmt::format(
                            "watchdog: the run made no progress: group {} gave up waiting before "
                            "phase 1; 1 of 3 "
                            "groups left no record (never started or already ended): {}; nothing was "
                            "written. Try fewer groups (execution.groups) or a longer execution.watchdog",
                            waiting, missing));
                    }
                }
                EXPECT_TRUE(message == expected[0] || message == expected[1]) << message;
            }
        }
    }
}

TEST(LaunchDriver, CountsLaunchesAndBarriers) {
    Case test_case = small_case(SolverMethod::jacobi);
    test_case.config.solver.max_iterations = 20;
    test_case.config.solver.rtol = 0.0;
    for (const bool bounded : {false, true}) {
        Prepared prepared(test_case);
        prepared.prepared.plan.bounded = bounded;
        const auto run = host_device().prepare(prepared.memory.call(), prepared.prepared.plan.shape);
        run_parameters_t parameters = prepared.memory.parameters();
        parameters.wait_limit = 60'000'000'000;
        Progress progress(Progress::Style::quiet, 20);
        LaunchDriver driver(*run, prepared.prepared.plan, progress);
        const run_state_t state = driver.run(parameters, 0, 1000);
        EXPECT_EQ(state.control.stop, static_cast<std::uint32_t>(STOP_ITERATION_LIMIT));
        EXPECT_EQ(state.solve.iteration, 20U);
        EXPECT_EQ(state.control.phases, 21U);
        EXPECT_EQ(driver.launches(), bounded ? 2 : 1) << "bounded: 16 phases to begin with";
        EXPECT_EQ(driver.barriers(), bounded ? 19 : 20);
    }
}

TEST(LaunchDriver, SharesPhasesOutToGraphs) {
    EXPECT_EQ(phases_of_graph(1), 1U);
    EXPECT_EQ(phases_of_graph(128), 128U);
    EXPECT_EQ(phases_of_graph(129), 65U);
    EXPECT_EQ(phases_of_graph(1000), 125U);
    EXPECT_LE(phases_of_graph(2147483647), 128U);
    EXPECT_EQ(phases_of_loop(1), 32U);
    EXPECT_EQ(phases_of_loop(10), 40U);
    EXPECT_EQ(phases_of_loop(32), 32U);
    EXPECT_EQ(phases_of_loop(100), 100U);
}

/// Launches that run nothing.
class NothingRuns : public DeviceRun {
  public:
    void launch(const run_parameters_t &, bool) override {}
    void launch_graph(const run_parameters_t &, PhaseGraph) override {}
    bool finished(std::chrono::milliseconds) override { return true; }
    double launch_seconds() override { return 0.0; }
    void read(std::size_t, void *to, std::size_t bytes, std::size_t) override { std::memset(to, 0, bytes); }
    void write(std::size_t, const void *, std::size_t, std::size_t) override {}
    control_t *control() override { return nullptr; }
};

TEST(Watchdog, LaunchesThatDoNothingEndTheRun) {
    for (const ExecutionModel model :
         {ExecutionModel::launches, ExecutionModel::graph, ExecutionModel::graph_while}) {
        NothingRuns run;
        LaunchPlan plan;
        plan.model = model;
        run_parameters_t parameters{};
        parameters.check_every = 10;
        Progress progress(Progress::Style::quiet, 1);
        LaunchDriver driver(run, plan, progress);
        try {
            driver.run(parameters, 0, 1000);
            FAIL() << "accepted";
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::device);
            EXPECT_STREQ(failure.what(),
                         "watchdog: the run made no progress: none of the phases launched after phase 0 ran; "
                         "nothing was written");
        }
    }
}

TEST(LaunchDriver, GoesOnWhereTheLastRunEnded) {
    Case test_case = small_case(SolverMethod::cg);
    test_case.config.solver.rtol = 0.0;
    test_case.config.solver.max_iterations = 30;
    const Prepared prepared(test_case);
    const auto run = host_device().prepare(prepared.memory.call(), prepared.prepared.plan.shape);
    run_parameters_t parameters = prepared.memory.parameters();
    parameters.wait_limit = 60'000'000'000;
    Progress progress(Progress::Style::quiet, 30);
    LaunchDriver driver(*run, prepared.prepared.plan, progress);
    run_state_t state = driver.run(parameters, 0, 21);
    EXPECT_EQ(state.control.stop, static_cast<std::uint32_t>(STOP_NONE));
    EXPECT_EQ(state.control.phases, 21U);
    EXPECT_EQ(state.solve.iteration, 10U) << "the phase residual comes before, and an iteration is two";
    state = driver.run(parameters, 21, 1000);
    EXPECT_EQ(state.control.stop, static_cast<std::uint32_t>(STOP_ITERATION_LIMIT));
    EXPECT_EQ(state.solve.iteration, 30U);
    EXPECT_EQ(state.solve.residual, tests::run(test_case, host_device()).report.residual);
}

/// How a run ends whose iteration 0 is phase `first`.
run_state_t run_from_phase(const Prepared &prepared, std::uint32_t first) {
    const auto run = host_device().prepare(prepared.memory.call(), prepared.prepared.plan.shape);
    run_state_t state{};
    run->read(buffer_state, &state, sizeof state);
    state.control.begin += first;
    run->write(buffer_state, &state, sizeof state);
    run_parameters_t parameters = prepared.memory.parameters();
    parameters.wait_limit = 60'000'000'000;
    Progress progress(Progress::Style::quiet, 1);
    LaunchDriver driver(*run, prepared.prepared.plan, progress);
    return driver.run(parameters, first, first + 10'000);
}

TEST(LaunchDriver, CountsIterationsFromThePhaseThatTheirSolveBeganIn) {
    for (const SolverMethod method : {SolverMethod::jacobi, SolverMethod::sor, SolverMethod::chebyshev,
                                      SolverMethod::cg, SolverMethod::bicgstab}) {
        Case test_case = small_case(method);
        test_case.config.solver.max_iterations = 35;
        test_case.config.solver.check_every = 10;
        const Prepared prepared(test_case);
        const run_state_t expected = run_from_phase(prepared, 0);
        EXPECT_EQ(expected.solve.iteration, 35U);
        for (const std::uint32_t first : {1001U, 0xfffffff0U}) {
            const run_state_t found = run_from_phase(prepared, first);
            EXPECT_EQ(found.solve.iteration, 35U) << first;
            EXPECT_EQ(found.solve.residual, expected.solve.residual) << first;
        }
    }
}

}  // namespace
}  // namespace perdure::tests::drive_launches_test
