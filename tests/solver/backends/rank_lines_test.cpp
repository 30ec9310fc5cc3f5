// Which pieces ranks send each other where planes become lines and lines planes.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "solver/backends/host/rank_lines.hpp"

namespace perdure::host::rank_lines_test {
namespace {

using Memory = std::vector<int>;

/// Among the memories of all ranks; a byte is one value here.
void send(const std::vector<LineTransfers> &transfers, std::vector<Memory> &of) {
    const std::vector<Memory> before = of;
    for (std::size_t rank = 0; rank < of.size(); ++rank) {
        for (const PiecesOfRank &pieces : transfers[rank].sent) {
            for (std::size_t k = 0; k < pieces.count; ++k) {
                const auto begin = static_cast<std::ptrdiff_t>(pieces.begin + k * pieces.apart);
                std::copy_n(before[rank].begin() + begin, pieces.bytes,
                            of[static_cast<std::size_t>(pieces.rank)].begin() + begin);
            }
        }
    }
}

std::vector<std::int64_t> random_ends(std::int64_t count, int ranks, std::mt19937 &random) {
    std::vector<std::int64_t> ends{count};
    for (int rank = 1; rank < ranks; ++rank) {
        ends.push_back(std::uniform_int_distribution<std::int64_t>(0, count)(random));
    }
    std::ranges::sort(ends);
    return ends;
}

/// The rank that has number `of` of what `ends` cuts.
template <typename Ends>
std::size_t owner(const Ends &ends, std::size_t of) {
    std::size_t rank = 0;
    while (static_cast<std::size_t>(ends[rank]) <= of) {
        ++rank;
    }
    return rank;
}

TEST(RankLines, EachRankHasItsLinesOfAllPlanesAndThenItsPlanesOfAllLines) {
    std::mt19937 random(11);
    for (int sample = 0; sample < 200; ++sample) {
        const int ranks = 2 + sample % 4;
        const std::size_t planes = 1 + random() % 9, lines = 1 + random() % 13, offset = random() % 3;
        const std::vector<std::int64_t> plane_ends =
            random_ends(static_cast<std::int64_t>(planes), ranks, random);
        const std::vector<std::int64_t> cuts = random_ends(static_cast<std::int64_t>(lines), ranks, random);
        const std::vector<std::size_t> line_ends(cuts.begin(), cuts.end());
        std::vector<LineTransfers> there, back;
        for (int rank = 0; rank < ranks; ++rank) {
            there.push_back(transfers_to_lines(plane_ends, line_ends, lines, offset, rank));
            back.push_back({there.back().received, there.back().sent});
        }
        std::vector<Memory> of(static_cast<std::size_t>(ranks), Memory(offset + planes * lines, -1));
        const auto for_each = [&](const auto &use) {
            for (std::size_t i = 0; i < planes * lines; ++i) {
                use(offset + i, owner(plane_ends, i / lines), owner(line_ends, i % lines));
            }
        };
        for_each([&](std::size_t at, std::size_t of_plane, std::size_t) {
            of[of_plane][at] = static_cast<int>(at);
        });
        send(there, of);
        for_each([&](std::size_t at, std::size_t, std::size_t of_line) {
            EXPECT_EQ(of[of_line][at], static_cast<int>(at));
            of[of_line][at] += 1000;
        });
        send(back, of);
        for_each([&](std::size_t at, std::size_t of_plane, std::size_t) {
            EXPECT_EQ(of[of_plane][at], static_cast<int>(at) + 1000);
        });
    }
}

TEST(RankLines, WhatOneSendsTheOtherReceives) {
    const std::vector<std::int64_t> plane_ends{3, 4, 9};
    const std::vector<std::size_t> line_ends{16, 64, 80};
    for (int rank = 0; rank < 3; ++rank) {
        for (const PiecesOfRank &sent : transfers_to_lines(plane_ends, line_ends, 80, 7, rank).sent) {
            const LineTransfers other = transfers_to_lines(plane_ends, line_ends, 80, 7, sent.rank);
            const auto received = std::ranges::find(other.received, rank, &PiecesOfRank::rank);
            ASSERT_NE(received, other.received.end());
            EXPECT_EQ(received->begin, sent.begin);
            EXPECT_EQ(received->bytes, sent.bytes);
            EXPECT_EQ(received->apart, sent.apart);
            EXPECT_EQ(received->count, sent.count);
        }
    }
    // Plane 3 of the second rank, the last 16 values of it.
    const PiecesOfRank to_last = transfers_to_lines(plane_ends, line_ends, 80, 7, 1).sent.front();
    EXPECT_EQ(to_last.rank, 2);
    EXPECT_EQ(to_last.begin, 7U + 3 * 80 + 64);
    EXPECT_EQ(to_last.bytes, 16U);
    EXPECT_EQ(to_last.count, 1U);
}

}  // namespace
}  // namespace perdure::host::rank_lines_test
