#include "solver/backends/cuda/cuda_copies.hpp"

#include <algorithm>
#include <cstring>

#include "solver/backends/cuda/cuda_error.hpp"

namespace perdure::cuda {
namespace {

constexpr std::size_t piece_bytes = std::size_t{8} << 20U;

std::size_t size_of_piece(std::size_t piece, std::size_t bytes) {
    return std::min(piece_bytes, bytes - piece * piece_bytes);
}

}  // namespace

CopiesDuringLaunch::CopiesDuringLaunch() : stream_(make_stream()) {
    for (Piece &piece : pieces_) {
        piece = {allocate_mapped(piece_bytes), make_event()};
    }
}

void CopiesDuringLaunch::begin(std::size_t piece, const std::byte *from, std::size_t bytes) {
    const Piece &into = pieces_[piece % pieces_.size()];
    check(cudaMemcpyAsync(into.memory.get(), from + piece * piece_bytes, size_of_piece(piece, bytes),
                          cudaMemcpyDeviceToHost, stream_.get()),
          "cudaMemcpyAsync (device to host, during a launch)");
    check(cudaEventRecord(into.is_there.get(), stream_.get()), "cudaEventRecord");
}

void CopiesDuringLaunch::read(void *to, const std::byte *from, std::size_t bytes) {
    const std::size_t count = (bytes + piece_bytes - 1) / piece_bytes;
    for (std::size_t piece = 0; piece < std::min(count, pieces_.size()); ++piece) {
        begin(piece, from, bytes);
    }
    for (std::size_t piece = 0; piece < count; ++piece) {
        const Piece &filled = pieces_[piece % pieces_.size()];
        check(cudaEventSynchronize(filled.is_there.get()), "cudaEventSynchronize");
        std::memcpy(static_cast<std::byte *>(to) + piece * piece_bytes, filled.memory.get(),
                    size_of_piece(piece, bytes));
        if (piece + pieces_.size() < count) {
            begin(piece + pieces_.size(), from, bytes);
        }
    }
}

}  // namespace perdure::cuda
