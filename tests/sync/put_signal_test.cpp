// Ranks that put planes and partial sums into each other's memory, some of them slow: each a host thread with arrays of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "tests/number_of_barriers.hpp"
#include "tests/sync/rank_ring.hpp"

namespace perdure::tests::put_signal_test {
namespace {

constexpr std::uint64_t long_limit = 300'000'000'000, short_limit = 20'000'000;  // ns
constexpr uint32 rounds = number_of_rounds(100);
constexpr uint32 sums = 2;

/// Now and then a rank stays behind.
void dawdle(std::minstd_rand &generator) {
    if (generator() % 997 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(generator() % 300));
    } else if (generator() % 5 == 0) {
        std::this_thread::yield();
    }
}

double value_of(uint32 rank, uint32 round, std::size_t i) {
    return 1.0e6 * rank + round + 1.0e-3 * static_cast<double>(i);
}

/// A round of one rank: how many values of its neighbours are wrong.
std::size_t exchange(Ring &ring, uint32 rank, uint32 round, uint32 copy) {
    Member &self = ring.at(rank);
    Member::Planes &planes = self.planes[copy];
    for (std::size_t i = 0; i < plane; ++i) {
        planes.own[i] = value_of(rank, round, i);
    }
    send_cells(&self.place, rank_copies(copy), 0, 1);
    EXPECT_EQ(await_cells(&self.place, rank_copies(copy), self.sync.get(), round, long_limit), 1U);
    const uint32 last = (rank + ring.count() - 1) % ring.count(), next = (rank + 1) % ring.count();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < plane; ++i) {
        wrong += planes.before[i] != value_of(last, round, i) ? 1 : 0;
        wrong += planes.behind[i] != value_of(next, round, i) ? 1 : 0;
    }
    return wrong;
}

class PutSignal : public testing::TestWithParam<uint32> {};

TEST_P(PutSignal, BringsThePlanesOfEachRound) {
    Ring ring(GetParam());
    std::vector<std::size_t> wrong(ring.count());
    ring.run([&](uint32 rank, Member &self) {
        std::minstd_rand generator(rank + 1);
        for (uint32 round = 1; round <= rounds; ++round) {
            dawdle(generator);
            wrong[rank] += exchange(ring, rank, round, 0);
            // Kernels have a reduction or a second copy between two writes that others may look at; here all say that they have looked.
            send_sums(&self.place, &ring.grid(), self.values.data(), 0);
            ASSERT_EQ(await_sums(&self.place, self.sync.get(), round, long_limit), 1U);
            end_sums(&self.place);
        }
    });
    EXPECT_EQ(wrong, std::vector<std::size_t>(ring.count()));
}

// A rank that is ahead sends what belongs to the next round before a third one has sent what belongs to this.
TEST_P(PutSignal, ARankThatIsAheadIsNotTakenForOneThatIsLate) {
    Ring ring(GetParam());
    std::vector<std::size_t> wrong(ring.count());
    ring.run([&](uint32 rank, Member & /*self*/) {
        std::minstd_rand generator(rank + 1);
        for (uint32 round = 1; round <= rounds; ++round) {
            dawdle(generator);
            wrong[rank] += exchange(ring, rank, round, round % 2);
        }
    });
    EXPECT_EQ(wrong, std::vector<std::size_t>(ring.count()));
}

/// Partial sums of one rank, -1 in the others' chunks, become those of all: how many are wrong.
std::size_t share_rows(Ring &ring, uint32 rank, Member &self, uint32 rows, uint32 round, int64 *words) {
    const run_parameters_t &grid = ring.grid();
    const uint32 first = first_chunk_of_part(&grid, rank, ring.count());
    const uint32 end = first_chunk_of_part(&grid, rank + 1, ring.count());
    for (uint32 i = 0; i < rows * grid.chunks; ++i) {
        const uint32 chunk = i % grid.chunks;
        self.values[i] = chunk >= first && chunk < end ? value_of(i, round, 0) : -1.0;
    }
    if (words != nullptr) {
        write_words(&self.place, words);
    }
    send_sums(&self.place, &grid, self.values.data(), rows);
    EXPECT_EQ(await_sums(&self.place, self.sync.get(), round, long_limit), 1U);
    take_sums(&self.place, &grid, self.values.data(), rows);
    if (words != nullptr) {
        take_least(&self.place, words);
    }
    end_sums(&self.place);
    std::size_t wrong = 0;
    for (uint32 i = 0; i < rows * grid.chunks; ++i) {
        wrong += self.values[i] != value_of(i, round, 0) ? 1 : 0;
    }
    return wrong;
}

/// Of any sign, and not finite in one place.
double single_of(uint32 round, uint32 i) {
    return i == 3 ? -std::numeric_limits<double>::infinity()
                  : (i % 2 == 0 ? -1.0 : 1.0) * value_of(i, round, 5);
}

