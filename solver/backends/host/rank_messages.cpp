#include "solver/backends/host/rank_messages.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/device_ranks.h"
#include "kernels/run.h"
#include "kernels/watch_setup.h"

namespace perdure::host {
namespace {

/// Groups send pieces side by side.
constexpr std::size_t largest_piece = std::size_t{64} << 10U;

class MessageLister {
  public:
    explicit MessageLister(int ranks) {
        for (std::vector<std::uint32_t> &arrivals : found_.arrivals) {
            arrivals.resize(static_cast<std::size_t>(ranks));
        }
    }

    void add(const RankArray &array) {
        const auto one_piece = [&](const PlanesOfRank &planes) {
            return PiecesOfRank{planes.rank,
                                array.offset + static_cast<std::size_t>(planes.first) * array.plane_bytes,
                                static_cast<std::size_t>(planes.count) * array.plane_bytes, 0, 1};
        };
        for (const PlanesOfRank &planes : array.transfers.sent) {
            add_sent(array.number, array.buffer, one_piece(planes));
        }
        for (const PlanesOfRank &planes : array.transfers.received) {
            add_received(array.number, one_piece(planes));
        }
    }
    void add(const RankLines &lines) {
        for (const PiecesOfRank &pieces : lines.transfers.sent) {
            add_sent(lines.number, lines.buffer, pieces);
        }
        for (const PiecesOfRank &pieces : lines.transfers.received) {
            add_received(lines.number, pieces);
        }
    }

    /// Every rank tells every other one.
    void tell_all(std::uint32_t number, int rank) {
        std::vector<RankMessage> &sent = found_.sent[number];
        std::vector<std::uint32_t> &arrivals = found_.arrivals[number];
        for (int other = 0; other < static_cast<int>(arrivals.size()); ++other) {
            const bool hears = other != rank && std::ranges::count(sent, other, &RankMessage::rank) == 0;
            if (hears) {
                sent.push_back({other, 0, 0, 0});
            }
            std::uint32_t &from = arrivals[static_cast<std::size_t>(other)];
            from = other != rank && from == 0 ? 1 : from;
        }
    }

    [[nodiscard]] RankMessages &found() { return found_; }

  private:
    void add_sent(std::uint32_t number, std::size_t buffer, const PiecesOfRank &pieces) {
        for (std::size_t k = 0; k < pieces.count; ++k) {
            for (std::size_t done = 0; done < pieces.bytes; done += largest_piece) {
                found_.sent[number].push_back({pieces.rank, buffer, pieces.begin + k * pieces.apart + done,
                                               std::min(largest_piece, pieces.bytes - done)});
            }
        }
    }
    void add_received(std::uint32_t number, const PiecesOfRank &pieces) {
        found_.arrivals[number][static_cast<std::size_t>(pieces.rank)] +=
            static_cast<std::uint32_t>(pieces.count * ((pieces.bytes + largest_piece - 1) / largest_piece));
    }

    RankMessages found_;
};

/// How many elements a buffer has, if the kernel has it.
std::uint32_t count_in(const KernelCall &call, std::string_view buffer, std::size_t element_bytes) {
    const std::optional<std::size_t> place = call.find(buffer);
    return place ? static_cast<std::uint32_t>(call.buffers[*place].bytes / element_bytes) : 0;
}

}  // namespace

std::uint64_t RankMessages::exchanged() const {
    std::uint64_t bits = 0;
    for (std::uint32_t number = 0; number < RANK_ARRAYS; ++number) {
        const bool has_arrivals = std::ranges::any_of(arrivals[number], [](auto count) { return count > 0; });
        bits |= has_arrivals || !sent[number].empty() ? rank_bit(number) : 0;
    }
    return bits;
}

/// b of the first level that ranks do not share goes to all, or u of one that they solve together by transforms. A rank may write it again when
/// all have read it, which they tell behind the first step on the level before it: of those that look at no cells of each other by messages of
/// no bytes.
RankMessages messages_of(const RankArrays &arrays, int rank, int ranks, std::uint32_t stored) {
    MessageLister lister(ranks);
    for (const RankArray &array : arrays.list()) {
        lister.add(array);
    }
    for (const RankLines &lines : arrays.lines()) {
        if ((lines.stored & stored) != 0) {
            lister.tell_all(lines.number, rank);
        } else {
            lister.add(lines);
        }
    }
    for (const std::uint32_t copy : {RANK_LEVEL_U, RANK_LEVEL_SECOND_U}) {
        if (arrays.shared_above_coarsest() > 0) {
            lister.tell_all(rank_number_of_level(arrays.shared_above_coarsest() - 1, copy), rank);
        }
    }
    return lister.found();
}

std::uint64_t doubles_of_reduction(const KernelCall &call, const run_parameters_t &grid,
                                   std::uint32_t ranks) {
    const std::uint32_t rows = std::max(MAX_SUMS, count_in(call, "reductions", sizeof(std::uint32_t)));
    return doubles_of_message(&grid, ranks, rows, count_in(call, "probes", sizeof(watch_probe_t)));
}

/// Behind a reduction whose messages it has waited for in vain, a rank goes on to the end of the launch: what it waits for from there on says
/// nothing. Else all sums have come.
std::string describe_missing_messages(std::uint32_t own, const std::vector<std::uint64_t> &arrived,
                                      const rank_counts_t &counts,
                                      const std::vector<std::uint64_t> &signals) {
    constexpr std::size_t words = RANK_SIGNAL_BYTES / sizeof(std::uint64_t);
    const auto sums_of = [&](std::size_t rank) {
        return rank == own ? counts.reductions : signals.at((arrived.size() + rank) * words);
    };
    std::uint64_t least = counts.reductions;
    for (std::size_t rank = 0; rank < arrived.size(); ++rank) {
        least = std::min(least, sums_of(rank));
    }
    std::vector<std::string> missing;
    for (std::size_t rank = 0; rank < arrived.size(); ++rank) {
        const std::uint64_t cells = signals.at(rank * words);
        if (least < counts.reductions) {
            if (sums_of(rank) == least) {
                missing.push_back(fmt::format("no message of rank {} for reduction {}", rank, least + 1));
            }
        } else if (cells < arrived[rank]) {
            missing.push_back(fmt::format("no message of rank {}: {} of {} with its cells are missing", rank,
                                          arrived[rank] - cells, arrived[rank]));
        }
    }
    return fmt::format("{}", fmt::join(missing, "; "));
}

}  // namespace perdure::host
