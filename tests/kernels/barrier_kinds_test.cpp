// Every grid barrier on every back end present: data behind ten thousand barriers is right, runs keep their
// bits, and what a device lacks is refused. PERDURE_BARRIERS sets another number of barriers and prints how long they
// took, PERDURE_BARRIER_KIND names the one kind to try: tools/stress_barriers sets both.
#include <algorithm>
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "solver/backends/barrier_self_test.hpp"
#include "solver/run/choose_barrier.hpp"
#include "tests/kernels/sample_problems.hpp"
#include "tests/number_of_barriers.hpp"

namespace perdure::tests::barrier_kinds_test {
namespace {

constexpr std::array kinds{BarrierChoice::group_leader, BarrierChoice::all_items, BarrierChoice::lock_free,
                           BarrierChoice::tree, BarrierChoice::cooperative};

std::uint32_t rounds() {
    return std::max(1U, number_of_barriers(10'000) / 2);  // two barriers a round
}

bool has(const Device &device, BarrierChoice kind, int group_size) {
    const DeviceDescription &description = device.description();
    return !(kind == BarrierChoice::cooperative && !description.cooperative_barrier) &&
           !(kind == BarrierChoice::all_items && group_size > 1 && !description.items_progress);
}

int whole_group(Device &device) {
    return std::min(device.default_group_size(),
                    device.largest_group_size({"barrier_self_test", Precision::float64}));
}

int resident(Device &device, int group_size) {
    return device.resident_groups({"barrier_self_test", Precision::float64}, group_size);
}

bool asked_for(BarrierChoice kind) {
    const char *const only = std::getenv("PERDURE_BARRIER_KIND");
    return only == nullptr || name(kind) == std::string(only);
}

/// A line of the table of tools/stress_barriers.
void print_trial(const DeviceDescription &device, BarrierChoice kind, LaunchShape shape, double seconds,
                 const std::string &failure) {
    fmt::print("barriers|{}|{}|{}|{}|{}|{}|{:.2f}|{}\n", name(device.backend), device.name, name(kind),
               shape.groups, shape.group_size, 2 * rounds(), seconds, failure.empty() ? "right" : failure);
}

class BarrierKinds : public OnEachBackEnd {};

TEST_P(BarrierKinds, DataBehindThemIsRight) {
    for (const std::unique_ptr<Device> &device : devices()) {
        const int size = whole_group(*device);
        for (const BarrierChoice kind : kinds) {
            if (!asked_for(kind) || !has(*device, kind, size)) {
                continue;
            }
            const LaunchShape shape{resident(*device, size), size};
            const auto begin = std::chrono::steady_clock::now();
            const BarrierTrial trial = BarrierTrials(*device, shape).run(barrier_kind(kind), rounds());
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
            EXPECT_EQ(trial.failure, "") << device->description().name << ": " << name(kind);
            if (std::getenv("PERDURE_BARRIERS") != nullptr) {
                print_trial(device->description(), kind, shape, elapsed.count(), trial.failure);
            }
        }
    }
}

TEST_P(BarrierKinds, TakeAnyNumberOfGroups) {
    for (const std::unique_ptr<Device> &device : devices()) {
        const int smallest = device->description().gpu ? 32 : 1;
        for (const BarrierChoice kind : kinds) {
            for (const int groups : {1, 2, 3, 16, 17, 131, resident(*device, smallest)}) {
                if (groups <= resident(*device, smallest) && has(*device, kind, smallest)) {
                    const BarrierTrial trial =
                        BarrierTrials(*device, {groups, smallest}).run(barrier_kind(kind), 100);
                    EXPECT_EQ(trial.failure, "")
                        << device->description().name << ": " << groups << " groups, " << name(kind);
                }
            }
        }
    }
}

TEST_P(BarrierKinds, ATrialBeginsAnewWhateverTheOneBeforeItLeft) {
    for (const std::unique_ptr<Device> &device : devices()) {
        const int smallest = device->description().gpu ? 32 : 1;
        BarrierTrials trials(*device, {std::min(17, resident(*device, smallest)), smallest});
        for (int repetition = 0; repetition < 2; ++repetition) {
            for (const BarrierChoice kind : kinds) {
                if (has(*device, kind, smallest)) {
                    const BarrierTrial trial = trials.run(barrier_kind(kind), 10);
                    EXPECT_EQ(trial.failure, "") << device->description().name << ": " << name(kind);
                    EXPECT_GT(trial.seconds, 0.0);
                }
            }
        }
    }
}

TEST_P(BarrierKinds, GiveTheSameBits) {
    Case test_case;
    test_case.problem = random_problem({41, 37}, mixed_sides(2), Coefficients::variable, 3);
    test_case.config.solver.method = SolverMethod::cg;
    test_case.config.solver.rtol = 1.0e-10;
    for (const std::unique_ptr<Device> &device : devices()) {
        const Solution expected = run(test_case, *device);
        EXPECT_EQ(expected.report.barrier, "group_leader");
        for (const BarrierChoice kind : kinds) {
            if (has(*device, kind, whole_group(*device))) {
                Case other = test_case;
                other.config.execution.barrier = kind;
                const Solution solution = run(other, *device);
                EXPECT_TRUE(same_bits(expected, solution))
                    << device->description().name << ": " << name(kind);
                EXPECT_EQ(solution.report.barrier, name(kind));
            }
        }
    }
}

// One group more than fits: the plan refuses. That one which is launched all the same ends is shown by
// `perdure litmus too_many_groups`.
TEST_P(BarrierKinds, AGroupTooManyIsRefused) {
    for (const std::unique_ptr<Device> &device : devices()) {
        const int size = whole_group(*device);
        const int limit = device->most_groups({"jacobi", Precision::float64}, size);
        Case test_case;
        test_case.problem = random_problem({13, 17}, mixed_sides(2), Coefficients::variable, 1);
        test_case.config.solver.method = SolverMethod::jacobi;
        test_case.config.execution.groups = limit + 1;
        try {
            run(test_case, *device);
            ADD_FAILURE() << device->description().name << " took " << limit + 1 << " groups";
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
            EXPECT_NE(std::string(failure.what()).find("at most " + std::to_string(limit)), std::string::npos)
                << failure.what();
        }
    }
}

TEST_P(BarrierKinds, TheFastestOfAPlanHasBoundedWaits) {
    for (const std::unique_ptr<Device> &device : devices()) {
        Config config;
        config.grid.cells = {200, 300, 1};
        LaunchPlan plan = plan_launch(config, *device);
        choose_barrier(config, *device, plan);
        EXPECT_TRUE(plan.shape.groups == 1 || plan.barrier_seconds > 0.0);
        EXPECT_TRUE(plan.barrier == BarrierChoice::group_leader || plan.barrier == BarrierChoice::tree ||
                    plan.barrier == BarrierChoice::lock_free)
            << name(plan.barrier);
    }
}

PERDURE_ON_EACH_BACK_END(BarrierKinds);

}  // namespace
}  // namespace perdure::tests::barrier_kinds_test
