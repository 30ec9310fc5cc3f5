// Ranks with a GPU each, without one: the kernels on emulated items (emulated_ranks.hpp). Their bits are those of host threads.
#include <tuple>
#include <vector>

#include "kernels/multigrid/hierarchy.h"
#include "tests/kernels/multigrid_cases.hpp"
#include "tests/ranks/emulated_ranks.hpp"
#include "tests/resident/emulated_delays.hpp"

namespace perdure::tests {
namespace {

using Shape = std::vector<std::int64_t>;

class EmulatedRanks : public testing::Test {
  protected:
    void SetUp() override {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
        GTEST_SKIP() << "sanitizers do not follow fibers";
#endif
    }
};

/// Some iterations: the first shows already whether cells of other ranks are those of this iteration.
Case some_iterations(const Shape &shape, const Kinds &sides, Coefficients coefficients) {
    Case test_case = with_multigrid(random_problem(shape, sides, coefficients, 3));
    test_case.config.solver.max_iterations = 3;
    test_case.config.execution.devices = 2;  // whose vectors lend nothing
    return test_case;
}

void expect_bits_of_host(const Case &test_case, int ranks, int groups) {
    const Solution found = run(test_case, *emulated_ranks(ranks, groups));
    EXPECT_TRUE(same_bits(run(test_case, host_device()), found))
        << describe_case(test_case) << ", " << ranks << " ranks";
}

/// Where transforms store to the memory of other ranks, and where they send all by messages.
void expect_bits_either_way(const Case &test_case, int ranks, int groups) {
    const Solution expected = run(test_case, host_device());
    for (const bool reaches_none : {false, true}) {
        const Solution found = run(test_case, *emulated_ranks(ranks, groups, {.reaches_none = reaches_none}));
        EXPECT_TRUE(same_bits(expected, found))
            << describe_case(test_case) << ", " << ranks << " ranks, by messages: " << reaches_none;
    }
}

// Levels of more than 32^3 cells are shared, the others are computed by each rank.
TEST_F(EmulatedRanks, ShareTheLevelsOfConstantCoefficients) {
    expect_bits_of_host(some_iterations({211, 187}, mixed_sides(2), Coefficients::uniform), 2, 3);
    expect_bits_of_host(some_iterations({38, 31, 47}, mixed_sides(3), Coefficients::uniform), 3, 2);
}

TEST_F(EmulatedRanks, ShareTheLevelsOfCoefficientsThatVary) {
    expect_bits_of_host(some_iterations({205, 193}, mixed_sides(2), Coefficients::variable), 3, 2);
    expect_bits_of_host(some_iterations({38, 31, 47}, mixed_sides(3), Coefficients::variable), 2, 2);
    expect_bits_of_host(some_iterations({31, 33, 40}, all_sides(SideKind::periodic), Coefficients::variable),
                        2, 2);
}

TEST_F(EmulatedRanks, ShareSeveralLevels) {
    Case test_case = some_iterations({403, 343}, all_sides(SideKind::value), Coefficients::variable);
    test_case.config.solver.max_iterations = 1;
    expect_bits_of_host(test_case, 5, 2);
    test_case.config.solver.multigrid.smoother = Smoother::red_black;
    expect_bits_of_host(test_case, 4, 2);
}

TEST_F(EmulatedRanks, ComputeSmallLevelsEachForItself) {
    expect_bits_of_host(some_iterations({31, 29, 33}, mixed_sides(3), Coefficients::variable), 3, 2);
    expect_bits_of_host(some_iterations({61, 70}, mixed_sides(2), Coefficients::uniform), 2, 3);
}

// Cycles in a precision of their own have a right-hand side of their own.
TEST_F(EmulatedRanks, RoundWhatCyclesWorkOn) {
    for (const Precision precision : {Precision::mixed, Precision::float32}) {
        for (const Shape &shape : {Shape{211, 187}, Shape{31, 29, 33}}) {
            Case test_case =
                some_iterations(shape, mixed_sides(static_cast<int>(shape.size())), Coefficients::variable);
            test_case.config.execution.precision = precision;
            test_case.config.solver.rtol = 1.0e-4;
            expect_bits_of_host(test_case, 2, 2);
        }
    }
}

// Ranks that are no neighbours come to the small levels at different times, with W-cycles more than once between two reductions.
TEST_F(EmulatedRanks, KeepTheirBitsWhenGroupsAreDelayed) {
    Case test_case = with_options(random_problem({211, 187}, mixed_sides(2), Coefficients::variable, 3),
                                  {SolverMethod::multigrid, {.cycle = Cycle::w, .full_start = true}, 0});
    test_case.config.solver.max_iterations = 2;
    test_case.config.execution.devices = 2;
    emulated_delays = true;
    expect_bits_of_host(test_case, 5, 1);
    expect_bits_of_host(some_iterations({38, 31, 47}, mixed_sides(3), Coefficients::variable), 4, 2);
    emulated_delays = false;
}

/// Steps of two sizes, whose operators differ, with sources that vary in time.
Case implicit_steps(const Shape &shape, Coefficients coefficients, TimeIntegrator integrator,
                    Preconditioner preconditioner) {
    Case test_case{
        {}, as_heat(random_problem(shape, mixed_sides(static_cast<int>(shape.size())), coefficients, 5))};
    test_case.config.time.emplace().integrator = integrator;
    test_case.config.time->end = 0.03;
    test_case.config.time->step = 0.012;
    test_case.config.solver.preconditioner = preconditioner;
    test_case.config.solver.check_every = preconditioner == Preconditioner::jacobi ? 5 : 1;
    test_case.config.solver.rtol = 0.1;
    test_case.config.execution.devices = 2;
    return test_case;
}

TEST_F(EmulatedRanks, ShareImplicitSteps) {
    for (const TimeIntegrator integrator : {TimeIntegrator::crank_nicolson, TimeIntegrator::bdf2}) {
        expect_bits_of_host(
            implicit_steps({70, 63}, Coefficients::variable, integrator, Preconditioner::jacobi), 3, 1);
    }
    expect_bits_of_host(implicit_steps({187, 211}, Coefficients::variable, TimeIntegrator::crank_nicolson,
                                       Preconditioner::multigrid),
                        2, 2);
    expect_bits_of_host(
        implicit_steps({33, 31, 36}, Coefficients::uniform, TimeIntegrator::bdf2, Preconditioner::multigrid),
        2, 2);
}

/// Level `level` solved by transforms, or products where an axis has no fast ones; from u = 0, by conjugate gradients or by itself.
Case direct(const Shape &shape, const Kinds &sides, int level, SolverMethod method) {
    Case test_case = some_iterations(shape, sides, Coefficients::uniform);
    test_case.config.solver.method = method;
    test_case.config.solver.preconditioner =
        method == SolverMethod::cg ? Preconditioner::multigrid : Preconditioner::none;
    test_case.config.solver.multigrid.direct_level = level;
    test_case.problem.only_field().initial.values = {0.0};
    return test_case;
}

Kinds closed_and_periodic() {
    Kinds sides = all_sides(SideKind::value);
    sides[0] = sides[1] = SideKind::periodic;
    sides[3] = SideKind::flux;
    return sides;
}

// Fast transforms along all axes and along some, products along the others.
TEST_F(EmulatedRanks, TransformLinesTogether) {
    const std::vector sides{closed_and_periodic(), mixed_sides(3), all_sides(SideKind::periodic)};
    for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid}) {
        expect_bits_either_way(direct({216, 160}, sides[0], 0, method), 2, 3);
        expect_bits_either_way(direct({36, 40, 32}, sides[0], 0, method), 3, 2);
        expect_bits_either_way(direct({37, 32, 33}, sides[1], 0, method), 2, 2);
        expect_bits_either_way(direct({40, 31, 36}, sides[2], 0, method), 5, 1);
    }
    for (const Precision precision : {Precision::float32, Precision::mixed}) {
        for (const Shape &shape : {Shape{160, 211}, Shape{36, 40, 32}}) {
            Case test_case = direct(shape, sides[0], 0, SolverMethod::cg);
            test_case.config.execution.precision = precision;
            test_case.config.solver.rtol = 1.0e-4;
            expect_bits_either_way(test_case, 3, 2);
        }
    }
}

