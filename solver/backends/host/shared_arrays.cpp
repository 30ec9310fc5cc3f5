#include "solver/backends/host/shared_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace perdure::host {

void SharedArrays::add(std::byte *values, std::size_t plane_bytes, PlaneTransfers transfers) {
    Array array{values, plane_bytes, std::move(transfers), {}, {}};
    for (const PlanesOfRank &planes : array.transfers.sent) {
        const auto found = std::ranges::find_if(array.sent, [&](const Sent &sent) {
            return sent.first == planes.first && sent.count == planes.count;
        });
        array.number.push_back(static_cast<std::size_t>(found - array.sent.begin()));
        if (found == array.sent.end()) {
            array.sent.push_back({planes.first, planes.count, {}, false});
        }
    }
    arrays_.push_back(std::move(array));
}

void SharedArrays::forget_copies() {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        forget_copies_of(i);
    }
}

void SharedArrays::forget_copies_of(std::size_t array) {
    for (Sent &sent : arrays_[array].sent) {
        sent.before.clear();
    }
}

void SharedArrays::find_changes(Array &array) {
    for (Sent &sent : array.sent) {
        const std::byte *const now = plane(array, sent.first);
        const std::size_t bytes = bytes_of(array, sent.count);
        sent.has_changed = sent.before.empty() || std::memcmp(sent.before.data(), now, bytes) != 0;
        if (sent.has_changed) {
            sent.before.assign(now, now + bytes);
        }
    }
}

/// For each stretch of planes to be sent a byte that says whether they have changed since they were sent last, and if so they.
void SharedArrays::pack(const Array &array) {
    for (std::size_t i = 0; i < array.number.size(); ++i) {
        const Sent &sent = array.sent[array.number[i]];
        Message &message = to_[static_cast<std::size_t>(array.transfers.sent[i].rank)];
        message.most += 1 + bytes_of(array, sent.count);
        message.bytes.push_back(sent.has_changed ? std::byte{1} : std::byte{0});
        if (sent.has_changed) {
            message.bytes.insert(message.bytes.end(), sent.before.begin(), sent.before.end());
        }
    }
    for (const PlanesOfRank &planes : array.transfers.received) {
        from_[static_cast<std::size_t>(planes.rank)].most += 1 + bytes_of(array, planes.count);
    }
}

/// `taken`: how much of the message of each rank.
void SharedArrays::unpack(const Array &array, std::vector<std::size_t> &taken) {
    for (const PlanesOfRank &planes : array.transfers.received) {
        const auto rank = static_cast<std::size_t>(planes.rank);
        const std::byte *const next = from_[rank].bytes.data() + taken[rank];
        const std::size_t bytes = *next != std::byte{0} ? bytes_of(array, planes.count) : 0;
        std::memcpy(plane(array, planes.first), next + 1, bytes);
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
        find_changes(arrays_[number]);
        pack(arrays_[number]);
    }
    exchange();
    std::vector<std::size_t> taken(from_.size());
    for (const std::size_t number : arrays) {
        unpack(arrays_[number], taken);
    }
}

}  // namespace perdure::host
