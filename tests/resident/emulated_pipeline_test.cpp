// Temporally blocked stepping without a GPU: the kernel text of pipelines on emulated items (emulated_cuda.hpp) gives the bits of
// the phases.
#include "tests/resident/emulated_cuda.hpp"

#include <random>

#define DELAY_HERE()

#include "kernels/common.h"
#include "kernels/resident/async_copy.h"
#include "kernels/resident/list.h"
#include "kernels/resident/pipeline_shape_2d.h"
#include "kernels/resident/plane_shape_3d.h"
#include "kernels/resident/row.h"
#include "kernels/resident/split_barrier.h"
#include "kernels/stencil_formula.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "tests/kernels/sample_problems.hpp"
#include "tests/resident/emulated_device.hpp"
#include "tests/resident/emulated_items.hpp"

namespace perdure::tests {

#define PERDURE_PROGRAM "tests/resident/emulated_pipeline_program.h"
#include "solver/backends/both_precisions.inc"

namespace {

class EmulatedPipelines : public testing::Test {
  protected:
    static std::unique_ptr<Device> device(int groups, std::int64_t registers) {
        return emulated_device(
            {groups, 232448, registers},
            [](const KernelCall &call, const run_parameters_t &parameters, EmulatedMemory &memory) {
                const bool single = call.precision == Precision::float32;
                return item_of(single ? float32::kernel_of(call.kernel) : float64::kernel_of(call.kernel),
                               call, parameters, memory);
            });
    }
    /// Of one pipeline.
    static constexpr std::int64_t registers_2d = 36000;

    static std::vector<std::int64_t> draw_shape_2d(std::mt19937_64 &random) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const std::int64_t columns = below(3) == 0 ? 4 * (1 + below(40)) : 128 + below(700);
        return {1 + below(below(4) == 0 ? 12 : 150), columns};
    }
    /// Draws shapes that are too small for boxes, or too large for three multiprocessors.
    static std::vector<std::int64_t> draw_shape_3d(std::mt19937_64 &random) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const bool narrow = below(3) == 0;
        const std::int64_t columns = narrow          ? 1 + below(31)
                                     : below(2) == 0 ? 68 + 4 * below(12)
                                                     : 65 + below(60);
        return {3 + below(9), narrow ? 1 + below(75) : 40 + below(40), columns};
    }

    static Case draw(std::mt19937_64 &random, const std::vector<std::int64_t> &shape, bool uniform, bool heat,
                     Precision precision) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const Kinds kinds = random_sides(random);
        Case drawn;
        drawn.problem =
            random_problem(shape, kinds, uniform ? Coefficients::uniform : Coefficients::variable, random());
        if (below(3) != 0) {
            drawn.problem.only_field().f = {};
            drawn.problem.only_field().sigma = {};
        }
        if (!uniform) {
            drawn.config.a.kind = ValueSource::Kind::dataset;
        }
        drawn.config.execution.precision = precision;
        drawn.config.solver.method = SolverMethod::jacobi;
        drawn.config.solver.check_every = 1 + below(12);
        drawn.config.solver.max_iterations = 1 + below(shape.size() == 3 ? 8 : 18);
        drawn.config.solver.rtol = 1.0e-12;
        if (heat) {
            drawn.problem.only_field().in_time = true;
            drawn.config.time = some_steps(drawn.problem, 0.5 + below(shape.size() == 3 ? 8 : 18));
        }
        return drawn;
    }

    /// The case fixes the number of groups, so that the field does not stay on the chip.
    static void compare(Case test_case, int groups, std::int64_t registers, int depth) {
        const auto emulated = device(groups, registers);
        test_case.config.execution.groups = groups;
        test_case.config.execution.model = ExecutionModel::resident;
        const ResidentPlan plan = prepare(test_case, *emulated).plan.resident;
        EXPECT_EQ(plan.depth, depth) << describe_case(test_case);
        if (test_case.problem.grid.dimensions == 3) {
            const bool single = test_case.config.execution.precision == Precision::float32;
            EXPECT_GE(static_cast<std::size_t>(plan.shared_bytes),
                      single ? sizeof(float32::planes_chip_t) : sizeof(float64::planes_chip_t))
                << "phases would make the steps";
        }
        const Solution pipelined = run(test_case, *emulated);
        test_case.config.execution.groups = 0;
        test_case.config.execution.model = ExecutionModel::persistent;
        const Solution phases = run(test_case, host_device());
        EXPECT_EQ(pipelined.report.stop, phases.report.stop) << describe_case(test_case);
        EXPECT_EQ(pipelined.fields.front().values, phases.fields.front().values) << describe_case(test_case);
        const auto &history = pipelined.report.history, &of_phases = phases.report.history;
        ASSERT_EQ(history.size(), of_phases.size()) << describe_case(test_case);
        for (std::size_t i = 0; i < history.size(); ++i) {
            EXPECT_EQ(history[i].iteration, of_phases[i].iteration) << describe_case(test_case);
            EXPECT_NEAR(history[i].residual, of_phases[i].residual, 1.0e-5 * of_phases[i].residual)
                << describe_case(test_case);
        }
    }

    static void draw_and_compare(bool uniform, bool heat, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        for (int i = 0; i < 12; ++i) {
            const Precision precision = i % 2 == 0 ? Precision::float32 : Precision::float64;
            const int groups = 1 + i % 3;
            emulated::copies_arrive_at_once = i / 2 % 2 == 0;
            compare(draw(random, draw_shape_2d(random), uniform, heat, precision), groups, registers_2d, 8);
        }
    }
    static void draw_and_compare_3d(bool heat, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        for (int i = 0; i < 6; ++i) {
            const Precision precision = i % 2 == 0 ? Precision::float32 : Precision::float64;
            emulated::copies_arrive_at_once = i / 2 % 2 == 0;
            compare(draw(random, draw_shape_3d(random), true, heat, precision), 1 + i % 3, 65536, 3);
        }
    }
};