TEST_F(EmulatedRanks, TransformLinesOfACoarserLevelTogether) {
    expect_bits_either_way(direct({72, 66, 72}, mixed_sides(3), 1, SolverMethod::cg), 3, 2);
    Case from_coarsest = direct({400, 360}, closed_and_periodic(), 1, SolverMethod::multigrid);
    from_coarsest.config.solver.multigrid.full_start = true;
    expect_bits_either_way(from_coarsest, 2, 2);
}

TEST_F(EmulatedRanks, TransformLinesTogetherWhenGroupsAreDelayed) {
    emulated_delays = true;
    expect_bits_either_way(direct({36, 40, 32}, closed_and_periodic(), 0, SolverMethod::multigrid), 5, 2);
    expect_bits_either_way(direct({37, 32, 33}, mixed_sides(3), 0, SolverMethod::cg), 5, 1);
    expect_bits_either_way(direct({400, 360}, closed_and_periodic(), 1, SolverMethod::cg), 5, 1);
    emulated_delays = false;
}

// Lines of other ranks before the last axis, planes behind it, and cells beside one's own planes in the end.
TEST_F(EmulatedRanks, HaveOtherBitsWhereLinesOrPlanesAreNotSent) {
    struct Sent {
        Case of;
        std::vector<std::uint32_t> numbers;
    };
    const Kinds lines = closed_and_periodic();
    const std::vector<Sent> cases{
        {direct({36, 40, 32}, lines, 0, SolverMethod::multigrid),
         {RANK_PLANES_TO_LINES, RANK_LINES_TO_PLANES, RANK_X}},
        {direct({216, 160}, lines, 0, SolverMethod::cg),
         {RANK_PLANES_TO_LINES, RANK_LINES_TO_PLANES, rank_number_of_level(0, RANK_LEVEL_U)}},
        {direct({37, 31, 33}, mixed_sides(3), 0, SolverMethod::cg),
         {RANK_PLANES_TO_LINES + 1, RANK_LINES_TO_PLANES + 1, rank_number_of_level(0, RANK_LEVEL_SECOND_U)}},
        {direct({400, 360}, lines, 1, SolverMethod::cg),
         {RANK_PLANES_TO_LINES, RANK_LINES_TO_PLANES, rank_number_of_level(1, RANK_LEVEL_U)}}};
    for (const Sent &sent : cases) {
        const Solution expected = run(sent.of, host_device());
        for (const std::uint32_t number : sent.numbers) {
            EXPECT_FALSE(same_bits(
                expected,
                run(sent.of, *emulated_ranks(2, 2, {.dropped = rank_bit(number), .reaches_none = true}))))
                << "array " << number << " of " << describe_case(sent.of);
        }
    }
}

// Too few cells, planes, rows or lines.
TEST_F(EmulatedRanks, TransformAllLinesEachForItself) {
    expect_bits_of_host(direct({30, 32, 32}, closed_and_periodic(), 0, SolverMethod::multigrid), 2, 2);
    expect_bits_of_host(direct({1200, 40}, closed_and_periodic(), 0, SolverMethod::cg), 3, 1);
}

TEST_F(EmulatedRanks, SolveALevelDirectly) {
    for (const int direct_level : {0, 1}) {
        for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid}) {
            Case test_case = some_iterations({212, 188}, mixed_sides(2), Coefficients::uniform);
            test_case.config.solver.method = method;
            test_case.config.solver.preconditioner =
                method == SolverMethod::cg ? Preconditioner::multigrid : Preconditioner::none;
            test_case.config.solver.multigrid.direct_level = direct_level;
            expect_bits_of_host(test_case, 3, 2);
        }
    }
}

}  // namespace
}  // namespace perdure::tests
