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

/// A grid, and with `levels` further ones a hierarchy that is halved along all axes.
class Sample {
  public:
    Sample(const Shape &shape, bool periodic, Precision precision, std::uint32_t levels) {
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
        }
    }

    [[nodiscard]] RankArrays arrays(int rank, int ranks) const {
        std::vector<double> cuts;
        for (int cut = 1; cut < ranks; ++cut) {
            cuts.push_back(static_cast<double>(cut * planes() / ranks) / planes());
        }
        return {call_, cuts, rank, grid_, hierarchy_.get()};
    }
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
                std::set<std::tuple<std::size_t, std::size_t, int>> places;
                for (std::uint32_t number = 0; number < RANK_ARRAYS; ++number) {
                    for (const RankMessage &message : messages.sent[number]) {
                        if (message.bytes > 0) {
                            sent[{number, message.rank}] += message.bytes;
                            EXPECT_TRUE(places.insert({message.buffer, message.offset, message.rank}).second);
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

}  // namespace
}  // namespace perdure::host::rank_messages_test
