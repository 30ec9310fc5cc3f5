// Encodes a chunk of a dataset (shuffle, deflate, fletcher32) without the HDF5 library, in any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_compressor;

namespace perdure::hdf5 {

/// How many threads encode the chunks of a large dataset: one a core.
std::size_t encoding_threads();

/// Of one thread; keeps its memory from chunk to chunk.
class ChunkEncoder {
  public:
    /// `level`: of libdeflate, 1 to 12. Throws std::bad_alloc.
    ChunkEncoder(int level, std::size_t bytes_per_value);

    /// Replaces `encoded` by the filtered bytes of the chunk. They are the same for the same values and level.
    void encode(std::span<const unsigned char> chunk, std::vector<unsigned char> &encoded);

  private:
    struct Free {
        void operator()(libdeflate_compressor *compressor) const;
    };
    std::unique_ptr<libdeflate_compressor, Free> compressor_;
    std::size_t bytes_per_value_;
    std::vector<unsigned char> shuffled_;
};

/// The checksum of HDF5's filter fletcher32: sums modulo 2^16 - 1 of 16-bit words, the first byte the high one.
std::uint32_t fletcher32(std::span<const unsigned char> bytes);

}  // namespace perdure::hdf5
