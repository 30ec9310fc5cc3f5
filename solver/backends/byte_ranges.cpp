#include "solver/backends/byte_ranges.hpp"

#include <algorithm>

namespace perdure {

std::size_t sum_of(std::span<const ByteRange> ranges) {
    std::size_t sum = 0;
    for (const ByteRange &range : ranges) {
        sum += range.bytes;
    }
    return sum;
}

std::vector<ByteRange> overlap_of(std::span<const ByteRange> ranges, ByteRange other) {
    std::vector<ByteRange> found;
    for (const ByteRange &range : ranges) {
        const std::size_t begin = std::max(range.begin, other.begin);
        const std::size_t end = std::min(range.begin + range.bytes, other.begin + other.bytes);
        if (begin < end) {
            found.push_back({begin, end - begin});
        }
    }
    return found;
}

std::vector<ByteRange> in_pages(std::span<const ByteRange> ranges, std::size_t page) {
    std::vector<ByteRange> pages;
    for (const ByteRange &range : ranges) {
        const std::size_t begin = range.begin / page * page;
        const std::size_t end = (range.begin + range.bytes + page - 1) / page * page;
        if (!pages.empty() && begin <= pages.back().begin + pages.back().bytes) {
            pages.back().bytes = std::max(pages.back().begin + pages.back().bytes, end) - pages.back().begin;
        } else {
            pages.push_back({begin, end - begin});
        }
    }
    return pages;
}

}  // namespace perdure
