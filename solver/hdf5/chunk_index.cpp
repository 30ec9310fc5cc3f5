#include "solver/hdf5/chunk_index.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

namespace perdure::hdf5 {
namespace {

constexpr std::size_t most_children = 64;  // as the library expects where the superblock does not say
constexpr std::size_t bytes_of_header = 24;

/// Chunks, or nodes of the tree with the origin of the first chunk below them.
using Children = std::vector<IndexedChunk>;

class IndexEncoder {
  public:
    IndexEncoder(FileBytes &file, const Extent &end, std::size_t bytes_per_value)
        : file_(file),
          end_(end),
          bytes_per_value_(bytes_per_value),
          bytes_of_key_(8 + 8 * (end.size() + 1)),
          bytes_of_node_(bytes_of_header + most_children * sizeof(std::uint64_t) +
                         (most_children + 1) * bytes_of_key_) {}

    /// Puts the nodes above the children one after the other, and returns them.
    Children put_level(const Children &children, std::uint8_t level) {
        Children nodes;
        for (std::size_t first = 0; first < children.size(); first += most_children) {
            const std::size_t last = std::min(first + most_children, children.size());
            nodes.push_back({children[first].origin, children[first].bytes, file_.address()});
            put_node(children, first, last, level);
        }
        return nodes;
    }

  private:
    void put_node(const Children &children, std::size_t first, std::size_t last, std::uint8_t level) {
        constexpr std::array<unsigned char, 5> signature_of_chunks{'T', 'R', 'E', 'E', 1};
        const std::size_t begin = file_.end();
        const std::uint64_t address = file_.address();
        file_.put(signature_of_chunks);
        file_.put(level);
        file_.put(static_cast<std::uint16_t>(last - first));
        file_.put(first > 0 ? address - bytes_of_node_ : undefined_address);
        file_.put(last < children.size() ? address + bytes_of_node_ : undefined_address);
        for (std::size_t i = first; i < last; ++i) {
            put_key(children[i].bytes, children[i].origin, 0);
            file_.put(children[i].address);
        }
        if (last < children.size()) {
            put_key(children[last].bytes, children[last].origin, 0);
        } else {
            put_key(0, end_, bytes_per_value_);
        }
        file_.fill(begin + bytes_of_node_ - file_.end());
    }

    void put_key(std::uint32_t bytes, const Extent &origin, std::size_t behind) {
        file_.put(bytes);
        file_.put(std::uint32_t{0});  // no filter is left out
        for (const hsize_t index : origin) {
            file_.put(std::uint64_t{index});
        }
        file_.put(std::uint64_t{behind});
    }

    FileBytes &file_;
    const Extent &end_;
    std::size_t bytes_per_value_, bytes_of_key_, bytes_of_node_;
};

Extent with_time(hsize_t time, const Extent &of_a_time) {
    Extent whole{time};
    whole.insert(whole.end(), of_a_time.begin(), of_a_time.end());
    return whole;
}

}  // namespace

std::uint64_t put_chunk_index(FileBytes &file, std::span<const IndexedChunk> chunks, const Extent &end,
                              std::size_t bytes_per_value) {
    IndexEncoder encoder(file, end, bytes_per_value);
    file.align();
    Children nodes(chunks.begin(), chunks.end());
    for (std::uint8_t level = 0; level == 0 || nodes.size() > 1; ++level) {
        nodes = encoder.put_level(nodes, level);
    }
    return nodes.front().address;
}

Extent extent_of(const FieldStorage &field) {
    return field.in_time ? with_time(field.places.size(), field.extent) : field.extent;
}

Extent chunk_in_time(const FieldStorage &field) {
    return with_time(1, field.chunk);
}

std::uint64_t put_index_of_places(FileBytes &file, const FieldStorage &field, std::size_t bytes_per_value) {
    std::vector<IndexedChunk> chunks;
    const auto bytes = static_cast<std::uint32_t>(std::accumulate(
        field.chunk.begin(), field.chunk.end(), hsize_t{bytes_per_value}, std::multiplies<>()));
    for (std::size_t time = 0; time < field.places.size(); ++time) {
        Extent origin(1 + field.chunk.size(), 0);
        origin[0] = time;
        for (std::uint64_t place = field.places[time]; origin[1] < field.extent[0]; place += bytes) {
            chunks.push_back({origin, bytes, place});
            origin[1] += field.chunk[0];
        }
    }
    return put_chunk_index(file, chunks, with_time(field.places.size(), Extent(field.chunk.size(), 0)),
                           bytes_per_value);
}

}  // namespace perdure::hdf5
