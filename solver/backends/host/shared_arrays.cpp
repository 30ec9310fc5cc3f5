#include "solver/backends/host/shared_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perdure::host {

void SharedArrays::add(std::byte *values, std::size_t plane_bytes, PlaneTransfers transfers) {
    const std::size_t count = transfers.sent.size();
    arrays_.push_back(
        {values, plane_bytes, std::move(transfers), std::vector<std::vector<std::byte>>(count)});
}

void SharedArrays::forget_copies() {
    for (Array &array : arrays_) {
        for (std::vector<std::byte> &sent : array.sent) {
            sent.clear();
        }
    }
}

/// For each stretch of planes to be sent a byte that says whether they have changed since they were sent last, and if so they.
void SharedArrays::pack(Array &array) {
    for (std::size_t i = 0; i < array.transfers.sent.size(); ++i) {
        const PlanesOfRank &planes = array.transfers.sent[i];
        const std::size_t bytes = bytes_of(array, planes);
        const std::byte *const now = first_of(array, planes);
        std::vector<std::byte> &before = array.sent[i];
        Message &message = to_[static_cast<std::size_t>(planes.rank)];
        const bool has_changed = before.empty() || std::memcmp(before.data(), now, bytes) != 0;
        message.most += 1 + bytes;
        message.bytes.push_back(has_changed ? std::byte{1} : std::byte{0});
        if (has_changed) {
            before.assign(now, now + bytes);
            message.bytes.insert(message.bytes.end(), now, now + bytes);
        }
    }
    for (const PlanesOfRank &planes : array.transfers.received) {
        from_[static_cast<std::size_t>(planes.rank)].most += 1 + bytes_of(array, planes);
    }
}

/// `taken`: how much of the message of each rank.
void SharedArrays::unpack(const Array &array, std::vector<std::size_t> &taken) {
    for (const PlanesOfRank &planes : array.transfers.received) {
        const auto rank = static_cast<std::size_t>(planes.rank);
        const std::byte *const next = from_[rank].bytes.data() + taken[rank];
        const std::size_t bytes = *next != std::byte{0} ? bytes_of(array, planes) : 0;
        std::memcpy(first_of(array, planes), next + 1, bytes);
        taken[rank] += 1 + bytes;
    }
}

void SharedArrays::exchange() {
    std::vector<Ranks::Piece> sent, received;
    for (std::size_t rank = 0; rank < to_.size(); ++rank) {
        Message &to = to_[rank], &from = from_[rank];
        if (to.most > 0) {
            sent.push_back({static_cast<int>(rank), 0, to.bytes.data(), to.bytes.size(), to.most});
        }
        if (from.most > 0) {
            from.bytes.resize(std::max(from.bytes.size(), from.most));
            received.push_back({static_cast<int>(rank), 0, from.bytes.data(), 0, from.most});
        }
    }
    ranks_.exchange(sent, received);
}

void SharedArrays::share(std::span<const std::size_t> arrays) {
    for (std::size_t rank = 0; rank < to_.size(); ++rank) {
        to_[rank].most = from_[rank].most = 0;
        to_[rank].bytes.clear();
    }
    for (const std::size_t number : arrays) {
        pack(arrays_[number]);
    }
    exchange();
    std::vector<std::size_t> taken(from_.size());
    for (const std::size_t number : arrays) {
        unpack(arrays_[number], taken);
    }
}

}  // namespace perdure::host
