// Which planes ranks send each other.
#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "solver/backends/host/rank_planes.hpp"

namespace perdure::host::rank_planes_test {
namespace {

using Planes = std::vector<std::int64_t>;

/// In the order in which they are sent or received.
Planes with(int rank, const std::vector<PlanesOfRank> &transfers) {
    Planes planes;
    for (const PlanesOfRank &found : transfers) {
        for (std::int64_t k = 0; k < found.count && found.rank == rank; ++k) {
            planes.push_back(found.first + k);
        }
    }
    return planes;
}

Planes received(const PlaneTransfers &transfers) {
    Planes planes;
    for (const PlanesOfRank &found : transfers.received) {
        const Planes of_rank = with(found.rank, {found});
        planes.insert(planes.end(), of_rank.begin(), of_rank.end());
    }
    std::ranges::sort(planes);
    return planes;
}

TEST(RankPlanes, ThoseBesideAPart) {
    const PlanesOfRanks planes({10, 14, 30}, false);
    EXPECT_EQ(received(planes.transfers(0, 2)), (Planes{10, 11}));
    EXPECT_EQ(received(planes.transfers(1, 2)), (Planes{8, 9, 14, 15}));
    EXPECT_EQ(received(planes.transfers(2, 2)), (Planes{12, 13}));
}

TEST(RankPlanes, BeyondASmallPartThoseOfTheNextRank) {
    const PlanesOfRanks planes({4, 5, 12}, false);
    const PlaneTransfers of_first = planes.transfers(0, 3);
    EXPECT_EQ(with(1, of_first.received), (Planes{4}));
    EXPECT_EQ(with(2, of_first.received), (Planes{5, 6}));
}

TEST(RankPlanes, ARankWithoutPlanesGetsThoseAroundItsPlace) {
    const PlanesOfRanks planes({3, 3, 6}, false);
    EXPECT_EQ(received(planes.transfers(1, 2)), (Planes{1, 2, 3, 4}));
    EXPECT_TRUE(planes.transfers(1, 2).sent.empty());
}

TEST(RankPlanes, AroundTheEndOfAPeriodicAxis) {
    const PlanesOfRanks planes({10, 20}, true);
    EXPECT_EQ(received(planes.transfers(0, 1)), (Planes{10, 19}));
    EXPECT_EQ(received(planes.transfers(1, 1)), (Planes{0, 9}));
}

TEST(RankPlanes, AllOfThem) {
    const PlanesOfRanks planes({2, 5, 9}, false);
    EXPECT_EQ(received(planes.transfers(1, 1000)), (Planes{0, 1, 5, 6, 7, 8}));
    EXPECT_EQ(with(2, planes.transfers(1, 1000).sent), (Planes{2, 3, 4}));
}

TEST(RankPlanes, WhatOneSendsTheOtherReceives) {
    std::mt19937 random(7);
    const auto up_to = [&](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(0, most)(random);
    };
    for (int sample = 0; sample < 300; ++sample) {
        const std::int64_t count = 1 + up_to(20);
        Planes ends{count};
        for (std::int64_t rank = up_to(4); rank > 0; --rank) {
            ends.push_back(up_to(count));
        }
        std::ranges::sort(ends);
        const auto ranks = static_cast<int>(ends.size());
        const bool periodic = up_to(1) == 1;
        const std::int64_t reach = up_to(6);
        const PlanesOfRanks planes(ends, periodic);
        for (int rank = 0; rank < ranks; ++rank) {
            const PlaneTransfers own = planes.transfers(rank, reach);
            for (int other = 0; other < ranks; ++other) {
                EXPECT_EQ(with(other, own.received), with(rank, planes.transfers(other, reach).sent));
            }
            Planes needed;
            for (std::int64_t plane = 0; plane < count; ++plane) {
                bool is_near = false;
                for (const std::int64_t copy : {plane - count, plane, plane + count}) {
                    const bool counts = copy == plane || periodic;
                    is_near = is_near || (counts && copy >= planes.begin_of(rank) - reach &&
                                          copy < planes.end_of(rank) + reach);
                }
                const bool is_own = plane >= planes.begin_of(rank) && plane < planes.end_of(rank);
                if (is_near && !is_own) {
                    needed.push_back(plane);
                }
            }
            EXPECT_EQ(received(own), needed) << "rank " << rank << " of " << ranks << ", reach " << reach;
        }
    }
}

}  // namespace
}  // namespace perdure::host::rank_planes_test
