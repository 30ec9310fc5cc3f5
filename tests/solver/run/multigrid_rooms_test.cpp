// Where arrays of a multigrid hierarchy lie: none where another one lies that is in use at the same time.
#include "solver/run/multigrid_rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "solver/run/multigrid_levels.hpp"

namespace perdure::multigrid_rooms_test {
namespace {

struct Interval {
    std::uint64_t begin, entries;
    std::string name;
};

std::uint64_t extent(std::uint32_t n, std::uint32_t halved) {
    return halved != 0 ? (n + 1) / 2 : n;
}

std::uint64_t lender_of(std::uint64_t place) {
    return place >> LENDER_SHIFT;
}

/// What one level is made of on the way to the next, whose last `done` axes are halved.
void add_network(const level_entry_t &level, std::uint32_t done, std::vector<Interval> &list) {
    std::array<std::uint64_t, 3> n{level.grid.nx, level.grid.ny, level.grid.nz};
    std::uint32_t left = done;
    for (int axis = 2; axis >= 0 && left > 0; --axis) {
        if (level.halved[axis] != 0) {
            n[axis] = extent(static_cast<std::uint32_t>(n[axis]), 1);
            --left;
        }
    }
    const network_entry_t &network = level.halfway[done - 1];
    const std::uint64_t cells = n[0] * n[1] * n[2];
    list.push_back({network.own, cells, "own"});
    for (std::uint32_t axis = 0; axis < level.grid.dimensions; ++axis) {
        list.push_back({network.face[axis], cells, "face"});
        list.push_back({network.side[2 * axis], cells / n[axis], "side"});
        list.push_back({network.side[2 * axis + 1], cells / n[axis], "side"});
    }
}

/// What the setup makes for good.
std::vector<Interval> coefficients(const hierarchy_t &hierarchy) {
    std::vector<Interval> list;
    for (std::uint32_t number = 0; number < hierarchy.levels; ++number) {
        const level_entry_t &level = hierarchy.level[number];
        const std::uint64_t cells = level.grid.cells;
        if (number > 0) {
            list.push_back({level.diagonal, cells, "diagonal"});
            list.push_back({level.inverse_diagonal, cells, "inverse diagonal"});
            for (std::uint32_t axis = 0; axis < level.grid.dimensions; ++axis) {
                list.push_back({level.face[axis], cells, "face of a level"});
            }
        }
        if (number + 1 < hierarchy.levels) {
            std::uint64_t weights = cells;
            for (int axis = 2; axis >= 0; --axis) {
                if (level.halved[axis] != 0) {
                    list.push_back({level.weight[axis], weights, "weight"});
                    const std::uint32_t n = axis == 0   ? level.grid.nx
                                            : axis == 1 ? level.grid.ny
                                                        : level.grid.nz;
                    weights = weights / n * extent(n, 1);
                }
            }
        }
    }
    return list;
}

void expect_apart(std::vector<Interval> list, std::uint64_t arena, std::uint64_t lent) {
    std::sort(list.begin(), list.end(),
              [](const Interval &one, const Interval &other) { return one.begin < other.begin; });
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::uint64_t lender = lender_of(list[i].begin);
        const std::uint64_t first = list[i].begin - (lender << LENDER_SHIFT);
        ASSERT_LE(lender, std::uint64_t{LENDERS});
        EXPECT_LE(first + list[i].entries, lender == 0 ? arena : lent) << list[i].name;
        if (i + 1 < list.size()) {
            EXPECT_LE(list[i].begin + list[i].entries, list[i + 1].begin)
                << list[i].name << ", " << list[i + 1].name;
        }
    }
}

FinestLevel varied(std::array<std::int64_t, 3> cells, Precision precision) {
    FinestLevel finest;
    finest.dimensions = cells[2] > 1 ? 3 : 2;
    finest.cells = cells;
    finest.precision = precision;
    finest.by_labels = true;
    finest.has_kinds = true;
    finest.lends_for_setup = finest.lends_for_cycles = true;
    return finest;
}

TEST(MultigridRooms, ArraysInUseAtTheSameTimeAreApart) {
    for (const std::array<std::int64_t, 3> &cells : std::vector<std::array<std::int64_t, 3>>{
             {64, 64, 64}, {37, 41, 35}, {41, 40, 33}, {9, 7, 5}, {300, 211, 1}}) {
        for (const Precision precision : {Precision::float64, Precision::mixed}) {
            const FinestLevel finest = varied(cells, precision);
            const MultigridLevels made = make_levels(finest);
            const hierarchy_t &hierarchy = made.hierarchy;
            const level_entry_t &first = hierarchy.level[0];
            const std::uint64_t lent = first.grid.cells * (precision == Precision::mixed ? 2U : 1U);
            for (std::uint32_t number = 0; number + 1 < hierarchy.levels; ++number) {
                std::vector<Interval> in_setup = coefficients(hierarchy);
                const level_entry_t &level = hierarchy.level[number];
                const std::uint32_t halvings = level.halved[0] + level.halved[1] + level.halved[2];
                for (std::uint32_t done = 1; done < halvings; ++done) {
                    add_network(level, done, in_setup);
                }
                expect_apart(in_setup, made.arena, lent);
            }
            std::vector<Interval> in_cycles = coefficients(hierarchy);
            in_cycles.push_back({first.u[0], first.grid.cells, "u"});
            const std::uint32_t last = first.grid.dimensions == 3 ? first.grid.nz : first.grid.ny;
            if (first.segment > 0) {
                in_cycles.push_back({first.u[1], first.grid.cells / last * extent(last, 1),
                                     "what restriction leaves between its steps"});
            }
            for (std::uint32_t number = 1; number < hierarchy.levels; ++number) {
                const level_entry_t &level = hierarchy.level[number];
                in_cycles.push_back({level.b, level.grid.cells, "b"});
                in_cycles.push_back({level.u[0], level.grid.cells, "u of a level"});
                in_cycles.push_back({level.u[1], level.grid.cells, "second u of a level"});
            }
            expect_apart(in_cycles, made.arena, lent);
            EXPECT_EQ(lender_of(first.u[1]), std::uint64_t{LENT_BY_Q});
        }
    }
}

TEST(MultigridRooms, LendingSavesMostOfWhatCyclesWorkOn) {
    FinestLevel finest = varied({128, 128, 128}, Precision::float64);
    const auto entries = [&] {
        return static_cast<double>(make_levels(finest).arena) / (128.0 * 128.0 * 128.0);
    };
    const double lending = entries();
    EXPECT_LT(lending, 1.0 + 1.75 + 1.02) << "u, weights, and an eighth of 5 + 1.75 with what is below it";
    finest.lends_for_cycles = false;
    EXPECT_NEAR(entries() - lending, 1.0 + 3.0 / 7.0, 0.01)
        << "a copy of u; b and both copies of other levels";
    finest.lends_for_setup = false;
    EXPECT_NEAR(entries() - lending, 2.0 + 3.0 / 7.0, 0.06) << "networks on the way need three, not two";
}

/// Where the parts of two devices meet in what the memory holds that an array lies in, and in the array.
struct Meeting {
    std::uint64_t of_memory, of_array;
};

Meeting meeting_of(std::uint64_t place, std::uint64_t entries, double cut, const MultigridLevels &made,
                   std::uint64_t lent) {
    const auto part = [&](std::uint64_t count) {
        return static_cast<std::uint64_t>(cut * static_cast<double>(count));
    };
    const std::uint64_t lender = lender_of(place) << LENDER_SHIFT;
    if (lender != 0) {
        return {lender + part(lent), place + part(entries)};
    }
    const auto behind = std::upper_bound(made.arena_places.begin(), made.arena_places.end(), place);
    const std::uint64_t begin = *std::prev(behind);
    const std::uint64_t end = behind == made.arena_places.end() ? made.arena : *behind;
    return {begin + part(end - begin), place + part(entries)};
}

TEST(MultigridRooms, NetworksAreCutBetweenTwoDevicesWhereTheirMemoryIs) {
    for (const std::array<std::int64_t, 3> &cells : std::vector<std::array<std::int64_t, 3>>{
             {64, 64, 64}, {37, 41, 35}, {500, 500, 500}, {129, 40, 333}, {300, 211, 1}}) {
        for (const Precision precision : {Precision::float64, Precision::mixed}) {
            for (const bool lends : {true, false}) {
                SCOPED_TRACE(testing::Message() << cells[0] << " cells along x" << (lends ? ", lent" : ""));
                FinestLevel finest = varied(cells, precision);
                finest.lends_for_setup = lends;
                finest.lends_for_cycles = false;
                finest.cuts = cuts_between(2, choose_boxes(cells, finest.dimensions), cells);
                const MultigridLevels made = make_levels(finest);
                const std::uint64_t lent =
                    made.hierarchy.level[0].grid.cells * (precision == Precision::mixed ? 2U : 1U);
                for (std::uint32_t number = 0; number + 1 < made.hierarchy.levels; ++number) {
                    const level_entry_t &level = made.hierarchy.level[number];
                    std::vector<Interval> in_use = coefficients(made.hierarchy);
                    std::vector<Interval> networks;
                    for (std::uint32_t done = 1; done < level.halved[0] + level.halved[1] + level.halved[2];
                         ++done) {
                        add_network(level, done, networks);
                    }
                    in_use.insert(in_use.end(), networks.begin(), networks.end());
                    expect_apart(in_use, made.arena, lends ? lent : 0);
                    for (const Interval &array : networks) {
                        const Meeting found =
                            meeting_of(array.begin, array.entries, finest.cuts.front(), made, lent);
                        constexpr std::uint64_t units = 64;  // of 32 entries: begin and end of an array
                        if (array.name != "side") {
                            EXPECT_LE(found.of_array, found.of_memory + units) << array.name;
                            EXPECT_LE(found.of_memory, found.of_array + units) << array.name;
                        }
                    }
                }
            }
        }
    }
}

TEST(MultigridRooms, NetworksOfTwoDevicesTakeLittleMore) {
    FinestLevel finest = varied({128, 128, 128}, Precision::float64);
    finest.lends_for_setup = finest.lends_for_cycles = false;
    const auto entries = [&] {
        return static_cast<double>(make_levels(finest).arena) / (128.0 * 128.0 * 128.0);
    };
    const double on_one = entries();
    finest.cuts = {0.5};
    EXPECT_NEAR(entries() - on_one, 1.0, 0.1) << "two of four halves and four quarters in the copies of u";
    finest.lends_for_setup = true;
    EXPECT_NEAR(entries() - on_one, -0.25, 0.1) << "three more vectors";
}

TEST(MultigridRooms, AreNotLentWhereTheSecondCopyHoldsResults) {
    MultigridConfig options;
    options.sweeps = 2;
    EXPECT_TRUE(has_free_second_copy(options));
    options.sweeps = 1;
    EXPECT_FALSE(has_free_second_copy(options)) << "z is there";
    options.sweeps = 3;
    EXPECT_FALSE(has_free_second_copy(options)) << "u before the correction is there";
    options.smoother = Smoother::red_black;
    EXPECT_TRUE(has_free_second_copy(options)) << "there is one copy";
}

TEST(Restriction, IsInTwoStepsOnLargeLevelsWithFields) {
    FinestLevel finest = varied({64, 64, 64}, Precision::float64);
    const hierarchy_t varied_levels = make_levels(finest).hierarchy;
    EXPECT_EQ(varied_levels.level[0].segment, 2U) << "4096 columns of 32: one round of 67584 items";
    EXPECT_EQ(varied_levels.level[1].segment, 0U) << "32^3";
    finest.cells = {500, 500, 500};
    EXPECT_GE(make_levels(finest).hierarchy.level[0].segment, 16U);
    finest.cells = {64, 64, 64};
    finest.by_labels = finest.has_kinds = false;
    finest.uniform = true;
    finest.direct_level = MultigridConfig::none;
    EXPECT_EQ(make_levels(finest).hierarchy.level[0].segment, 0U);
}

}  // namespace
}  // namespace perdure::multigrid_rooms_test
