// Which level is solved directly, and which can not be.
#include "solver/run/direct_level.hpp"

#include <gtest/gtest.h>

#include "solver/failure.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure::direct_level_test {
namespace {

FinestLevel finest(std::array<std::int64_t, 3> cells, int dimensions, bool uniform, int asked) {
    return {dimensions, cells, {1.0, 1.0, 1.0}, {}, uniform, Precision::float64, true, asked, {}};
}

/// -1: none.
int direct(const FinestLevel &finest) {
    const hierarchy_t hierarchy = make_levels(finest).hierarchy;
    return hierarchy.transformed != 0 ? static_cast<int>(hierarchy.levels) - 1 : -1;
}

TEST(DirectLevel, IsTheGridItselfWhereThatPays) {
    for (const std::array<std::int64_t, 3> cells :
         {std::array<std::int64_t, 3>{64, 64, 1}, {37, 41, 1}, {512, 512, 1}, {3, 200, 1}}) {
        EXPECT_EQ(direct(finest(cells, 2, true, MultigridConfig::automatic)), 0) << cells[0];
    }
    for (const std::array<std::int64_t, 3> cells :
         {std::array<std::int64_t, 3>{64, 64, 64}, {128, 128, 128}, {37, 41, 31}, {4, 64, 64}}) {
        EXPECT_EQ(direct(finest(cells, 3, true, MultigridConfig::automatic)), 0) << cells[0];
    }
}

TEST(DirectLevel, IsACoarserOneWhereLinesAreLong) {
    const int level = direct(finest({4096, 4096, 1}, 2, true, MultigridConfig::automatic));
    EXPECT_GE(level, 2);
    EXPECT_LE(level, 5);
    EXPECT_EQ(direct(finest({4097, 4096, 1}, 2, true, MultigridConfig::automatic)),
              -1);  // level 1 is not alike
}

/// Tables of modes have their price too, and a host multiplies slowly.
TEST(DirectLevel, IsNoneWhereLinesAreManyTimesLongerThanWide) {
    for (const std::array<std::int64_t, 3> cells :
         {std::array<std::int64_t, 3>{3, 4096, 1}, {4, 1024, 1}, {1, 2048, 1}}) {
        EXPECT_NE(direct(finest(cells, 2, true, MultigridConfig::automatic)), 0) << cells[1];
    }
    FinestLevel on_host = finest({1024, 1024, 1}, 2, true, MultigridConfig::automatic);
    on_host.gpu = false;
    EXPECT_GE(direct(on_host), 1);
    on_host.cells = {64, 64, 1};
    EXPECT_EQ(direct(on_host), 0);
}

FinestLevel with_values(std::array<std::int64_t, 3> cells, int dimensions, int asked) {
    FinestLevel level = finest(cells, dimensions, true, asked);
    level.line_values = 10000;
    level.lines.fill(LINES_VALUES);
    return level;
}

TEST(DirectLevel, IsTheGridItselfWhereLinesHaveFastTransforms) {
    for (const std::array<std::int64_t, 3> cells :
         {std::array<std::int64_t, 3>{4096, 4096, 1}, {3, 4096, 1}, {8192, 2048, 1}, {64, 64, 1}}) {
        EXPECT_EQ(direct(with_values(cells, 2, MultigridConfig::automatic)), 0) << cells[0];
    }
    for (const std::array<std::int64_t, 3> cells :
         {std::array<std::int64_t, 3>{512, 512, 512}, {1024, 1000, 960}, {40, 500, 7}}) {
        EXPECT_EQ(direct(with_values(cells, 3, MultigridConfig::automatic)), 0) << cells[0];
    }
    FinestLevel on_host = with_values({1024, 1024, 1}, 2, MultigridConfig::automatic);
    on_host.gpu = false;
    EXPECT_EQ(direct(on_host), 0);
}

/// Axes that transforms do not reach have products, and one more copy of the level and tables of modes for them.
TEST(DirectLevel, TakesMemoryForProductsAlone) {
    const MultigridLevels fast = make_levels(with_values({96, 64, 1}, 2, 0));
    EXPECT_EQ(fast.arena, 96U * 64U);
    EXPECT_GT(fast.values_in_group, 2U * 48U);
    EXPECT_LE(fast.values_in_group, 10000U);
    const MultigridLevels one_product = make_levels(with_values({98, 64, 1}, 2, 0));
    EXPECT_EQ(one_product.hierarchy.lines[0].kind, LINES_OTHER);
    EXPECT_EQ(one_product.hierarchy.lines[1].kind, LINES_VALUES);
    EXPECT_EQ(one_product.arena, 2U * 98U * 64U + 2U * 98U * 98U + (32U - 2U * 98U * 98U % 32U) % 32U);
    FinestLevel little_room = with_values({96, 64, 1}, 2, 0);
    little_room.line_values = 100;
    const MultigridLevels too_long = make_levels(little_room);
    EXPECT_EQ(too_long.hierarchy.lines[0].kind, LINES_OTHER) << "48 numbers with gaps are 106 values";
    EXPECT_EQ(too_long.hierarchy.lines[1].kind, LINES_VALUES);
    EXPECT_LE(too_long.values_in_group, 100U);
    EXPECT_EQ(make_levels(with_values({64, 64, 1}, 2, 2)).hierarchy.lines[0].numbers.divisor, 8U);
}

TEST(DirectLevel, IsNoneWhereCyclesAreInFloat32) {
    FinestLevel mixed = finest({64, 64, 1}, 2, true, MultigridConfig::automatic);
    mixed.precision = Precision::mixed;
    EXPECT_EQ(direct(mixed), -1);
}

TEST(DirectLevel, IsNoneWhereCoefficientsVaryOrNoneIsAskedFor) {
    EXPECT_EQ(direct(finest({64, 64, 1}, 2, false, MultigridConfig::automatic)), -1);
    EXPECT_EQ(direct(finest({64, 64, 1}, 2, true, MultigridConfig::none)), -1);
    EXPECT_EQ(direct(finest({64, 64, 1}, 2, true, 2)), 2);
}

void expect_refused(const FinestLevel &finest, const std::string &words) {
    try {
        make_levels(finest);
        ADD_FAILURE() << "not refused: " << words;
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        EXPECT_NE(std::string(failure.what()).find(words), std::string::npos) << failure.what();
    }
}

TEST(DirectLevel, ThatCanNotBeIsRefused) {
    expect_refused(finest({64, 64, 1}, 2, true, 12),
                   "level 12 cannot be solved directly: the levels are 0 to 4; the levels of this grid that "
                   "can be: 0, 1, 2, 3, 4");
    expect_refused(finest({64, 64, 1}, 2, false, 0), "a direct solve needs uniform coefficients");
    expect_refused(finest({63, 64, 1}, 2, true, 1), "even at every coarsening");
    expect_refused(finest({5000, 3, 1}, 2, true, 0), "more than 4096 cells along an axis");
    expect_refused(with_values({16384, 3, 1}, 2, 0), "more than 4096 cells along an axis");
}

}  // namespace
}  // namespace perdure::direct_level_test
