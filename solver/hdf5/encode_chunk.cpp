#include "solver/hdf5/encode_chunk.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <new>

#include "solver/problem/in_parallel.hpp"

namespace perdure::hdf5 {
namespace {

/// Byte j of value i goes to the place i of part j: the bytes of a part resemble one another.
void shuffle(std::span<const unsigned char> values, std::size_t bytes_per_value,
             std::vector<unsigned char> &shuffled) {
    constexpr std::size_t block =
        512;  // of values: what is read for one part is still in the cache for the next
    const std::size_t count = values.size() / bytes_per_value;
    shuffled.resize(values.size());
    for (std::size_t first = 0; first < count; first += block) {
        const std::size_t end = std::min(first + block, count);
        for (std::size_t byte = 0; byte < bytes_per_value; ++byte) {
            const unsigned char *source = values.data() + byte;
            unsigned char *target = shuffled.data() + byte * count;
            for (std::size_t i = first; i < end; ++i) {
                target[i] = source[i * bytes_per_value];
            }
        }
    }
}

/// Modulo 2^16 - 1, where only a sum of zeros is 0.
std::uint32_t folded(std::uint64_t sum) {
    constexpr unsigned bits = 16;
    constexpr std::uint64_t mask = 0xffff;
    while (sum > mask) {
        sum = (sum & mask) + (sum >> bits);
    }
    return static_cast<std::uint32_t>(sum);
}

}  // namespace

std::uint32_t fletcher32(std::span<const unsigned char> bytes) {
    constexpr std::size_t words_in_a_block = 1 << 16;  // sums of so many stay below 2^49
    std::uint64_t sum = 0;
    std::uint64_t sum_of_sums = 0;
    const std::size_t words = bytes.size() / 2;
    for (std::size_t first = 0; first < words; first += words_in_a_block) {
        const std::size_t end = std::min(first + words_in_a_block, words);
        for (std::size_t i = first; i < end; ++i) {
            sum += std::uint64_t{bytes[2 * i]} << 8U | bytes[2 * i + 1];
            sum_of_sums += sum;
        }
        sum = folded(sum);
        sum_of_sums = folded(sum_of_sums);
    }
    if (bytes.size() % 2 != 0) {
        sum += std::uint64_t{bytes.back()} << 8U;
        sum_of_sums += sum;
    }
    return folded(sum_of_sums) << 16U | folded(sum);
}

std::size_t encoding_threads() {
    return static_cast<std::size_t>(cores());
}

void ChunkEncoder::Free::operator()(libdeflate_compressor *compressor) const {
    libdeflate_free_compressor(compressor);
}

ChunkEncoder::ChunkEncoder(int level, std::size_t bytes_per_value)
    : compressor_(libdeflate_alloc_compressor(level)), bytes_per_value_(bytes_per_value) {
    if (!compressor_) {
        throw std::bad_alloc();
    }
}

void ChunkEncoder::encode(std::span<const unsigned char> chunk, std::vector<unsigned char> &encoded) {
    shuffle(chunk, bytes_per_value_, shuffled_);
    const std::size_t most = libdeflate_zlib_compress_bound(compressor_.get(), shuffled_.size());
    encoded.resize(most + sizeof(std::uint32_t));
    const std::size_t deflated =
        libdeflate_zlib_compress(compressor_.get(), shuffled_.data(), shuffled_.size(), encoded.data(), most);
    encoded.resize(deflated);
    const std::uint32_t checksum = fletcher32(encoded);
    for (unsigned shift = 0; shift < 32; shift += 8) {  // little-endian
        encoded.push_back(static_cast<unsigned char>(checksum >> shift));
    }
}

}  // namespace perdure::hdf5
