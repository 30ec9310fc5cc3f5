// Decodes a chunk of a dataset (shuffle, deflate, fletcher32) without the HDF5 library, in any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_decompressor;

namespace perdure::hdf5 {

enum class ChunkFilter { shuffle, deflate, fletcher32 };

/// Of one thread; keeps its memory from chunk to chunk.
class ChunkDecoder {
  public:
    /// `filters`: as they were applied, in the order of ChunkFilter. Throws std::bad_alloc.
    ChunkDecoder(std::vector<ChunkFilter> filters, std::size_t bytes_per_value, std::size_t chunk_bytes);

    /// The values of the chunk, until the next call. Bit i of `left_out`: filter i was not applied. `stored` is used up. Throws
    /// Error when the bytes are none that the filters make: a wrong checksum, a wrong size.
    std::span<const unsigned char> decode(std::vector<unsigned char> &stored, unsigned left_out);

  private:
    struct Free {
        void operator()(libdeflate_decompressor *decompressor) const;
    };
    std::unique_ptr<libdeflate_decompressor, Free> decompressor_;
    std::vector<ChunkFilter> filters_;
    std::size_t bytes_per_value_, chunk_bytes_;
    std::vector<unsigned char> inflated_, values_;
};

}  // namespace perdure::hdf5
