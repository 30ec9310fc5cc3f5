// Ranks with a GPU each, without one: the kernels on emulated items (emulated_ranks.hpp). Their bits are those of host threads.
#include <tuple>
#include <vector>

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

/// Some iterations, of which the first shows already whether cells of other ranks are those of this iteration.
Case some_iterations(const Shape &shape, const Kinds &sides, Coefficients coefficients) {
    Case test_case = with_multigrid(random_problem(shape, sides, coefficients, 3));
    test_case.config.solver.max_iterations = 3;
    test_case.config.execution.devices = 2;  // whose vectors lend nothing
    return test_case;
}

void expect_bits_of_host(Case test_case, int ranks, int groups) {
    const Solution found = run(test_case, *emulated_ranks(ranks, groups));
    EXPECT_TRUE(same_bits(run(test_case, host_device()), found))
        << describe_case(test_case) << ", " << ranks << " ranks";
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

}  // namespace
}  // namespace perdure::tests
