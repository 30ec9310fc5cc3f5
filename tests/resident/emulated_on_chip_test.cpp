// On-chip fields without a GPU: their kernel text on emulated items (emulated_cuda.hpp) gives the bits of the phases.
#include "tests/resident/emulated_cuda.hpp"

#include <algorithm>
#include <random>

#include "tests/resident/emulated_delays.hpp"

#include "kernels/common.h"
#include "kernels/resident/async_copy.h"
#include "kernels/resident/box_shape_3d.h"
#include "kernels/resident/list.h"
#include "kernels/resident/masked_row.h"
#include "kernels/resident/messages.h"
#include "kernels/resident/row.h"
#include "kernels/stencil_formula.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "sync/step_flags.h"
#include "tests/kernels/sample_problems.hpp"
#include "tests/resident/emulated_device.hpp"
#include "tests/resident/emulated_items.hpp"
#include "tests/resident/terms_inside.hpp"

namespace perdure::tests {

#define PERDURE_PROGRAM "tests/resident/emulated_on_chip_program.h"
#include "solver/backends/both_precisions.inc"

namespace {

class EmulatedOnChip : public testing::Test {
  protected:
    static std::unique_ptr<Device> device(int groups) {
        return emulated_device(
            {groups, 232448, 65536},
            [](const KernelCall &call, const run_parameters_t &parameters, EmulatedMemory &memory) {
                const bool single = call.precision == Precision::float32;
                return item_of(single ? float32::kernel_of(call.kernel) : float64::kernel_of(call.kernel),
                               call, parameters, memory);
            });
    }
    /// Compares runs on `units` multiprocessors with the phases. Groups are delayed; kernel: the tiles that the run must take.
    /// Covers both methods (with varying coefficients only heat), both precisions, and copies that arrive early or late.
    static void compare_all(const std::vector<std::int64_t> &shape, const Kinds &kinds, int units,
                            const std::string &kernel, Coefficients coefficients = Coefficients::uniform,
                            int first = 0, int end = 4, wide_terms terms = NO_TERMS) {
        const bool varied = coefficients == Coefficients::variable;
        for (int i = first; i < end; ++i) {  // from 2 on in float64
            const bool heat = varied || i % 2 == 0;
            emulated::copies_arrive_at_once = i == 1 || i == 2;
            Case drawn;
            drawn.problem = random_problem(shape, kinds, coefficients, 7 + i);
            drawn.config.a.kind = varied ? ValueSource::Kind::dataset : ValueSource::Kind::number;
            set_terms_inside(terms, drawn);
            drawn.config.execution.precision = i < 2 ? Precision::float32 : Precision::float64;
            drawn.config.solver.method = SolverMethod::jacobi;
            drawn.config.solver.check_every = 5;
            drawn.config.solver.max_iterations = 11;
            drawn.config.solver.rtol = 1.0e-12;
            if (heat) {
                drawn.problem.only_field().in_time = true;
                drawn.config.time = some_steps(drawn.problem, 10.5);
            }
            drawn.config.execution.model = ExecutionModel::resident;
            const std::unique_ptr<Device> emulated = device(units);
            EXPECT_EQ(prepare(drawn, *emulated).plan.launched,
                      (heat ? "heat_on_chip_" : "jacobi_on_chip_") + kernel)
                << describe_case(drawn);
            emulated_delays = true;
            const Solution on_chip = run(drawn, *emulated);
            emulated_delays = false;
            drawn.config.execution.model = ExecutionModel::persistent;
            const Solution phases = run(drawn, host_device());
            EXPECT_EQ(on_chip.report.stop, phases.report.stop) << describe_case(drawn);
            EXPECT_EQ(on_chip.fields.front().values, phases.fields.front().values) << describe_case(drawn);
        }
    }
    static Kinds periodic(bool x, bool y, bool z) {
        Kinds kinds = all_sides(SideKind::value);
        const bool of_axis[] = {x, y, z};
        for (std::size_t side = 0; side < kinds.size(); ++side) {
            kinds[side] = of_axis[side / 2] ? SideKind::periodic : kinds[side];
        }
        return kinds;
    }
};

/// The rest of what stands below, for longer than tools/test has time for without a GPU.
class EmulatedOnChipAtLength : public EmulatedOnChip {};

/// Rows that are whole lanes of four columns, and others; periodic and not.
TEST_F(EmulatedOnChip, WideTilesHaveTheBitsOfThePhases) {
    compare_all({100, 259}, periodic(false, true, false), 5, "2d_wide_6");
}

TEST_F(EmulatedOnChipAtLength, WideTilesHaveTheBitsOfThePhases) {
    compare_all({100, 260}, periodic(false, false, false), 5, "2d_wide_6");
    compare_all({90, 257}, periodic(true, false, false), 5, "2d_wide_6");
    compare_all({100, 260}, periodic(true, false, false), 5, "2d_wide_6");
    compare_all({280, 252}, periodic(false, false, false), 3, "2d_wide_18");
    compare_all({270, 250}, periodic(true, true, false), 5, "2d_wide_18");
}

TEST_F(EmulatedOnChip, WideTilesWithASourceHaveTheBitsOfThePhases) {
    const Coefficients uniform = Coefficients::uniform;
    compare_all({100, 260}, all_sides(SideKind::exchange), 5, "2d_wide_6_constant_source", uniform, 1, 3,
                CONSTANT_SOURCE);
    compare_all({100, 259}, periodic(true, true, false), 5, "2d_wide_small_sourced", uniform, 1, 3,
                SOURCE_OF_CELL);
}

TEST_F(EmulatedOnChipAtLength, WideTilesWithASourceHaveTheBitsOfThePhases) {
    const Coefficients uniform = Coefficients::uniform;
    compare_all({100, 260}, all_sides(SideKind::exchange), 5, "2d_wide_6_constant_source", uniform, 0, 4,
                CONSTANT_SOURCE);
    compare_all({90, 257}, periodic(true, false, false), 5, "2d_wide_6_constant_terms", uniform, 0, 4,
                CONSTANT_TERMS);
    compare_all({100, 260}, periodic(false, false, false), 5, "2d_wide_small_sourced", uniform, 0, 4,
                SOURCE_OF_CELL);
    compare_all({100, 259}, periodic(true, true, false), 5, "2d_wide_small_sourced", uniform, 0, 4,
                SOURCE_OF_CELL);
    compare_all({280, 252}, all_sides(SideKind::exchange), 3, "2d_wide_18_constant_source", uniform, 2, 4,
                CONSTANT_SOURCE);
    compare_all({270, 250}, periodic(true, true, false), 5, "2d_wide_18_constant_terms", uniform, 0, 2,
                CONSTANT_TERMS);
    compare_all({280, 252}, all_sides(SideKind::exchange), 3, "2d_wide_large_sourced", uniform, 0, 2,
                SOURCE_OF_CELL);
    compare_all({100, 260}, periodic(true, false, false), 3, "2d_wide_large_sourced", uniform, 2, 4,
                SOURCE_OF_CELL);
}

/// Diagonals vary along the sides. Shared memory has room for all conductances only in small tiles in float32.
TEST_F(EmulatedOnChip, WideTilesWhoseCoefficientsVaryHaveTheBitsOfThePhases) {
    compare_all({100, 259}, periodic(false, true, false), 5, "2d_wide_small_varied", Coefficients::variable,
                1, 3);
}

TEST_F(EmulatedOnChipAtLength, WideTilesWhoseCoefficientsVaryHaveTheBitsOfThePhases) {
    const Coefficients varied = Coefficients::variable;
    compare_all({100, 260}, all_sides(SideKind::exchange), 5, "2d_wide_small_varied", varied);
    compare_all({100, 259}, periodic(false, true, false), 5, "2d_wide_small_varied", varied);
    compare_all({90, 257}, periodic(true, false, false), 5, "2d_wide_small_varied", varied);
    compare_all({100, 260}, periodic(true, true, false), 5, "2d_wide_small_varied", varied);
    compare_all({280, 252}, all_sides(SideKind::value), 3, "2d_wide_large_varied", varied, 0, 2);
    compare_all({270, 250}, periodic(true, true, false), 5, "2d_wide_large_varied", varied, 0, 2);
    compare_all({100, 260}, all_sides(SideKind::exchange), 3, "2d_wide_large_varied", varied, 2, 4);
}

// Heat may have more steps than half of what 32 bits can count.
TEST(ResidentStepping, FindsTheNextCheckWhereItsNumberLeaves32Bits) {
    run_parameters_t parameters{};
    parameters.check_every = 900000000;
    parameters.max_iterations = 4000000000U;
    EXPECT_EQ(float64::next_check(&parameters, 1U), 900000000U);
    EXPECT_EQ(float64::next_check(&parameters, 900000000U), 900000000U);
    EXPECT_EQ(float64::next_check(&parameters, 3600000000U), 3600000000U);
    EXPECT_EQ(float64::next_check(&parameters, 3600000001U), 4000000000U);
}

TEST_F(EmulatedOnChip, SmallTilesHaveTheBitsOfThePhases) {
    compare_all({50, 45}, periodic(false, true, false), 9, "2d_small");
    compare_all({60, 70}, periodic(true, false, false), 4, "2d_large");
}

TEST_F(EmulatedOnChip, BoxesHaveTheBitsOfThePhases) {
    compare_all({9, 15, 40}, periodic(false, true, false), 4, "3d_small");
}

TEST_F(EmulatedOnChipAtLength, BoxesHaveTheBitsOfThePhases) {
    compare_all({36, 20, 33}, periodic(false, false, false), 6, "3d_large");
    compare_all({20, 32, 37}, periodic(true, false, true), 4, "3d_large");
    compare_all({16, 32, 32}, periodic(true, true, true), 1,
                "3d_large");  // boxes that are their own neighbours
}

}  // namespace
}  // namespace perdure::tests
