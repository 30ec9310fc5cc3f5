// The barrier that brings a sum along, and its classical form, on host threads.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sync/barrier_reduce_classical.h"
#include "sync/epoch_word.h"
#include "tests/number_of_barriers.hpp"
#include "tests/sync/barrier_kinds.hpp"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::barrier_reduce_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr uint32 fused = 2;  // beside the spellings of the classical form

std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

/// Values of many sizes, so that the order of additions shows.
double value_of(uint32 group, uint32 round) {
    std::mt19937 generator(round * 1009 + group);
    return std::ldexp(static_cast<double>(generator()) - 2.0e9, static_cast<int>(generator() % 60) - 30);
}

/// The documented order.
double combined(uint32 operation, const std::vector<double> &values) {
    const auto two = [operation](double a, double b) {
        return operation == REDUCE_SUM ? a + b : operation == REDUCE_MIN ? std::fmin(a, b) : std::fmax(a, b);
    };
    std::vector<double> lanes(32, operation == REDUCE_SUM   ? -0.0
                                  : operation == REDUCE_MIN ? infinity
                                                            : -infinity);
    for (std::size_t group = 0; group < values.size(); ++group) {
        lanes[group % 32] = two(lanes[group % 32], values[group]);
    }
    for (std::size_t stride = 16; stride > 0; stride /= 2) {
        for (std::size_t lane = 0; lane < stride; ++lane) {
            lanes[lane] = two(lanes[lane], lanes[lane + stride]);
        }
    }
    return lanes[0];
}

/// A launch in rounds: every group gives a value and writes its place of a ring, then reads two places.
class Rounds {
  public:
    explicit Rounds(uint32 groups, uint32 kind = BARRIER_GROUP_LEADER)
        : groups_(groups),
          kind_(kind),
          sync(groups),
          rows_(reduce_rows_bytes(groups) / sizeof(double)),
          values_(groups + 1),
          ring_(2, Ring(groups)) {}

    void launch(uint32 form, uint32 operation, uint32 rounds) {
        std::vector<double> expected(rounds);
        for (uint32 round = 0; round < rounds; ++round) {
            std::vector<double> values(groups_);
            for (uint32 group = 0; group < groups_; ++group) {
                values[group] = value_of(group, round);
            }
            expected[round] = combined(operation, values);
        }
        std::vector<uint32> wrong(groups_);
        run_groups(groups_, [&] { wrong[group_index()] = run_group(form, operation, expected); });
        EXPECT_EQ(wrong, std::vector<uint32>(groups_)) << "form " << form;
        EXPECT_EQ(sync->abandoned, 0U);
    }

  private:
    using Ring = std::vector<std::uint64_t>;

    uint32 run_group(uint32 form, uint32 operation, const std::vector<double> &expected) {
        const uint32 group = group_index();
        double lanes[REDUCE_LANES];
        uint32 verdict = 0;
        grid_barrier_t barrier =
            make_grid_barrier(form == fused ? kind_ : uint32{BARRIER_TREE}, sync.get(), &verdict, long_limit);
        uint32 wrong = 0;
        for (uint32 round = 0; round < expected.size(); ++round) {
            Ring &ring = ring_[round % 2];
            ring[group] = 1000 * std::uint64_t{round} + group;
            double total = nan;
            const double value = value_of(group, round);
            const uint32 passed =
                form == fused
                    ? barrier_reduce(operation, value, &total, &barrier, rows_.data(), lanes, round, round)
                    : barrier_reduce_classical(operation, form, value, &total, &barrier, values_.data(),
                                               lanes, round);
            wrong += passed == 1 && bits(total) == bits(expected[round]) ? 0 : 1;
            for (const uint32 distance : {1U, 1 + round % groups_}) {
                const uint32 other = (group + distance) % groups_;
                wrong += ring[other] == 1000 * std::uint64_t{round} + other ? 0 : 1;
            }
        }
        return wrong;
    }

    uint32 groups_;
    uint32 kind_;
    GridSyncMemory sync;
    std::vector<double> rows_;
    std::vector<double> values_;
    std::vector<Ring> ring_;
};

class BarrierReduce : public testing::TestWithParam<uint32> {};

