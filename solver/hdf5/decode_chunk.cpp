#include "solver/hdf5/decode_chunk.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "solver/hdf5/encode_chunk.hpp"
#include "solver/hdf5/hdf5.hpp"

namespace perdure::hdf5 {
namespace {

/// Part j of the chunk holds byte j of every value.
template <std::size_t bytes_per_value>
void unshuffle(std::span<const unsigned char> shuffled, unsigned char *values) {
    const std::size_t count = shuffled.size() / bytes_per_value;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t byte = 0; byte < bytes_per_value; ++byte) {
            values[i * bytes_per_value + byte] = shuffled[byte * count + i];
        }
    }
}

void unshuffle(std::span<const unsigned char> shuffled, std::size_t bytes_per_value, unsigned char *values) {
    switch (bytes_per_value) {
        case 2:
            return unshuffle<2>(shuffled, values);
        case 4:
            return unshuffle<4>(shuffled, values);
        case 8:
            return unshuffle<8>(shuffled, values);
        default:
            std::copy(shuffled.begin(), shuffled.end(), values);
    }
}

/// HDF5 1.6.2 and before swapped the bytes of both halves on little-endian processors, and readers take both.
std::uint32_t swapped(std::uint32_t checksum) {
    constexpr std::uint32_t low_bytes = 0x00ff00ff;
    return (checksum & low_bytes) << 8U | (checksum >> 8U & low_bytes);
}

void take_off_checksum(std::vector<unsigned char> &stored) {
    if (stored.size() < sizeof(std::uint32_t)) {
        throw Error("a chunk is shorter than its checksum");
    }
    std::uint32_t found = 0;
    for (std::size_t byte = 0; byte < sizeof found; ++byte) {
        found |= std::uint32_t{stored[stored.size() - sizeof found + byte]} << (8U * byte);
    }
    stored.resize(stored.size() - sizeof found);
    const std::uint32_t expected = fletcher32(stored);
    if (found != expected && found != swapped(expected)) {
        throw Error("the checksum of a chunk is wrong");
    }
}

}  // namespace

void ChunkDecoder::Free::operator()(libdeflate_decompressor *decompressor) const {
    libdeflate_free_decompressor(decompressor);
}

ChunkDecoder::ChunkDecoder(std::vector<ChunkFilter> filters, std::size_t bytes_per_value,
                           std::size_t chunk_bytes)
    : decompressor_(libdeflate_alloc_decompressor()),
      filters_(std::move(filters)),
      bytes_per_value_(bytes_per_value),
      chunk_bytes_(chunk_bytes) {
    if (!decompressor_) {
        throw std::bad_alloc();
    }
}

std::span<const unsigned char> ChunkDecoder::decode(std::vector<unsigned char> &stored, unsigned left_out) {
    const auto applied = [&](ChunkFilter filter) {
        const auto found = std::find(filters_.begin(), filters_.end(), filter);
        return found != filters_.end() &&
               (left_out >> static_cast<unsigned>(found - filters_.begin()) & 1U) == 0;
    };
    if (applied(ChunkFilter::fletcher32)) {
        take_off_checksum(stored);
    }
    std::span<const unsigned char> bytes = stored;
    if (applied(ChunkFilter::deflate)) {
        inflated_.resize(chunk_bytes_);
        if (libdeflate_zlib_decompress(decompressor_.get(), stored.data(), stored.size(), inflated_.data(),
                                       chunk_bytes_, nullptr) != LIBDEFLATE_SUCCESS) {
            throw Error("a chunk cannot be decompressed to its size");
        }
        bytes = inflated_;
    }
    if (bytes.size() != chunk_bytes_) {
        throw Error("the size of a chunk does not match its shape");
    }
    if (applied(ChunkFilter::shuffle)) {
        values_.resize(chunk_bytes_);
        unshuffle(bytes, bytes_per_value_, values_.data());
        bytes = values_;
    }
    return bytes;
}

}  // namespace perdure::hdf5
