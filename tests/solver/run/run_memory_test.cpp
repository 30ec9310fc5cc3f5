#include "solver/run/run_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernels/grid.h"
#include "solver/run/run_case.hpp"

namespace perdure::run_memory_test {
namespace {

TEST(Divider, IsExactForEveryIndexBelowTwoToThe31) {
    constexpr std::uint32_t limit = 1U << 31U;
    std::mt19937 random(5);
    std::vector<std::uint32_t> divisors{1,          2,          3,          5,          7,         10,
                                        127,        128,        255,        256,        1000,      1000003,
                                        0x3fffffff, 0x40000000, 0x40000001, 0x7ffffffe, 0x7fffffff};
    for (int i = 0; i < 200; ++i) {
        divisors.push_back(1 + static_cast<std::uint32_t>(random() % (1ULL << (1 + random() % 31))));
    }
    for (const std::uint32_t divisor : divisors) {
        const divider_t divider = make_divider(divisor);
        EXPECT_EQ(divider.divisor, divisor);
        std::vector<std::uint32_t> indices{
            0, 1, divisor - 1, divisor, limit - 1, limit - 2, (limit - 1) / divisor * divisor};
        indices.push_back(indices.back() - 1);
        for (int i = 0; i < 2000; ++i) {
            const auto index = static_cast<std::uint32_t>(random() % limit);
            indices.push_back(index);
            indices.push_back(index / divisor * divisor);
            indices.push_back(index / divisor * divisor - 1);
        }
        for (const std::uint32_t index : indices) {
            if (index < limit) {
                ASSERT_EQ(divide(index, divider), index / divisor) << index << " / " << divisor;
            }
        }
    }
}

/// 4 x 3 cells of spacing 0.5, a = 2, f = 1, the value 3 on x-.
struct Sample {
    Config config;
    Problem problem;
    ActiveCells cells;
    LaunchPlan plan;

    Sample() {
        problem.fields.emplace_back().name = "u";
        problem.grid.cells = {4, 3, 1};
        problem.grid.spacing = {0.5, 0.5, 1.0};
        problem.only_field().a.values = {2.0};
        problem.only_field().f.values = {1.0};
        problem.only_field().initial.values = {0.25};
        problem.only_field().sides[0].kind = SideKind::value;
        problem.only_field().sides[0].values.values = {3.0};
        cells = find_active_cells(problem.grid, problem.only_field());
        config.grid.cells = problem.grid.cells;
    }

