#include "solver/hdf5/file_bytes.hpp"

#include <array>

namespace perdure::hdf5 {
namespace {

// Classes of datatypes, with version 1 of their description.
constexpr std::uint8_t version_1 = 1U << 4U;
constexpr std::uint8_t fixed_point = version_1 | 0U, floating_point = version_1 | 1U, string = version_1 | 3U,
                       compound = version_1 | 6U, reference = version_1 | 7U,
                       variable_length = version_1 | 9U;

void put_class(FileBytes &bytes, std::uint8_t kind, unsigned bits, std::uint32_t size) {
    bytes.put(kind);
    for (unsigned shift = 0; shift < 24; shift += 8) {
        bytes.put(static_cast<std::uint8_t>(bits >> shift));
    }
    bytes.put(size);
}

void put_integer(FileBytes &bytes, std::uint32_t size, bool is_signed) {
    put_class(bytes, fixed_point, is_signed ? 0x08U : 0U, size);
    bytes.put(std::uint16_t{0});  // the first bit
    bytes.put(static_cast<std::uint16_t>(8 * size));
}

/// IEEE 754, with the leading bit of the mantissa implied.
void put_float(FileBytes &bytes, std::uint32_t size, std::uint8_t exponent_bits, std::uint8_t mantissa_bits,
               std::uint32_t bias) {
    constexpr unsigned implied_bit = 0x20;
    const unsigned sign_bit = 8 * size - 1;
    put_class(bytes, floating_point, implied_bit | sign_bit << 8U, size);
    bytes.put(std::uint16_t{0});
    bytes.put(static_cast<std::uint16_t>(8 * size));
    bytes.put(mantissa_bits);  // where the exponent begins
    bytes.put(exponent_bits);
    bytes.put(std::uint8_t{0});  // where the mantissa begins
    bytes.put(mantissa_bits);
    bytes.put(bias);
}

constexpr std::uint32_t bytes_of_list = 16;  // length, address of a heap, number there
constexpr std::uint32_t bytes_of_reference = 8;

void put_member(FileBytes &bytes, const char *name, std::uint32_t offset) {
    constexpr std::size_t unused = 28;  // of arrays
    bytes.put_name(name);
    bytes.put(offset);
    bytes.fill(unused);
}

}  // namespace

void FileBytes::put_name(std::string_view name) {
    put(bytes_of(name));
    fill(1);
    align();
}

std::vector<unsigned char> encode_superblock(std::uint64_t end_of_file, std::uint64_t root) {
    constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    constexpr std::uint16_t leaves_of_group = 4, branches_of_group = 16;  // the library's; of no use here
    constexpr std::uint8_t address_bytes = 8, length_bytes = 8;
    constexpr std::size_t versions = 5, cache_of_root = 24;
    FileBytes bytes;
    bytes.put(signature);
    bytes.fill(versions);
    bytes.put(address_bytes);
    bytes.put(length_bytes);
    bytes.fill(1);
    bytes.put(leaves_of_group);
    bytes.put(branches_of_group);
    bytes.put(std::uint32_t{0});  // the file is closed
    bytes.put(std::uint64_t{0});  // where addresses count from
    bytes.put(undefined_address);
    bytes.put(end_of_file);
    bytes.put(undefined_address);
    bytes.put(std::uint64_t{0});  // the name of the root
    bytes.put(root);
    bytes.fill(cache_of_root);
    return bytes.take();
}

std::span<const unsigned char> bytes_of(std::string_view text) {
    return {reinterpret_cast<const unsigned char *>(text.data()), text.size()};
}

void put_float32(FileBytes &bytes) {
    put_float(bytes, 4, 8, 23, 127);
}

void put_float64(FileBytes &bytes) {
    put_float(bytes, 8, 11, 52, 1023);
}

void put_int64(FileBytes &bytes) {
    put_integer(bytes, 8, true);
}

void put_text(FileBytes &bytes) {
    constexpr unsigned is_text = 1, utf8 = 1U << 8U;
    put_class(bytes, variable_length, is_text | utf8, bytes_of_list);
    put_integer(bytes, 1, false);
}

void put_ascii(FileBytes &bytes, std::size_t size, bool is_terminated) {
    constexpr unsigned filled_with_zeros = 1;
    put_class(bytes, string, is_terminated ? 0U : filled_with_zeros, static_cast<std::uint32_t>(size));
}

void put_reference(FileBytes &bytes) {
    put_class(bytes, reference, 0, bytes_of_reference);
}

void put_references(FileBytes &bytes) {
    put_class(bytes, variable_length, 0, bytes_of_list);
    put_reference(bytes);
}

void put_reference_and_index(FileBytes &bytes) {
    constexpr std::uint32_t size = 16;
    constexpr unsigned members = 2;
    put_class(bytes, compound, members, size);
    put_member(bytes, "dataset", 0);
    put_reference(bytes);
    put_member(bytes, "dimension", bytes_of_reference);
    put_integer(bytes, 4, true);
}

void put_extent(FileBytes &bytes, const Extent &extent, const Extent &largest) {
    constexpr std::uint8_t version = 1, with_largest = 1;
    constexpr std::size_t reserved = 5;
    bytes.put(version);
    bytes.put(static_cast<std::uint8_t>(extent.size()));
    bytes.put(extent.empty() ? std::uint8_t{0} : with_largest);
    bytes.fill(reserved);
    for (const Extent *const counts : {&extent, &largest}) {
        for (const hsize_t count : *counts) {
            bytes.put(std::uint64_t{count});
        }
    }
}

}  // namespace perdure::hdf5
