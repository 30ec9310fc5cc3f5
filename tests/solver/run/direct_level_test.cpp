// Which level is solved directly, and which can not be.
#include "solver/run/direct_level.hpp"

#include <gtest/gtest.h>

#include "solver/failure.hpp"
#include "solver/run/multigrid_levels.hpp"

namespace perdure {
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
    expect_refused(
        finest({64, 64, 1}, 2, true, 12),
        "level 12 cannot be solved directly: there are levels 0 to 4; of this grid can: 0, 1, 2, 3, 4");
    expect_refused(finest({64, 64, 1}, 2, false, 0), "coefficients that are the same everywhere");
    expect_refused(finest({63, 64, 1}, 2, true, 1), "halved without one left over");
    expect_refused(finest({5000, 3, 1}, 2, true, 0), "more than 4096 cells along an axis");
}

}  // namespace
}  // namespace perdure
