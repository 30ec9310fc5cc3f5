// The bytes of an HDF5 file that is encoded in memory: numbers, datatypes, dataspaces.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/hdf5/contents.hpp"

namespace perdure::hdf5 {

/// A part of a file. Grows at its end; what is known only later is patched.
class FileBytes {
  public:
    using Place = std::size_t;

    FileBytes() = default;
    /// `begin`: where in the file the first byte will be, a multiple of `alignment`.
    explicit FileBytes(std::uint64_t begin) : begin_(begin) {}

    [[nodiscard]] Place end() const { return bytes_.size(); }
    /// Where in the file the end will be.
    [[nodiscard]] std::uint64_t address() const { return begin_ + end(); }

    template <std::unsigned_integral Number>
    void put(Number number) {
        const Place place = end();
        bytes_.resize(place + sizeof number);
        patch(place, number);
    }
    template <std::unsigned_integral Number>
    void patch(Place place, Number number) {
        for (std::size_t i = 0; i < sizeof number; ++i) {  // little-endian
            bytes_[place + i] = static_cast<unsigned char>(number >> (8 * i));
        }
    }
    void put(std::span<const unsigned char> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
    /// With a terminator, filled up with zeros to a multiple of 8.
    void put_name(std::string_view name);
    void fill(std::size_t count) { bytes_.resize(bytes_.size() + count); }
    void align() { fill(-end() % alignment); }

    static constexpr std::size_t alignment = 8;
    std::vector<unsigned char> take() { return std::move(bytes_); }

  private:
    std::uint64_t begin_ = 0;
    std::vector<unsigned char> bytes_;
};

inline constexpr std::uint64_t undefined_address = ~std::uint64_t{0};

/// What a file begins with, of version 0. `end_of_file`: where the file ends; `root`: where its root is.
std::vector<unsigned char> encode_superblock(std::uint64_t end_of_file, std::uint64_t root);

constexpr std::size_t superblock_bytes = 96;
/// The part that depends on these two, which comes first; between them nothing changes.
constexpr std::size_t end_of_file_at = 40, end_and_root_bytes = 32;

std::span<const unsigned char> bytes_of(std::string_view text);

/// As the file has them; memory has the same order of bytes.
template <typename Number, typename Allocator>
std::span<const unsigned char> bytes_of(const std::vector<Number, Allocator> &numbers) {
    static_assert(std::endian::native == std::endian::little);
    return {reinterpret_cast<const unsigned char *>(numbers.data()), numbers.size() * sizeof(Number)};
}

/// Datatypes, as the message that describes them.
void put_float32(FileBytes &bytes);
void put_float64(FileBytes &bytes);
void put_int64(FileBytes &bytes);
void put_text(FileBytes &bytes);  // UTF-8 of any length
void put_ascii(FileBytes &bytes, std::size_t size, bool is_terminated);
void put_references(FileBytes &bytes);           // lists of references to objects
void put_reference_and_index(FileBytes &bytes);  // by which a scale knows the dimensions that it belongs to

/// A dataspace, as its message. `largest`: to which it may grow.
void put_extent(FileBytes &bytes, const Extent &extent, const Extent &largest);

}  // namespace perdure::hdf5
