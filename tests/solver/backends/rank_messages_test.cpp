// Which messages the kernels of ranks send each other, each on a device of its own.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/multigrid/hierarchy.h"
#include "solver/backends/host/rank_messages.hpp"

namespace perdure::host::rank_messages_test {
namespace {

struct Shape {
    std::uint32_t nx, ny, nz;
};

/// A grid, and with `levels` a hierarchy that is halved along all axes, whose coarsest level transforms solve or not.
class Sample {
  public:
    Sample(const Shape &shape, bool periodic, Precision precision, std::uint32_t levels,
           bool transformed = false) {
        set(shape, periodic, grid_);
        call_.precision = precision;
        const std::size_t bytes = grid_.cells * (precision == Precision::float32 ? 4 : 8);
        for (const char *const name : {"x", "r_even", "r_odd", "q", "p", "rates"}) {
            call_.buffers.push_back({.name = name, .bytes = bytes, .among_ranks = AmongRanks::cells});
        }
        call_.buffers.push_back({.name = "b", .bytes = bytes});
        call_.buffers.push_back({.name = "arena", .bytes = std::size_t{1} << 30U});
        if (levels > 0) {
            make_levels(shape, periodic, precision, levels);
            hierarchy_->transformed = transformed ? 1 : 0;
        }
    }

    [[nodiscard]] RankArrays arrays(int rank, int ranks) const {
        std::vector<double> cuts;
        for (int cut = 1; cut < ranks; ++cut) {
            cuts.push_back(static_cast<double>(cut * planes() / ranks) / planes());
        }
        return {call_, cuts, rank, grid_, hierarchy_.get()};
    }
    void set_lines(int axis, std::uint32_t kind) { hierarchy_->lines[axis].kind = kind; }
    [[nodiscard]] int planes() const { return static_cast<int>(grid_.dimensions == 3 ? grid_.nz : grid_.ny); }

  private:
    static void set(const Shape &shape, bool periodic, run_parameters_t &grid) {
        std::tie(grid.nx, grid.ny, grid.nz) = std::tie(shape.nx, shape.ny, shape.nz);
        grid.cells = shape.nx * shape.ny * shape.nz;
        grid.dimensions = shape.nz > 1 ? 3 : 2;
        grid.periodic_y = grid.periodic_z = periodic ? 1 : 0;
    }
    void make_levels(Shape shape, bool periodic, Precision precision, std::uint32_t levels) {
        hierarchy_ = std::make_shared<hierarchy_t>();
        hierarchy_->levels = levels;
        hierarchy_->rounded = precision == Precision::mixed ? 1 : 0;
        std::uint64_t used = 0;
        for (std::uint32_t number = 0; number < levels; ++number) {
            level_entry_t &level = hierarchy_->level[number];
            set(shape, periodic, level.grid);
            for (std::uint64_t *const place : {&level.b, &level.u[0], &level.u[1]}) {
                *place = std::exchange(used, used + level.grid.cells);
            }
            shape = {(shape.nx + 1) / 2, (shape.ny + 1) / 2, (shape.nz + 1) / 2};
        }
    }