// A periodic axis of two cells has no cell at a side; another axis of two cells has only cells at sides. The tables that kernels
// index by sides contain both.
TEST_F(EmulatedPipelines, HaveTheBitsOfThePhasesOnShortAxes) {
    std::mt19937_64 random(47);
    for (const bool heat : {true, false}) {
        for (const std::vector<std::int64_t> &shape :
             std::vector<std::vector<std::int64_t>>{{2, 128}, {40, 4}, {5, 70, 2}, {4, 2, 65}}) {
            const bool solid = shape.size() == 3;
            for (int periodic = 0; periodic < 4; ++periodic) {
                const Precision precision = heat ? Precision::float32 : Precision::float64;
                Case drawn = draw(random, shape, true, heat, precision);
                Kinds kinds{};
                kinds.fill(SideKind::value);
                for (std::size_t axis = 0; axis < 2; ++axis) {
                    if ((periodic >> axis & 1) != 0) {
                        kinds[2 * axis] = kinds[2 * axis + 1] = SideKind::periodic;
                    }
                }
                drawn.problem = random_problem(shape, kinds, Coefficients::uniform, random());
                if (heat) {
                    drawn.problem.only_field().in_time = true;
                    drawn.config.time = some_steps(drawn.problem, 5.0);
                }
                compare(drawn, 1 + periodic % 3, solid ? 65536 : registers_2d, solid ? 3 : 8);
            }
        }
    }
}

TEST_F(EmulatedPipelines, HaveTheBitsOfThePhasesInHeat) {
    draw_and_compare(true, true, 41);
}
TEST_F(EmulatedPipelines, HaveTheBitsOfThePhasesInHeatWithCoefficientsThatVary) {
    draw_and_compare(false, true, 42);
}
TEST_F(EmulatedPipelines, HaveTheBitsOfThePhasesInHeatIn3d) {
    draw_and_compare_3d(true, 45);
}
TEST_F(EmulatedPipelines, HaveTheBitsOfThePhasesInJacobiIn3d) {
    draw_and_compare_3d(false, 46);
}
TEST_F(EmulatedPipelines, HaveTheBitsOfThePhasesInJacobi) {
    draw_and_compare(true, false, 43);
}
TEST_F(EmulatedPipelines, HaveTheBitsOfThePhasesInJacobiWithCoefficientsThatVary) {
    draw_and_compare(false, false, 44);
}

}  // namespace
}  // namespace perdure::tests
