#include "solver/backends/host/shared_lines.hpp"

#include <algorithm>
#include <cstring>

namespace perdure::host {
namespace {

std::size_t bytes_of(const PiecesOfRank &pieces) {
    return pieces.count * pieces.bytes;
}

std::vector<Ranks::Piece> messages_of(const std::vector<PiecesOfRank> &transfers,
                                      std::vector<std::vector<std::byte>> &memory) {
    memory.resize(std::max(memory.size(), transfers.size()));
    std::vector<Ranks::Piece> messages;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        const std::size_t bytes = bytes_of(transfers[i]);
        memory[i].resize(std::max(memory[i].size(), bytes));
        messages.push_back({transfers[i].rank, 0, memory[i].data(), bytes, bytes});
    }
    return messages;
}

}  // namespace

void SharedLines::exchange(std::byte *buffer, const LineTransfers &transfers) {
    std::vector<Ranks::Piece> sent = messages_of(transfers.sent, to_);
    std::vector<Ranks::Piece> received = messages_of(transfers.received, from_);
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const PiecesOfRank &pieces = transfers.sent[i];
        for (std::size_t k = 0; k < pieces.count; ++k) {
            std::memcpy(sent[i].data + k * pieces.bytes, buffer + pieces.begin + k * pieces.apart,
                        pieces.bytes);
        }
    }
    ranks_.exchange(sent, received);
    for (std::size_t i = 0; i < received.size(); ++i) {
        const PiecesOfRank &pieces = transfers.received[i];
        for (std::size_t k = 0; k < pieces.count; ++k) {
            std::memcpy(buffer + pieces.begin + k * pieces.apart, received[i].data + k * pieces.bytes,
                        pieces.bytes);
        }
    }
}

}  // namespace perdure::host
