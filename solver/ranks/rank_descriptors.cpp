#include "solver/ranks/rank_descriptors.hpp"

#include <iterator>
#include <utility>

#include "solver/failure.hpp"

namespace perdure {
namespace {

constexpr std::chrono::seconds longest_wait{20};

}  // namespace

RankDescriptors::RankDescriptors(Ranks &ranks) : ranks_(ranks) {
    in_all_ranks([&] { socket_.emplace(longest_wait); });
    const DescriptorSocket::Address own = socket_->address();
    for (const auto &of_rank : of_all_ranks(ranks, std::span(&own, 1))) {
        addresses_.push_back(of_rank.front());
    }
}

/// In rounds of a message to the next rank but so many and one from any: no socket gets those of all at once. A stranger's message is passed
/// over.
std::vector<std::vector<FileDescriptor>> RankDescriptors::exchange(
    std::span<const FileDescriptor> here, std::span<const std::size_t> counts) const {
    const std::size_t ranks = addresses_.size(), index = static_cast<std::size_t>(ranks_.index());
    std::vector<std::vector<FileDescriptor>> found(ranks);
    const auto receive_one = [&] {
        for (;;) {
            DescriptorSocket::Received received = socket_->receive();
            const auto from = std::ranges::find(addresses_, received.from);
            if (from != addresses_.end()) {
                std::vector<FileDescriptor> &of_rank =
                    found[static_cast<std::size_t>(from - addresses_.begin())];
                std::ranges::move(received.descriptors, std::back_inserter(of_rank));
                return;
            }
        }
    };
    for (std::size_t first = 0; first < std::ranges::max(counts); first += DescriptorSocket::most) {
        in_all_ranks([&] {
            std::size_t expected = 0;
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                expected += rank != index && counts[rank] > first ? 1 : 0;
            }
            for (std::size_t further = 1; further < ranks; ++further) {
                if (first < here.size()) {
                    socket_->send(addresses_[(index + further) % ranks],
                                  here.subspan(first, std::min(DescriptorSocket::most, here.size() - first)));
                }
                if (expected > 0) {
                    receive_one();
                    --expected;
                }
            }
        });
    }
    in_all_ranks([&] {
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            if (rank != index && found[rank].size() != counts[rank]) {
                throw Failure(ExitCode::differs_or_internal,
                              "internal error: a rank has sent another number of handles than it has");
            }
        }
    });
    return found;
}

}  // namespace perdure