std::size_t share_singles(Ring &ring, uint32 rank, Member &self, uint32 count, uint32 round) {
    for (uint32 i = 0; i < count; ++i) {
        self.singles[i] = (i + round) % ring.count() == rank ? single_of(round, i) : 0.0;
    }
    send_singles(&self.place, self.singles.data(), count);
    EXPECT_EQ(await_sums(&self.place, self.sync.get(), round, long_limit), 1U);
    take_singles(&self.place, self.singles.data(), count);
    end_sums(&self.place);
    std::size_t wrong = 0;
    for (uint32 i = 0; i < count; ++i) {
        wrong += self.singles[i] != single_of(round, i) ? 1 : 0;
    }
    return wrong;
}

/// As a run does that is watched now and then: behind such a reduction come more rows than a phase has sums, and values of single ranks.
TEST_P(PutSignal, ReductionsEndWithTheSameInAllRanks) {
    Ring ring(GetParam());
    std::vector<std::size_t> wrong(ring.count());
    ring.run([&](uint32 rank, Member &self) {
        std::minstd_rand generator(rank + 1);
        for (uint32 round = 1; round <= rounds; ++round) {
            dawdle(generator);
            int64 words[RANK_WORDS_USED] = {int64{1000} - (rank == round % ring.count() ? 1 : 0),
                                            round,
                                            rank,
                                            -int64{rank},
                                            7,
                                            rank == 0 ? -9 : 9};
            wrong[rank] += share_rows(ring, rank, self, round % (sums + 1), round, words);
            const std::vector<int64> expected{999, round, 0, 1 - int64{ring.count()}, 7, -9};
            wrong[rank] += std::vector<int64>(words, words + RANK_WORDS_USED) != expected ? 1 : 0;
            if (round % 3 != 0) {
                wrong[rank] += share_rows(ring, rank, self, 1 + round % most_rows, round, nullptr);
                dawdle(generator);
                wrong[rank] += share_singles(ring, rank, self, round % (most_singles + 1), round);
            }
        }
    });
    EXPECT_EQ(wrong, std::vector<std::size_t>(ring.count()));
}

/// 5 sections of 3 chunks: of 2 ranks one has 2 sections and the other 3; of 5 each has one.
TEST(MessageOfAReduction, HasRoomForTheRowsOfTheLargestPart) {
    run_parameters_t grid{};
    grid.sections = 5;
    grid.section_chunks.divisor = 3;
    EXPECT_EQ(doubles_of_message(&grid, 2, 7, 0), 8U + 7U * 9U);
    EXPECT_EQ(doubles_of_message(&grid, 5, 7, 0), 8U + 7U * 3U);
    EXPECT_EQ(doubles_of_message(&grid, 5, 3, 10), 8U + 10U);
    EXPECT_EQ(doubles_of_message(&grid, 5, 3, 8), 8U + 9U);
}

TEST_P(PutSignal, AWaitForARankThatIsGoneEnds) {
    Ring ring(GetParam());
    if (ring.count() == 1) {
        GTEST_SKIP() << "a ring of one is its own neighbour";
    }
    ring.run([&](uint32 rank, Member &self) {
        if (rank > 0) {  // rank 0 never sends
            send_cells(&self.place, rank_copies(0), 0, 1);
        }
        const bool waits_for_0 = rank == 1 || rank + 1 == ring.count();
        const uint64 limit = rank == 0 || !waits_for_0 ? long_limit : short_limit;
        EXPECT_EQ(await_cells(&self.place, rank_copies(0), self.sync.get(), 41, limit),
                  rank == 0 || !waits_for_0 ? 1U : 0U);
        EXPECT_EQ(self.sync->abandoned, rank == 0 || !waits_for_0 ? 0U : 1U);
        EXPECT_EQ(self.sync->waiting_phase, rank == 0 || !waits_for_0 ? 0U : 41U);
    });
}

/// Bytes that are no whole number of doubles, at addresses that are not those of doubles.
TEST(PutSignalOfFloats, BringsEachOfThem) {
    std::vector<float> from{1, 2, 3, 4, 5, 6, 7}, to(7);
    std::uint64_t signal = 0;
    perdure_group = {0, 1};
    put_and_signal(number(&to[2]), number(&from[1]), 3 * sizeof(float), number(&signal), 0);
    put_and_signal(number(&to[0]), number(&from[5]), 2 * sizeof(float), number(&signal), 0);
    EXPECT_EQ(to, (std::vector<float>{6, 7, 2, 3, 4, 0, 0}));
    EXPECT_EQ(signal, 2U);
}

INSTANTIATE_TEST_SUITE_P(Ranks, PutSignal, testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace perdure::tests::put_signal_test
