// Ranks that put planes and partial sums into each other's memory, some of them slow: each a host thread with arrays of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "kernels/device_ranks.h"
#include "tests/number_of_barriers.hpp"
#include "tests/sync/grid_sync_memory.hpp"

namespace perdure::tests::put_signal_test {
namespace {

constexpr std::uint64_t long_limit = 300'000'000'000, short_limit = 20'000'000;  // ns
constexpr uint32 rounds = number_of_rounds(100);
constexpr uint32 sums = 2, chunks_of_section = 3;
constexpr std::size_t plane = 17;  // doubles

std::uint64_t number(const void *address) {
    return reinterpret_cast<std::uint64_t>(address);
}

/// A rank of a ring: one plane of its own, and copies of those of the ranks before and behind it; all of it twice, for even and odd rounds.
struct Member {
    struct Planes {
        std::vector<double> own = std::vector<double>(plane), before = own, behind = own;
    };
    Planes planes[2];
    std::vector<std::uint64_t> signals;  // of cells from each rank, then of sums
    std::vector<std::uint64_t> arrived;
    std::vector<std::uint32_t> arrivals;
    rank_list_t lists[RANK_ARRAYS]{};
    rank_counts_t counts{};
    std::vector<double> outbox, inbox, values;
    std::vector<rank_message_t> list, sum_list;
    rank_place_t place{};
    GridSyncMemory sync{1};
};

class Ring {
  public:
    explicit Ring(uint32 count) : members_(count) {
        grid_.sections = 5;
        grid_.section_chunks.divisor = chunks_of_section;
        grid_.chunks = grid_.sections * chunks_of_section;
        for (uint32 i = 0; i < count; ++i) {
            connect(i);
        }
    }

    [[nodiscard]] const run_parameters_t &grid() const { return grid_; }
    [[nodiscard]] uint32 count() const { return static_cast<uint32>(members_.size()); }
    Member &at(uint32 rank) { return members_[rank % count()]; }

    template <typename Body>
    void run(const Body &body) {
        std::vector<std::thread> threads;
        for (uint32 rank = 0; rank < count(); ++rank) {
            threads.emplace_back([&, rank] {
                perdure_group = {0, 1};
                body(rank, members_[rank]);
            });
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
    }

  private:
    void connect(uint32 rank) {
        Member &self = members_[rank], &next = at(rank + 1), &last = at(rank + count() - 1);
        self.arrived.resize(count());
        self.arrivals.resize(RANK_ARRAYS * count());
        rank_place_t &place = self.place;
        place.index = rank;
        place.count = count();
        place.slot = RANK_WORDS + sums * grid_.chunks;
        const auto bytes = plane * sizeof(double);
        for (uint32 copy = 0; copy < 2; ++copy) {
            const auto own = number(self.planes[copy].own.data());
            self.list.push_back(
                {number(next.planes[copy].before.data()), own, bytes, signal_of(next, rank), 0, 0});
            self.list.push_back(
                {number(last.planes[copy].behind.data()), own, bytes, signal_of(last, rank), 0, 0});
            const uint32 array = copy == 0 ? RANK_EVEN : RANK_ODD;
            self.lists[array] = {2 * copy, 2};
            self.arrivals[array * count() + (rank + 1) % count()] += 1;
            self.arrivals[array * count() + (rank + count() - 1) % count()] += 1;
        }
        self.values.resize(sums * grid_.chunks);
        self.outbox.resize(place.slot);
        for (uint32 i = 0; i < count(); ++i) {
            members_[i].inbox.resize(2 * count() * place.slot);
        }
        for (uint32 parity = 0; parity < 2; ++parity) {
            for (uint32 other = 0; other < count(); ++other) {
                if (other != rank) {
                    double *const slot =
                        members_[other].inbox.data() + (parity * count() + rank) * place.slot;
                    self.sum_list.push_back({number(slot), number(self.outbox.data()), 0,
                                             signal_of(members_[other], count() + rank), other, 0});
                }
            }
        }
        place.message_list = number(self.list.data());
        place.sum_messages = number(self.sum_list.data());
        place.lists = number(self.lists);
        place.arrivals = number(self.arrivals.data());
        place.arrived = number(self.arrived.data());
        place.cells_signals = signal_of(self, 0);
        place.sums_signals = signal_of(self, count());
        place.counts = number(&self.counts);
        place.outbox = number(self.outbox.data());
        place.inbox = number(self.inbox.data());
    }

    [[nodiscard]] std::uint64_t signal_of(Member &member, uint32 place) const {
        constexpr std::size_t words = RANK_SIGNAL_BYTES / sizeof(std::uint64_t);
        member.signals.resize(2 * count() * words);
        return number(member.signals.data() + place * words);
    }

    std::vector<Member> members_;
    run_parameters_t grid_{};
};

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
            const int64 nothing[RANK_WORDS_USED] = {};
            send_sums(&self.place, &ring.grid(), self.values.data(), 0, nothing);
            ASSERT_EQ(await_sums(&self.place, self.sync.get(), round, long_limit), 1U);
            int64 least[RANK_WORDS_USED] = {};
            take_least(&self.place, least);
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

TEST_P(PutSignal, ReductionsEndWithTheSameInAllRanks) {
    Ring ring(GetParam());
    std::vector<std::size_t> wrong(ring.count());
    ring.run([&](uint32 rank, Member &self) {
        std::minstd_rand generator(rank + 1);
        const run_parameters_t &grid = ring.grid();
        for (uint32 round = 1; round <= rounds; ++round) {
            dawdle(generator);
            const uint32 first = first_chunk_of_part(&grid, rank, ring.count());
            const uint32 end = first_chunk_of_part(&grid, rank + 1, ring.count());
            for (uint32 i = 0; i < sums * grid.chunks; ++i) {
                const uint32 chunk = i % grid.chunks;
                self.values[i] = chunk >= first && chunk < end ? value_of(i, round, 0) : -1.0;
            }
            int64 words[RANK_WORDS_USED] = {int64{1000} - (rank == round % ring.count() ? 1 : 0),
                                            round,
                                            rank,
                                            -int64{rank},
                                            7,
                                            rank == 0 ? -9 : 9};
            send_sums(&self.place, &grid, self.values.data(), sums, words);
            ASSERT_EQ(await_sums(&self.place, self.sync.get(), round, long_limit), 1U);
            take_sums(&self.place, &grid, self.values.data(), sums);
            take_least(&self.place, words);
            for (uint32 i = 0; i < sums * grid.chunks; ++i) {
                wrong[rank] += self.values[i] != value_of(i, round, 0) ? 1 : 0;
            }
            const std::vector<int64> expected{999, round, 0, 1 - int64{ring.count()}, 7, -9};
            wrong[rank] += std::vector<int64>(words, words + RANK_WORDS_USED) != expected ? 1 : 0;
        }
    });
    EXPECT_EQ(wrong, std::vector<std::size_t>(ring.count()));
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
