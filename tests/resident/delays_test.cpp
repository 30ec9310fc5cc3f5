// Resident runs with random delays where groups send messages, poll them and wait at grid barriers: they end, and with the same
// bits as without delays.
#include <fmt/format.h>

#include "tests/kernels/sample_problems.hpp"
#include "tests/resident/delayed_kernels.hpp"

namespace perdure::tests {
namespace {

class ResidentDelays : public OnEachBackEnd {
  protected:
    /// Runs `test_case` once without and `times` times with delays; kernel: the kernel that it must take.
    static void expect_same(Case test_case, const std::string &kernel, int times) {
        test_case.config.execution.model = ExecutionModel::resident;
        for (const std::unique_ptr<Device> &device : devices()) {
            EXPECT_EQ(prepare(test_case, *device).plan.launched, kernel) << describe_case(test_case);
            const Solution expected = run(test_case, *device);
            delay_resident_kernels(true);
            for (int i = 0; i < times; ++i) {
                const unsigned waits = waits_of_delayed_kernels();
                const Solution delayed = run(test_case, *device);
                EXPECT_TRUE(same_bits(expected, delayed))
                    << device->description().name << ": " << describe_case(test_case);
                EXPECT_NE(waits_of_delayed_kernels(), waits) << "no delays";
            }
            delay_resident_kernels(false);
        }
    }

    static Case stepping_case(const std::vector<std::int64_t> &shape, Coefficients coefficients, bool heat,
                              bool plain) {
        Case test_case;
        test_case.problem =
            random_problem(shape, all_sides(SideKind::value), coefficients, 1 + (heat ? 1 : 0));
        if (plain) {
            test_case.problem.only_field().f = {};
            test_case.problem.only_field().sigma = {};
        }
        if (coefficients == Coefficients::variable) {
            test_case.config.a.kind = ValueSource::Kind::dataset;
        }
        test_case.config.execution.precision = Precision::float32;
        test_case.config.solver.method = SolverMethod::jacobi;
        test_case.config.solver.max_iterations = 200;
        test_case.config.solver.check_every = 17;
        test_case.config.solver.rtol = 1.0e-9;
        if (heat) {
            test_case.problem.only_field().in_time = true;
            test_case.config.time = some_steps(test_case.problem, 200.0);
        }
        return test_case;
    }
};

// One test for every few kernels, because several processes compile those that take longest (tools/run_test_programs).

const Coefficients uniform = Coefficients::uniform;
const Coefficients variable = Coefficients::variable;

class SteppingDelays : public ResidentDelays {
  protected:
    /// Runs heat and Jacobi; kernel: the kernel's name without its method.
    static void expect_both(const std::vector<std::int64_t> &shape, Coefficients coefficients, bool plain,
                            const std::string &kernel, int times) {
        for (const bool heat : {true, false}) {
            expect_same(stepping_case(shape, coefficients, heat, plain),
                        (heat ? "heat_" : "jacobi_") + kernel, times);
        }
    }
};

TEST_P(SteppingDelays, LeaveTheBitsInRegisters) {
    expect_both({200, 250}, variable, false, "on_chip_2d_small", 3);
    expect_both({400, 500}, uniform, false, "on_chip_2d_large", 3);
}

TEST_P(SteppingDelays, LeaveTheBitsOfWideTiles) {
    expect_both({1000, 900}, uniform, true, "on_chip_2d_wide_6", 3);
    expect_both({1000, 901}, uniform, true, "on_chip_2d_wide_6", 3);
    expect_both({1900, 2000}, uniform, true, "on_chip_2d_wide_18", 3);
    expect_same(stepping_case({900, 900}, variable, true, true), "heat_on_chip_2d_wide_small_varied", 2);
}

TEST_P(SteppingDelays, LeaveTheBitsInSharedMemory) {
    expect_both({40, 60, 70}, uniform, true, "on_chip_3d_small", 3);
    expect_both({110, 120, 128}, uniform, true, "on_chip_3d_large", 3);
}

TEST_P(SteppingDelays, LeaveTheBitsInSharedMemoryWithSources) {
    expect_both({40, 60, 70}, uniform, false, "on_chip_3d_small_sourced", 3);
    expect_both({110, 120, 128}, uniform, false, "on_chip_3d_large_sourced", 3);
}

TEST_P(SteppingDelays, LeaveTheBitsInSharedMemoryWithVariedCoefficients) {
    expect_both({40, 60, 70}, variable, false, "on_chip_3d_small_varied", 3);
    expect_both({110, 120, 128}, variable, false, "on_chip_3d_large_varied", 3);
}

TEST_P(SteppingDelays, LeaveTheBitsOfTemporalBlocks) {
    expect_both({2300, 2301}, uniform, false, "blocked_2d", 1);
    expect_both({2300, 2300}, uniform, true, "blocked_2d", 1);
    expect_both({130, 140, 150}, uniform, false, "blocked_3d", 1);
}

TEST_P(SteppingDelays, LeaveTheBitsOfTemporalBlocksWithVariedCoefficients) {
    expect_both({900, 901}, variable, false, "blocked_2d_varied", 2);
    expect_same(stepping_case({900, 900}, variable, false, true), "jacobi_blocked_2d_varied", 2);
}

class CgDelays : public ResidentDelays {
  protected:
    static Case cg_case(const std::vector<std::int64_t> &shape, Coefficients coefficients) {
        Case test_case;
        test_case.problem =
            random_problem(shape, mixed_sides(static_cast<int>(shape.size())), coefficients, 3);
        test_case.config.solver.max_iterations = 120;
        test_case.config.solver.check_every = 7;
        return test_case;
    }

    static void expect_on_chip(const std::vector<std::vector<std::int64_t>> &shapes) {
        for (const std::vector<std::int64_t> &shape : shapes) {
            for (const Coefficients coefficients : {uniform, variable}) {
                expect_same(cg_case(shape, coefficients), fmt::format("cg_on_chip_{}d", shape.size()), 3);
            }
        }
    }

    static void expect_streamed(const std::vector<std::vector<std::int64_t>> &shapes) {
        for (const std::vector<std::int64_t> &shape : shapes) {
            for (const Coefficients coefficients : {uniform, variable}) {
                Case test_case = cg_case(shape, coefficients);
                test_case.config.execution.groups = 3;
                test_case.config.solver.max_iterations = 30;
                expect_same(test_case, fmt::format("cg_streamed_{}d", shape.size()), 2);
            }
        }
    }
};

TEST_P(CgDelays, LeaveTheBitsIn2d) {
    expect_on_chip({{230, 231}, {700, 600}, {1100, 1000}});
}

TEST_P(CgDelays, LeaveTheBitsIn3d) {
    expect_on_chip({{40, 41, 45}, {90, 100, 128}, {96, 96, 96}, {128, 128, 128}});
}

TEST_P(CgDelays, LeaveTheBitsOfStreamedIterations) {
    expect_streamed({{230, 231}, {700, 600}, {40, 41, 45}, {96, 96, 96}});
}

INSTANTIATE_TEST_SUITE_P(BackEnds, SteppingDelays, testing::Values(BackendChoice::cuda), back_end_name);
INSTANTIATE_TEST_SUITE_P(BackEnds, CgDelays, testing::Values(BackendChoice::cuda), back_end_name);

}  // namespace
}  // namespace perdure::tests
