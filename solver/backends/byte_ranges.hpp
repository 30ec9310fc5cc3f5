// Parts of a buffer.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perdure {

/// Bytes of a buffer that follow each other.
struct ByteRange {
    std::size_t begin, bytes;
    friend bool operator==(const ByteRange &, const ByteRange &) = default;
};

std::size_t sum_of(std::span<const ByteRange> ranges);

/// What of the ranges lies in another one. None is empty. `ranges`: in order and without overlap, here and below.
std::vector<ByteRange> overlap_of(std::span<const ByteRange> ranges, ByteRange other);

/// The whole pages that the ranges touch; pages that follow each other are one range.
std::vector<ByteRange> in_pages(std::span<const ByteRange> ranges, std::size_t page);

}  // namespace perdure
