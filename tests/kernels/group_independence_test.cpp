// The bits do not depend on the number of groups, on their size or on their order, nor on the run.
#include <algorithm>
#include <thread>

#include "solver/backends/host/host_device.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::group_independence_test {
namespace {

/// jacobi and chebyshev, cg and bicgstab in both norms and heat, in both precisions, on 13 chunks of cells with a ragged end.
std::vector<Case> sample_cases() {
    std::vector<Case> cases;
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        Case steady;
        steady.problem = random_problem({53, 61}, mixed_sides(2), Coefficients::microstructure, 11);
        steady.config.execution.precision = precision;
        steady.config.solver.max_iterations = 60;
        steady.config.solver.check_every = 9;
        steady.config.solver.method = SolverMethod::jacobi;
        steady.config.solver.norm = Norm::max;
        cases.push_back(steady);
        steady.config.solver.method = SolverMethod::chebyshev;
        cases.push_back(steady);
        steady.config.solver.method = SolverMethod::cg;
        for (const Norm norm : {Norm::l2, Norm::max}) {
            steady.config.solver.norm = norm;
            cases.push_back(steady);
            Case convective = steady;
            convective.config.solver.method = SolverMethod::bicgstab;
            convective.problem = with_velocity(steady.problem, Convection::central, 20.0, 13);
            cases.push_back(convective);
        }
        Case heat = steady;
        heat.problem = as_heat(random_problem({11, 17, 19}, mixed_sides(3), Coefficients::variable, 12));
        heat.config.time = some_steps(heat.problem, 20.0);
        cases.push_back(heat);
    }
    return cases;
}

/// PoCL compiles every kernel again for every size: several items in jacobi, and in cg, which takes it minutes of one
/// processor, where there are eight and no GPU runs cg with several items.
std::vector<int> group_sizes(Device &device, const Config &config) {
    const bool on_gpu = device.description().gpu;
    if (device.description().backend == BackendChoice::host) {
        return {1};
    }
    if (on_gpu) {
        return {32, 64, 256};
    }
    const bool many_processors =
        std::thread::hardware_concurrency() >= 8 && usable_devices(BackendChoice::cuda).devices.empty();
    const bool several =
        config.execution.precision == Precision::float64 && !config.time &&
        (config.solver.method == SolverMethod::jacobi ||
         (many_processors && config.solver.method == SolverMethod::cg && config.solver.norm == Norm::l2));
    return several ? std::vector<int>{1, 4} : std::vector<int>{1};
}

class GroupIndependence : public OnEachBackEnd {};

TEST_P(GroupIndependence, AnyNumberOfGroupsOfAnySizeGivesTheSameBits) {
    for (Case &test_case : sample_cases()) {
        for (const std::unique_ptr<Device> &device : devices()) {
            test_case.config.execution.groups = 1;
            test_case.config.execution.group_size = 0;
            const Solution expected = run(test_case, *device);
            const std::string kernel = prepare(test_case, *device).plan.method->name;
            const Precision precision = test_case.config.execution.precision;
            for (const int size : group_sizes(*device, test_case.config)) {
                const int limit = device->most_groups({kernel, precision}, size);
                test_case.config.execution.group_size = size;
                if (size > device->largest_group_size({kernel, precision})) {
                    EXPECT_THROW(prepare(test_case, *device), Failure);
                    continue;
                }
                for (const int groups : {1, 2, 3, 5, 7}) {
                    test_case.config.execution.groups = std::min(groups, limit);
                    const Solution found = run(test_case, *device);
                    ASSERT_EQ(found.report.groups, std::min(groups, limit));
                    ASSERT_EQ(found.report.group_size, size);
                    ASSERT_EQ(found.report.barriers, expected.report.barriers) << "groups of " << size;
                    ASSERT_TRUE(same_bits(found, expected))
                        << device->description().name << ": " << describe_case(test_case);
                }
            }
        }
    }
}

TEST_P(GroupIndependence, AHundredRunsGiveTheSameBits) {
    Case test_case;
    test_case.problem = random_problem({13, 71}, mixed_sides(2), Coefficients::variable, 5);
    test_case.config.solver.check_every = 4;
    for (const std::unique_ptr<Device> &device : devices()) {
        const Solution expected = run(test_case, *device);
        EXPECT_EQ(expected.report.stop, StopReason::converged_rtol);
        EXPECT_GT(expected.report.iterations, 20);
        for (int repetition = 0; repetition < 100; ++repetition) {
            ASSERT_TRUE(same_bits(run(test_case, *device), expected)) << "repetition " << repetition;
        }
    }
}

PERDURE_ON_EACH_BACK_END(GroupIndependence);

TEST(ShuffledGroups, AnyOrderGivesTheSameBits) {
    for (Case &test_case : sample_cases()) {
        test_case.config.execution.groups = 1;
        const Solution expected = run(test_case, host_device());
        test_case.config.execution.model = ExecutionModel::launches;
        for (const int groups : {1, 2, 3, 4, 5, 6, 7}) {
            test_case.config.execution.groups = groups;
            for (const std::uint64_t seed : {1U, 20U, 300U}) {
                const auto device = host::shuffled_device(seed);
                ASSERT_TRUE(same_bits(run(test_case, *device), expected))
                    << "seed " << seed << ": " << describe_case(test_case);
            }
        }
    }
}

}  // namespace
}  // namespace perdure::tests::group_independence_test