    template <typename Real>
    RunMemory<Real> memory() {
        const auto devices = host_devices();
        plan = plan_launch(config, *devices[0]);
        return RunMemory<Real>(config, problem.grid, problem.only_field(), cells, plan,
                               discretise<Real>(problem.grid, problem.only_field(), cells), {});
    }
};

template <typename Real>
Real entry(const KernelCall &call, std::size_t buffer, std::size_t index) {
    return static_cast<const Real *>(call.buffers.at(buffer).initial)[index];
}

template <typename Real>
double right_hand_side_norm(const RunMemory<Real> &memory) {
    return entry<run_state_t>(memory.call(), buffer_state, 0).solve.right_hand_side_norm;
}

TEST(RunMemory, HoldsGridAndNorms) {
    Sample sample;
    sample.config.solver.norm = Norm::l2;
    const RunMemory<double> memory = sample.memory<double>();
    const run_parameters_t parameters = memory.parameters();
    EXPECT_EQ(parameters.cells, 12U);
    EXPECT_EQ(parameters.nx, 4U);
    EXPECT_EQ(parameters.ny, 3U);
    EXPECT_EQ(parameters.nz, 1U);
    EXPECT_EQ(parameters.row.divisor, 4U);
    EXPECT_EQ(parameters.layer.divisor, 12U);
    EXPECT_EQ(parameters.uniform, 1U);
    EXPECT_EQ(parameters.boxes, 1U);
    EXPECT_EQ(parameters.chunks, 1U);
    EXPECT_EQ(parameters.epsilon, std::numeric_limits<double>::epsilon());
    // b = f + 2 a v / h^2 = 49 in the first column of 3 cells, 1 in the other 9
    EXPECT_DOUBLE_EQ(right_hand_side_norm(memory), std::sqrt(3.0 * 49.0 * 49.0 + 9.0));
    sample.config.solver.norm = Norm::max;
    sample.config.execution.precision = Precision::float32;
    const RunMemory<float> in_float32 = sample.memory<float>();
    EXPECT_EQ(right_hand_side_norm(in_float32), 49.0);
    EXPECT_EQ(in_float32.parameters().epsilon, static_cast<double>(std::numeric_limits<float>::epsilon()));
}

TEST(RunMemory, StartsFromTheInitialFieldAndAKnownTolerance) {
    Sample sample;
    sample.config.solver.norm = Norm::max;
    sample.config.solver.rtol = 1.0e-3;
    const RunMemory<double> memory = sample.memory<double>();
    const KernelCall call = memory.call();
    const auto state = entry<run_state_t>(call, buffer_state, 0);
    EXPECT_DOUBLE_EQ(state.solve.tolerance, 0.049);
    EXPECT_EQ(state.control.bad_cell, NO_CELL);
    EXPECT_EQ(state.control.stop, static_cast<std::uint32_t>(STOP_NONE));
    EXPECT_EQ(entry<double>(call, call.place_of("x"), 11), 0.25);
    EXPECT_EQ(entry<double>(call, call.place_of("b"), 0), 49.0);
    EXPECT_EQ(entry<double>(call, call.place_of("b"), 1), 1.0);
    EXPECT_EQ(call.kernel, "cg");
    ASSERT_EQ(call.buffers.size(), 16U);
    EXPECT_EQ(call.buffers[memory.initial_buffer()].bytes, 12 * sizeof(double));
    EXPECT_EQ(call.buffers.back().bytes, 12 * sizeof(double));
}

TEST(RunMemory, WithoutPreconditionerTheInverseDiagonalIsOneWhereCellsTakePart) {
    Sample sample;
    sample.problem.only_field().a.values.assign(12, 2.0);
    sample.problem.only_field().a.values[7] = 0.0;
    sample.cells = find_active_cells(sample.problem.grid, sample.problem.only_field());
    for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi}) {
        sample.config.solver.preconditioner = preconditioner;
        const RunMemory<double> memory = sample.memory<double>();
        const KernelCall call = memory.call();
        EXPECT_EQ(entry<double>(call, call.place_of("inverse_diagonal"), 7), 0.0);
        // the corner cell (3, 0): one neighbour, as (3, 1) is solid
        EXPECT_EQ(entry<double>(call, call.place_of("inverse_diagonal"), 3),
                  preconditioner == Preconditioner::none ? 1.0 : 1.0 / 8.0);
    }
}

TEST(RunMemory, TabulatesTimeFactorsPerStep) {
    Sample sample;
    sample.config.type = ProblemType::heat;
    sample.problem.only_field().in_time = true;
    sample.problem.only_field().f_time_factor = "2 * t";
    sample.problem.only_field().sides[0].time_factor = "1 - t";
    sample.config.time.emplace();
    sample.config.time->end = 0.05;
    const std::vector<TimeSegment> segments = time_segments(sample.config, 0.02);
    const auto devices = host_devices();
    const LaunchPlan plan = plan_launch(sample.config, *devices[0]);
    const RunMemory<double> memory(
        sample.config, sample.problem.grid, sample.problem.only_field(), sample.cells, plan,
        discretise<double>(sample.problem.grid, sample.problem.only_field(), sample.cells), segments);
    const std::vector<double> table = memory.factor_table(segments);
    ASSERT_EQ(table.size(), 6U);
    // f comes first: its factor is the first that is met
    for (int step = 0; step < 3; ++step) {
        EXPECT_DOUBLE_EQ(table[2 * step], 2.0 * 0.02 * step);
        EXPECT_DOUBLE_EQ(table[2 * step + 1], 1.0 - 0.02 * step);
    }
    const run_parameters_t parameters = memory.segment_parameters(segments[0]);
    EXPECT_EQ(parameters.factors, 2U);
    EXPECT_EQ(parameters.max_iterations, 3U);
    EXPECT_EQ(parameters.last_step, 2U);
    EXPECT_EQ(parameters.time_step, 0.02);
    EXPECT_NEAR(parameters.last_time_step, 0.01, 1.0e-16);
}

}  // namespace
}  // namespace perdure::run_memory_test