    run_parameters_t grid_{};
    KernelCall call_;
    std::shared_ptr<hierarchy_t> hierarchy_;
};

std::vector<Sample> samples() {
    std::vector<Sample> found;
    for (const bool periodic : {false, true}) {
        found.emplace_back(Shape{61, 47, 38}, periodic, Precision::float64, 5);
        found.emplace_back(Shape{301, 283, 1}, periodic, Precision::mixed, 7);
        found.emplace_back(Shape{17, 13, 11}, periodic, Precision::float32, 3);
        found.emplace_back(Shape{403, 343, 1}, periodic, Precision::float64, 0);
        found.emplace_back(Shape{61, 47, 38}, periodic, Precision::mixed, 1, true);
        found.emplace_back(Shape{401, 343, 1}, periodic, Precision::float64, 2, true);
    }
    return found;
}

TEST(RankMessages, BringWhatTheTransfersOfArraysSay) {
    for (const Sample &sample : samples()) {
        for (int ranks = 2; ranks <= 5; ++ranks) {
            for (int rank = 0; rank < ranks; ++rank) {
                const RankArrays arrays = sample.arrays(rank, ranks);
                const RankMessages messages = messages_of(arrays, rank, ranks);
                std::map<std::pair<std::uint32_t, int>, std::size_t> wanted, sent;
                for (const RankArray &array : arrays.list()) {
                    for (const PlanesOfRank &planes : array.transfers.sent) {
                        wanted[{array.number, planes.rank}] +=
                            static_cast<std::size_t>(planes.count) * array.plane_bytes;
                    }
                }
                for (const RankLines &lines : arrays.lines()) {
                    for (const PiecesOfRank &pieces : lines.transfers.sent) {
                        wanted[{lines.number, pieces.rank}] += pieces.count * pieces.bytes;
                    }
                }
                std::set<std::tuple<std::size_t, std::size_t, int, std::uint32_t>> places;
                for (std::uint32_t number = 0; number < RANK_ARRAYS; ++number) {
                    for (const RankMessage &message : messages.sent[number]) {
                        if (message.bytes > 0) {
                            sent[{number, message.rank}] += message.bytes;
                            // Each of the exchanges of lines has messages of places that others have as well.
                            const std::uint32_t exchange = number < RANK_PLANES_TO_LINES ? 0 : number;
                            EXPECT_TRUE(
                                places.insert({message.buffer, message.offset, message.rank, exchange})
                                    .second);
                        }
                        EXPECT_NE(message.rank, rank);
                        EXPECT_EQ(message.offset % 4, 0U);
                        EXPECT_EQ(message.bytes % 4, 0U);
                    }
                }
                EXPECT_EQ(sent, wanted) << rank << " of " << ranks;
            }
        }
    }
}

TEST(RankMessages, AreAsManyAsTheOtherRankWaitsFor) {
    for (const Sample &sample : samples()) {
        for (int ranks = 2; ranks <= 5; ++ranks) {
            std::vector<RankMessages> of;
            for (int rank = 0; rank < ranks; ++rank) {
                of.push_back(messages_of(sample.arrays(rank, ranks), rank, ranks));
            }
            for (std::uint32_t number = 0; number < RANK_ARRAYS; ++number) {
                for (int from = 0; from < ranks; ++from) {
                    for (int to = 0; to < ranks; ++to) {
                        EXPECT_EQ(std::ranges::count(of[from].sent[number], to, &RankMessage::rank),
                                  of[to].arrivals[number][static_cast<std::size_t>(from)])
                            << "array " << number << " from " << from << " to " << to;
                    }
                }
                EXPECT_EQ(of[0].exchanged(), of.back().exchanged());
            }
        }
    }
}

/// Phases of systems name the copy that they write, and the slots of rates that cells of other ranks are read from.
TEST(RankMessages, ArraysOfSystemsHaveNumbersOfTheirOwn) {
    run_parameters_t grid{};
    std::tie(grid.nx, grid.ny, grid.nz, grid.cells, grid.dimensions) = std::tuple(5U, 12U, 1U, 60U, 2U);
    const std::size_t field = 60 * sizeof(double);
    KernelCall call;
    for (const auto &[name, fields] : {std::pair{"u_even", 2U}, std::pair{"u_odd", 2U},
                                       std::pair{"stage_values_even", 2U}, std::pair{"stage_values_odd", 2U},
                                       std::pair{"rates", 8U}, std::pair{"s", 1U}, std::pair{"t", 1U}}) {
        call.buffers.push_back({.name = name, .bytes = fields * field, .among_ranks = AmongRanks::cells});
    }
    std::vector<std::uint32_t> numbers;
    const RankArrays arrays(call, {0.5}, 0, grid, nullptr);
    for (const RankArray &array : arrays.list()) {
        numbers.push_back(array.number);
    }
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{RANK_EVEN, RANK_EVEN, RANK_ODD, RANK_ODD, RANK_EVEN_STAGES,
                                                   RANK_EVEN_STAGES, RANK_ODD_STAGES, RANK_ODD_STAGES,
                                                   RANK_FIRST_RATES, RANK_FIRST_RATES, RANK_SECOND_RATES,
                                                   RANK_SECOND_RATES, RANK_OTHERS, RANK_OTHERS,
                                                   RANK_LAST_RATES, RANK_LAST_RATES, RANK_S, RANK_S}));
}