TEST_P(BarrierReduce, BringsTheSameSumToAllAndMakesAllWritesVisible) {
    Rounds(GetParam()).launch(fused, REDUCE_SUM, number_of_rounds(10'000));
}

TEST_P(BarrierReduce, BringsMinimumAndMaximum) {
    Rounds rounds(GetParam());
    rounds.launch(fused, REDUCE_MIN, 200);
    rounds.launch(fused, REDUCE_MAX, 200);
}

TEST_P(BarrierReduce, ClassicalFormGivesTheSameBits) {
    Rounds rounds(GetParam());
    rounds.launch(TICKET_ACQ_REL, REDUCE_SUM, number_of_rounds(1000));
    rounds.launch(TICKET_FENCE, REDUCE_SUM, number_of_rounds(1000));
    rounds.launch(TICKET_ACQ_REL, REDUCE_MAX, 100);
}

TEST_P(BarrierReduce, GoesOnFromLaunchToLaunchBesideOtherBarriers) {
    Rounds rounds(GetParam());
    for (const uint32 length : {1U, 2U, 1U, 1U, 7U, 30U}) {
        rounds.launch(fused, REDUCE_SUM, length);
        rounds.launch(TICKET_ACQ_REL, REDUCE_SUM, length);
    }
}

TEST_P(BarrierReduce, IsABarrierOfAnyKind) {
    for (const uint32 kind : barrier_kinds) {
        Rounds(GetParam(), kind).launch(fused, REDUCE_SUM, 300);
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, BarrierReduce, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9));

/// More groups than lanes, and more than one lane has under way at once.
TEST(BarrierReduceOfMany, AddsInTheDocumentedOrder) {
    for (const uint32 groups : {33U, 70U, 300U}) {
        Rounds rounds(groups);
        rounds.launch(fused, REDUCE_SUM, 20);
        rounds.launch(TICKET_ACQ_REL, REDUCE_SUM, 5);
    }
}

std::vector<double> totals_of(uint32 operation, const std::vector<double> &values) {
    const auto groups = static_cast<uint32>(values.size());
    const GridSyncMemory sync(groups);
    std::vector<double> rows(2 * values.size());
    std::vector<double> totals(groups);
    run_groups(groups, [&] {
        double lanes[REDUCE_LANES];
        uint32 verdict = 0;
        grid_barrier_t barrier = make_grid_barrier(BARRIER_GROUP_LEADER, sync.get(), &verdict, long_limit);
        EXPECT_EQ(barrier_reduce(operation, values[group_index()], &totals[group_index()], &barrier,
                                 rows.data(), lanes, 1, 0),
                  1U);
    });
    return totals;
}

TEST(BarrierReduceValues, KeepsNansInfinitiesAndTheSignOfZero) {
    for (uint32 place = 0; place < 5; ++place) {
        std::vector<double> values(5, infinity);
        values[place] = nan;
        for (const uint32 operation : {REDUCE_SUM, REDUCE_MIN, REDUCE_MAX}) {
            for (const double total : totals_of(operation, values)) {
                EXPECT_TRUE(std::isnan(total)) << "operation " << operation << ", NaN in group " << place;
            }
        }
    }
    for (const double total : totals_of(REDUCE_SUM, {-0.0, -0.0, -0.0})) {
        EXPECT_TRUE(total == 0.0 && std::signbit(total));
    }
    for (const double total : totals_of(REDUCE_SUM, {-0.0, 0.0, -0.0})) {
        EXPECT_TRUE(total == 0.0 && !std::signbit(total));
    }
    EXPECT_EQ(totals_of(REDUCE_SUM, {infinity, 1.0, 2.0}), std::vector<double>(3, infinity));
    EXPECT_EQ(totals_of(REDUCE_MIN, {-infinity, 1.0}), std::vector<double>(2, -infinity));
}

TEST(BarrierReduceAbandoned, EndsInEveryGroupWhenOneNeverComes) {
    constexpr uint64 short_limit = 2'000'000;
    for (const uint32 form : {static_cast<uint32>(TICKET_ACQ_REL), fused}) {
        const GridSyncMemory sync(4);
        std::vector<double> rows(8), values(5);
        std::vector<uint32> passed(4, 7);
        run_groups(4, [&] {
            double lanes[REDUCE_LANES], total = 0.0;
            uint32 verdict = 0;
            grid_barrier_t barrier = make_grid_barrier(form == fused ? BARRIER_GROUP_LEADER : BARRIER_TREE,
                                                       sync.get(), &verdict, short_limit);
            if (group_index() == 2) {
                return;
            }
            passed[group_index()] =
                form == fused ? barrier_reduce(REDUCE_SUM, 1.0, &total, &barrier, rows.data(), lanes, 1, 40)
                              : barrier_reduce_classical(REDUCE_SUM, form, 1.0, &total, &barrier,
                                                         values.data(), lanes, 40);
        });
        EXPECT_EQ(passed, (std::vector<uint32>{0, 0, 7, 0}));
        EXPECT_EQ(sync->waiting_phase, 40U);
    }
}

TEST(EpochWord, HoldsAnyValueAndIsOfOneEpochAlone) {
    epoch_word_t word{};
    for (const double value : {0.0, -0.0, 1.5, -1.0e300, 4.9e-324, infinity, nan}) {
        for (const uint32 epoch : {0U, 1U, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
            store_epoch_word(&word, value, epoch);
            const epoch_word_t seen = load_epoch_word(&word);
            EXPECT_EQ(is_of_epoch(seen, epoch), 1U);
            EXPECT_EQ(is_of_epoch(seen, epoch + 1), 0U);
            EXPECT_EQ(is_of_epoch(seen, epoch - 2), 0U);
            EXPECT_EQ(bits(epoch_word_value(seen)), bits(value));
        }
    }
}

TEST(EpochWord, WithHalvesOfTwoStoresIsOfNeither) {
    epoch_word_t older{}, newer{};
    store_epoch_word(&older, 1.0, 5);
    store_epoch_word(&newer, 2.0, 7);
    for (const epoch_word_t &torn : {epoch_word_t{older.first, newer.second}, {newer.first, older.second}}) {
        EXPECT_EQ(is_of_epoch(torn, 5), 0U);
        EXPECT_EQ(is_of_epoch(torn, 7), 0U);
    }
}

}  // namespace
}  // namespace perdure::tests::barrier_reduce_test
