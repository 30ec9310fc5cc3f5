// Ranks of one host pass each other descriptors of open files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/ranks/descriptor_socket.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure {

/// Of each rank, by rank, what it has here. All ranks call it.
template <typename Value>
std::vector<std::vector<Value>> of_all_ranks(Ranks &ranks, std::span<const Value> here) {
    const auto count = static_cast<std::size_t>(ranks.count()),
               index = static_cast<std::size_t>(ranks.index());
    std::vector<std::uint64_t> lengths(count);
    lengths[index] = here.size();
    ranks.unite(lengths);
    std::vector<std::size_t> ends;
    for (const std::uint64_t length : lengths) {
        ends.push_back((ends.empty() ? 0 : ends.back()) + length * sizeof(Value));
    }
    std::vector<Value> all(ends.back() / sizeof(Value));
    std::ranges::copy(
        here, all.begin() + static_cast<std::ptrdiff_t>(ends[index] / sizeof(Value)) - std::ssize(here));
    ranks.gather(reinterpret_cast<std::byte *>(all.data()), ends);
    std::vector<std::vector<Value>> by_rank;
    auto next = all.begin();
    for (const std::uint64_t length : lengths) {
        by_rank.emplace_back(next, next + static_cast<std::ptrdiff_t>(length));
        next += static_cast<std::ptrdiff_t>(length);
    }
    return by_rank;
}

/// All ranks construct it and call its functions, which throw Failure(device) in all of them where one fails.
class RankDescriptors {
  public:
    explicit RankDescriptors(Ranks &ranks);

    /// By rank, those of the others. `here`: those of this one; `counts`: how many each has.
    [[nodiscard]] std::vector<std::vector<FileDescriptor>> exchange(
        std::span<const FileDescriptor> here, std::span<const std::size_t> counts) const;

  private:
    Ranks &ranks_;
    std::optional<DescriptorSocket> socket_;
    std::vector<DescriptorSocket::Address> addresses_;  // by rank
};

}  // namespace perdure
