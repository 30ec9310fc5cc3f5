// Reductions of whole arrays by the last group, in both spellings and as two launches, against plain loops.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sync/grid_arg_max.h"
#include "sync/grid_barrier.h"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::grid_reduce_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr uint32 spellings[] = {TICKET_ACQ_REL, TICKET_FENCE};
constexpr std::size_t counts[] = {0, 1, 2, 255, 256, 257, 4095, 4096, 4097, 9001, 70'001};

/// Values of both signs and many sizes: any other order of addition gives other bits.
std::vector<double> sample(std::uint64_t seed, std::size_t count) {
    std::mt19937_64 generator(seed);
    std::vector<double> values(count);
    for (double &value : values) {
        const auto raw = static_cast<std::int64_t>(generator());
        value = std::ldexp(static_cast<double>(raw), static_cast<int>(generator() % 40) - 80);
    }
    return values;
}

struct Largest {
    double value;
    std::uint64_t index;
};

/// Memory of a launch and what it leaves; `two_launches` instead of the last group.
struct Reduction {
    Reduction(uint32 group_total, std::size_t count)
        : groups(group_total),
          sync(group_total),
          partials(reduce_chunks(count) + 1, nan),
          indices(partials.size()) {}

    double reduce(uint32 operation, uint32 spelling, const std::vector<double> &a,
                  const std::vector<double> &b) {
        run_groups(groups, [&] {
            double lanes[LANES];
            uint32 verdict = 0;
            grid_reduce(operation, spelling, a.data(), b.data(), a.size(), partials.data(), &result,
                        sync.get(), lanes, &verdict);
        });
        EXPECT_EQ(sync->ticket, 0U);
        return result;
    }
    double reduce_in_two_launches(uint32 operation, const std::vector<double> &a,
                                  const std::vector<double> &b) {
        run_groups(groups, [&] {
            double lanes[LANES];
            reduce_partials(operation, a.data(), b.data(), a.size(), partials.data(), lanes);
        });
        run_groups(1, [&] {
            double lanes[LANES];
            reduce_finish(operation, partials.data(), a.size(), &result, lanes);
        });
        return result;
    }
    Largest arg_max(uint32 spelling, const std::vector<double> &values) {
        std::uint64_t index = 0;
        run_groups(groups, [&] {
            double lanes[LANES];
            uint64 index_lanes[LANES];
            uint32 verdict = 0;
            grid_arg_max(spelling, values.data(), values.size(), partials.data(), indices.data(), &result,
                         &index, sync.get(), lanes, index_lanes, &verdict);
        });
        return {result, index};
    }

    uint32 groups;
    GridSyncMemory sync;
    std::vector<double> partials;
    std::vector<std::uint64_t> indices;
    double result = nan;
};

/// The documented order: lanes of a chunk from left to right, then pairwise, stride LANES/2 down to 1.
double sum_in_documented_order(const std::vector<double> &values, std::size_t chunk_length) {
    std::vector<double> sums;
    for (std::size_t first = 0; first < values.size(); first += chunk_length) {
        std::vector<double> lanes(LANES, -0.0);
        for (std::size_t i = first; i < std::min(values.size(), first + chunk_length); ++i) {
            lanes[(i - first) % LANES] += values[i];
        }
        for (std::size_t stride = LANES / 2; stride > 0; stride /= 2) {
            for (std::size_t lane = 0; lane < stride; ++lane) {
                lanes[lane] += lanes[lane + stride];
            }
        }
        sums.push_back(lanes[0]);
    }
    return sums.empty() ? -0.0 : sums.size() == 1 ? sums[0] : sum_in_documented_order(sums, sums.size());
}

std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

class GridReduce : public testing::TestWithParam<std::size_t> {};

TEST_P(GridReduce, SumsInTheDocumentedOrderWhateverTheGroupsTheSpellingAndTheLaunches) {
    const std::vector<double> a = sample(1, GetParam());
    const std::vector<double> b = sample(2, GetParam());
    std::vector<double> products(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        products[i] = a[i] * b[i];
    }
    const std::uint64_t sum = bits(sum_in_documented_order(a, REDUCE_CHUNK));
    const std::uint64_t dot = bits(sum_in_documented_order(products, REDUCE_CHUNK));
    for (uint32 groups = 1; groups <= 9; ++groups) {
        Reduction launch(groups, a.size());
        for (const uint32 spelling : spellings) {
            EXPECT_EQ(bits(launch.reduce(REDUCE_SUM, spelling, a, b)), sum) << groups << " groups";
            EXPECT_EQ(bits(launch.reduce(REDUCE_DOT, spelling, a, b)), dot) << groups << " groups";
        }
        EXPECT_EQ(bits(launch.reduce_in_two_launches(REDUCE_SUM, a, b)), sum) << groups << " groups";
        EXPECT_EQ(bits(launch.reduce_in_two_launches(REDUCE_DOT, a, b)), dot) << groups << " groups";
    }
}

TEST_P(GridReduce, FindsMinimumAndMaximumAndWhereItIs) {
    const std::vector<double> values = sample(3, GetParam());
    Largest largest{-infinity, NO_INDEX};
    double least = infinity;
    for (std::size_t i = 0; i < values.size(); ++i) {
        least = std::min(least, values[i]);
        largest = values[i] > largest.value ? Largest{values[i], i} : largest;
    }
    for (uint32 groups = 1; groups <= 9; ++groups) {
        Reduction launch(groups, values.size());
        for (const uint32 spelling : spellings) {
            EXPECT_EQ(launch.reduce(REDUCE_MIN, spelling, values, values), least);
            EXPECT_EQ(launch.reduce(REDUCE_MAX, spelling, values, values), largest.value);
            const Largest found = launch.arg_max(spelling, values);
            EXPECT_EQ(found.value, largest.value);
            EXPECT_EQ(found.index, largest.index);
        }
        EXPECT_EQ(launch.reduce_in_two_launches(REDUCE_MIN, values, values), least);
        EXPECT_EQ(launch.reduce_in_two_launches(REDUCE_MAX, values, values), largest.value);
    }
}

INSTANTIATE_TEST_SUITE_P(Counts, GridReduce, testing::ValuesIn(counts));

TEST(GridReduceNan, StaysWhereverItStandsAndTheFirstIsTheLargest) {
    for (const std::size_t place : {0, 1, 255, 4096, 8999, 9000}) {
        std::vector<double> values(9001, infinity);
        values[place] = nan;
        Reduction launch(3, values.size());
        for (const uint32 operation : {REDUCE_SUM, REDUCE_MIN, REDUCE_MAX, REDUCE_DOT}) {
            EXPECT_TRUE(std::isnan(launch.reduce(operation, TICKET_ACQ_REL, values, values))) << place;
        }
        values.back() = nan;
        const Largest found = launch.arg_max(TICKET_ACQ_REL, values);
        EXPECT_TRUE(std::isnan(found.value));
        EXPECT_EQ(found.index, place);
    }
}

TEST(GridArgMax, TakesTheSmallestIndexOfEqualElements) {
    for (const std::size_t first : {0, 3, 259, 4100, 8191}) {
        std::vector<double> values(9001, -1.0);
        for (std::size_t i = first; i < values.size(); i += 7) {
            values[i] = i % 2 == 0 ? 0.0 : -0.0;
        }
        Reduction launch(4, values.size());
        EXPECT_EQ(launch.arg_max(TICKET_FENCE, values).index, first);
    }
}

TEST(GridArgMax, FindsMinusInfinityWhereThereIsNothingElse) {
    Reduction launch(2, 5000);
    EXPECT_EQ(launch.arg_max(TICKET_ACQ_REL, std::vector<double>(5000, -infinity)).index, 0U);
    EXPECT_EQ(launch.arg_max(TICKET_ACQ_REL, {}).index, NO_INDEX);
}

TEST(GridReduceZero, KeepsTheSignOfMinusZeroAloneInASum) {
    Reduction launch(2, 5000);
    std::vector<double> zeros(5000, -0.0);
    EXPECT_TRUE(std::signbit(launch.reduce(REDUCE_SUM, TICKET_ACQ_REL, zeros, zeros)));
    zeros[4321] = 0.0;
    EXPECT_FALSE(std::signbit(launch.reduce(REDUCE_SUM, TICKET_ACQ_REL, zeros, zeros)));
}

/// One array changes from round to round: partial results of the round before would show.
TEST(GridReduceRounds, ResultIsThereBehindTheNextGridBarrier) {
    constexpr std::size_t count = 5 * REDUCE_CHUNK + 17;
    for (const uint32 spelling : spellings) {
        std::vector<double> values(count), partials(reduce_chunks(count));
        GridSyncMemory sync(4);
        double result = nan;
        std::vector<uint32> wrong(4);
        run_groups(4, [&] {
            std::vector<double> lanes(LANES);
            uint32 verdict = 0;
            grid_barrier_t barrier =
                make_grid_barrier(BARRIER_GROUP_LEADER, sync.get(), &verdict, long_limit);
            for (uint32 round = 1; round <= 200; ++round) {
                for (std::size_t i = group_index(); i < count; i += 4) {
                    values[i] = round;
                }
                ASSERT_EQ(grid_barrier(&barrier, round), 1U);
                grid_reduce(REDUCE_SUM, spelling, values.data(), values.data(), count, partials.data(),
                            &result, sync.get(), lanes.data(), &verdict);
                ASSERT_EQ(grid_barrier(&barrier, round), 1U);
                wrong[group_index()] += result == static_cast<double>(count) * round ? 0 : 1;
            }
        });
        EXPECT_EQ(wrong, std::vector<uint32>(4));
    }
}

}  // namespace
}  // namespace perdure::tests::grid_reduce_test
