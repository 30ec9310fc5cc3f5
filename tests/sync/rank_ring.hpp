// Ranks on a ring: each has arrays of its own, and lists of what it sends the ranks before and behind it.
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include "kernels/device_ranks.h"
#include "tests/sync/grid_sync_memory.hpp"

namespace perdure::tests {

constexpr uint32 most_rows = 7, most_singles = 90, chunks_of_section = 3;
constexpr std::size_t plane = 17;  // doubles

inline std::uint64_t number(const void *address) {
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
    std::vector<double> outbox, inbox, values, singles;
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
        place.slot = doubles_of_message(&grid_, count(), most_rows, most_singles);
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
        self.values.resize(most_rows * grid_.chunks);
        self.singles.resize(most_singles);
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

}  // namespace perdure::tests
