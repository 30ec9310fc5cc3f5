#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "sync/atomic_min.h"
#include "sync/grid_barrier.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests {
namespace {

using Limits = std::numeric_limits<double>;

/// Every kind of double in increasing order; -0.0 comes before 0.0.
const std::vector<double> ascending{-Limits::infinity(),
                                    Limits::lowest(),
                                    -1.5,
                                    -1.0,
                                    -Limits::min(),
                                    -1.0e-310,
                                    -Limits::denorm_min(),
                                    -0.0,
                                    0.0,
                                    Limits::denorm_min(),
                                    1.0e-310,
                                    Limits::min(),
                                    1.0,
                                    1.0 + Limits::epsilon(),
                                    1.5,
                                    Limits::max(),
                                    Limits::infinity()};

const std::vector<double> not_numbers{Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::signaling_NaN(),
                                      std::bit_cast<double>(0xffffffffffffffffU),
                                      std::bit_cast<double>(0x7ff0000000000001U)};

std::int64_t bits(double value) {
    return std::bit_cast<std::int64_t>(value);
}

double minimum_of(const std::vector<double> &values) {
    int64 word = ORDERED_PLUS_INFINITY;
    for (const double value : values) {
        atomic_min_double(&word, value);
    }
    return ordered_value(word);
}

TEST(OrderedBits, IncreaseWithTheValue) {
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            EXPECT_EQ(ordered_bits(ascending[i]) < ordered_bits(ascending[j]), i < j)
                << ascending[i] << " and " << ascending[j];
        }
    }
}

TEST(OrderedBits, IncreaseByOneFromEachDoubleToTheNext) {
    for (const double value :
         {-1.0, -Limits::min(), -Limits::denorm_min() * 2, 0.0, Limits::min(), 1.0, 1.0e300}) {
        EXPECT_EQ(ordered_bits(std::nextafter(value, Limits::infinity())), ordered_bits(value) + 1) << value;
    }
    EXPECT_EQ(ordered_bits(-0.0) + 1, ordered_bits(0.0));
}

TEST(OrderedBits, GiveTheSameValueBack) {
    for (const double value : ascending) {
        EXPECT_EQ(bits(ordered_value(ordered_bits(value))), bits(value)) << value;
    }
}

TEST(OrderedBits, OfInfinitiesAreTheNamedOnes) {
    EXPECT_EQ(ordered_bits(Limits::infinity()), ORDERED_PLUS_INFINITY);
    EXPECT_EQ(ordered_bits(-Limits::infinity()), ORDERED_MINUS_INFINITY);
    EXPECT_EQ(ORDERED_PLUS_INFINITY, 0x7ff0000000000000);
    EXPECT_EQ(ORDERED_MINUS_INFINITY, std::bit_cast<std::int64_t>(0x800fffffffffffffU));
}

TEST(OrderedBits, OfANanAreThoseOfMinusInfinity) {
    for (const double nan : not_numbers) {
        EXPECT_EQ(ordered_bits(nan), ORDERED_MINUS_INFINITY);
    }
}

TEST(AtomicMin, OfEveryPairIsTheSmaller) {
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            EXPECT_EQ(bits(minimum_of({ascending[i], ascending[j]})), bits(ascending[std::min(i, j)]))
                << ascending[i] << " and " << ascending[j];
        }
    }
}

TEST(AtomicMin, IsWonByANanFromAnyPlace) {
    for (const double nan : not_numbers) {
        EXPECT_EQ(minimum_of({nan, -1.0e300, 2.0}), -Limits::infinity());
        EXPECT_EQ(minimum_of({3.0, -Limits::infinity(), nan}), -Limits::infinity());
        EXPECT_EQ(minimum_of({Limits::infinity(), nan, Limits::infinity()}), -Limits::infinity());
    }
}

TEST(AtomicMin, OfUnsignedWordsTakesTheSmallestCell) {
    uint32 word = 0xffffffffU;
    for (const uint32 cell : {0x80000001U, 0x7fffffffU, 0xfffffffeU}) {
        min_uint32(&word, cell, ORDER_RELAXED, SCOPE_DEVICE);
    }
    EXPECT_EQ(word, 0x7fffffffU);
}

/// Values of one group: both signs, spread over many powers of two, so that late ones win now and then.
std::vector<double> sample_values(uint32 group, int rounds) {
    std::mt19937_64 generator(group + 1);
    std::vector<double> values;
    for (int round = 0; round < rounds; ++round) {
        const auto raw = generator();
        const double size =
            std::ldexp(1.0 + static_cast<double>(raw % 1024) / 1024, static_cast<int>(raw >> 58));
        values.push_back((raw >> 32) % 2 == 0 ? size : -size);
    }
    return values;
}

class ConcurrentMinimum : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ConcurrentMinimum, EqualsTheSerialOneInEveryRound) {
    constexpr int rounds = 500;
    const uint32 groups = GetParam();
    std::vector<std::vector<double>> values;
    for (uint32 group = 0; group < groups; ++group) {
        values.push_back(sample_values(group, rounds));
    }
    std::vector<int64> words(rounds, ORDERED_PLUS_INFINITY);
    const GridSyncMemory sync(groups);
    run_groups(groups, [&] {
        uint32 verdict = 0;
        for (int round = 0; round < rounds; ++round) {
            ASSERT_EQ(grid_barrier(BARRIER_GROUP_LEADER, sync.get(), &verdict, static_cast<uint32>(round),
                                   patience),
                      1U);
            atomic_min_double(&words[static_cast<std::size_t>(round)],
                              values[group_index()][static_cast<std::size_t>(round)]);
        }
    });
    for (std::size_t round = 0; round < rounds; ++round) {
        double smallest = Limits::infinity();
        for (const auto &of_group : values) {
            smallest = std::min(smallest, of_group[round]);
        }
        EXPECT_EQ(ordered_value(words[round]), smallest) << "round " << round;
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, ConcurrentMinimum, testing::ValuesIn(group_counts));

}  // namespace
}  // namespace perdure::tests