TEST(RankMessages, WhatIsMissingIsSaidOfTheRankThatHasNotSentIt) {
    constexpr std::size_t words = RANK_SIGNAL_BYTES / sizeof(std::uint64_t);
    std::vector<std::uint64_t> signals(6 * words);
    const auto signal = [&](std::size_t place) -> std::uint64_t & { return signals[place * words]; };
    rank_counts_t counts{};
    counts.reductions = 7;
    signal(0) = 36;
    signal(2) = 40;  // ahead
    signal(3) = 7;
    signal(5) = 8;
    EXPECT_EQ(describe_missing_messages(1, {36, 0, 38}, counts, signals), "");
    signal(0) = 34;
    EXPECT_EQ(describe_missing_messages(1, {36, 0, 38}, counts, signals),
              "no message of rank 0: 2 of 36 with its cells are missing");
    signal(2) = 0;
    EXPECT_EQ(describe_missing_messages(1, {36, 0, 38}, counts, signals),
              "no message of rank 0: 2 of 36 with its cells are missing; no message of rank 2: 38 of 38 with "
              "its cells are missing");
    signal(5) = 5;  // the first of two reductions that were given up
    signal(3) = 6;
    EXPECT_EQ(describe_missing_messages(1, {36, 0, 38}, counts, signals),
              "no message of rank 2 for reduction 6");
}

/// Of what no rank shares everybody has the right-hand side; behind the first step on the level before it all tell that they have read it.
TEST(RankMessages, EachRankTellsAllWhenItHasLeftTheLevelsThatItComputesAlone) {
    const Sample sample({403, 343, 1}, false, Precision::float64, 7);
    const int ranks = 5;
    const RankArrays arrays = sample.arrays(0, ranks);
    ASSERT_EQ(arrays.shared_levels(), 2U);  // 403 x 343 and 202 x 172
    const RankMessages messages = messages_of(arrays, 0, ranks);
    const auto told = [&](std::uint32_t level, std::uint32_t array) {
        std::set<int> found;
        for (const RankMessage &message : messages.sent[rank_number_of_level(level, array)]) {
            found.insert(message.rank);
        }
        return found;
    };
    EXPECT_EQ(told(2, RANK_LEVEL_B), (std::set{1, 2, 3, 4}));
    EXPECT_EQ(told(1, RANK_LEVEL_U), (std::set{1, 2, 3, 4}));
    EXPECT_EQ(told(1, RANK_LEVEL_SECOND_U), (std::set{1, 2, 3, 4}));
    EXPECT_EQ(told(1, RANK_LEVEL_B), (std::set{1}));
    EXPECT_EQ(told(0, RANK_LEVEL_U), (std::set{1}));
}

/// A level that transforms solve is shared by its lines, and begins with a rank's planes of its right-hand side.
TEST(RankMessages, LinesGoToAllAndTheRightHandSideToNobody) {
    const int ranks = 3;
    const RankArrays arrays = Sample({401, 343, 1}, false, Precision::float64, 2, true).arrays(1, ranks);
    ASSERT_EQ(arrays.shared_levels(), 2U);  // 401 x 343, and 201 x 172 by lines
    EXPECT_EQ(arrays.shared_above_coarsest(), 1U);
    const RankMessages messages = messages_of(arrays, 1, ranks);
    EXPECT_TRUE(messages.sent[rank_number_of_level(1, RANK_LEVEL_B)].empty());
    // Planes 57 to 113 of this rank, of each lines 64 to 127 to nobody, 0 to 63 to rank 0 and 128 to 200 to rank 2.
    for (const std::uint32_t copy : {0U, 1U}) {
        const std::vector<RankMessage> &to_lines = messages.sent[RANK_PLANES_TO_LINES + copy];
        EXPECT_EQ(std::ranges::count(to_lines, 0, &RankMessage::rank), 57);
        EXPECT_EQ(std::ranges::count(to_lines, 2, &RankMessage::rank), 57);
        for (const RankMessage &message : to_lines) {
            EXPECT_EQ(message.bytes, (message.rank == 0 ? 64 : 73) * sizeof(double));
        }
        // Lines 64 to 127 of the planes of the others.
        const std::vector<RankMessage> &to_planes = messages.sent[RANK_LINES_TO_PLANES + copy];
        EXPECT_EQ(std::ranges::count(to_planes, 0, &RankMessage::rank), 57);
        EXPECT_EQ(std::ranges::count(to_planes, 2, &RankMessage::rank), 58);
        EXPECT_EQ(to_planes.front().bytes, 64 * sizeof(double));
    }
    EXPECT_EQ(messages.sent[rank_number_of_level(0, RANK_LEVEL_U)].size(), 2U);  // all are neighbours
    EXPECT_EQ(arrays.storable(), 0U);                                            // products
}

/// Fast transforms along an axis store what they make where it is needed: then a rank tells all others that it has.
TEST(RankMessages, OfLinesThatAreStoredByTransformsAreTold) {
    Sample sample({401, 343, 1}, false, Precision::float64, 2, true);
    sample.set_lines(1, LINES_VALUES);
    const RankArrays arrays = sample.arrays(1, 3);
    EXPECT_EQ(arrays.storable(), static_cast<std::uint32_t>(STORES_PLANES));  // not along x
    EXPECT_EQ(arrays.owners().at(1).end_of_lines, 128U);
    EXPECT_EQ(arrays.owners().at(1).end_of_planes, 114U);
    const RankMessages messages = messages_of(arrays, 1, 3, arrays.storable());
    EXPECT_EQ(messages.sent[RANK_PLANES_TO_LINES].size(), 114U);
    const std::vector<RankMessage> &told = messages.sent[RANK_LINES_TO_PLANES];
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0].bytes + told[1].bytes, 0U);
    EXPECT_EQ(messages.arrivals[RANK_LINES_TO_PLANES], (std::vector<std::uint32_t>{1, 0, 1}));
    sample.set_lines(0, LINES_PERIODIC);
    EXPECT_EQ(sample.arrays(0, 3).storable(), static_cast<std::uint32_t>(STORES_LINES | STORES_PLANES));
    EXPECT_EQ(sample.arrays(0, MOST_OWNERS + 1).storable(), 0U);
}

TEST(RankMessages, ALevelIsSharedByLinesWhereEachRankHasEnoughOfAllKinds) {
    const auto shared = [](const Shape &shape, int ranks, bool transformed) {
        return Sample(shape, false, Precision::float64, 1, transformed).arrays(0, ranks).shared_levels();
    };
    EXPECT_EQ(shared({61, 47, 38}, 5, true), 1U);
    EXPECT_EQ(shared({61, 47, 38}, 5, false), 0U);  // solved by its inverse, if it were small
    EXPECT_EQ(shared({32, 32, 32}, 2, true), 0U);   // 32^3 cells
    EXPECT_EQ(shared({33, 32, 32}, 2, true), 1U);
    EXPECT_EQ(shared({120, 90, 5}, 2, true), 1U);
    EXPECT_EQ(shared({120, 90, 5}, 3, true), 0U);  // 5 planes
    EXPECT_EQ(shared({40, 2000, 1}, 2, true), 1U);
    EXPECT_EQ(shared({40, 2000, 1}, 3, true), 0U);  // 16 lines along y, none and 24
    EXPECT_EQ(shared({3000, 40, 1}, 2, true), 1U);
    EXPECT_EQ(shared({3000, 40, 1}, 3, true), 0U);  // 13 rows along x
}

}  // namespace
}  // namespace perdure::host::rank_messages_test
