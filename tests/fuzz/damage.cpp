#include "tests/fuzz/damage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace perdure::fuzz {
namespace {

constexpr std::size_t superblock_checksum = 44;
constexpr std::size_t largest_checked_block = 1100;
constexpr std::array<std::string_view, 20> signatures{"OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "FRHP", "FHDB",
                                                      "FHIB", "FSHD", "FSSE", "EAHD", "EAIB", "EASB", "EADB",
                                                      "FAHD", "FADB", "TREE", "SNOD", "HEAP", "GCOL"};

std::uint32_t little_endian(const std::uint8_t *from) {
    return std::uint32_t{from[0]} | std::uint32_t{from[1]} << 8U | std::uint32_t{from[2]} << 16U |
           std::uint32_t{from[3]} << 24U;
}

/// Bob Jenkins's lookup3, hashlittle(), which HDF5 takes for its metadata.
std::uint32_t lookup3(const std::uint8_t *key, std::size_t length) {
    using std::rotl;
    std::uint32_t a = 0xdeadbeefU + static_cast<std::uint32_t>(length);
    std::uint32_t b = a;
    std::uint32_t c = a;
    for (; length > 12; length -= 12, key += 12) {
        a += little_endian(key);
        b += little_endian(key + 4);
        c += little_endian(key + 8);
        a -= c, a ^= rotl(c, 4), c += b;
        b -= a, b ^= rotl(a, 6), a += c;
        c -= b, c ^= rotl(b, 8), b += a;
        a -= c, a ^= rotl(c, 16), c += b;
        b -= a, b ^= rotl(a, 19), a += c;
        c -= b, c ^= rotl(b, 4), b += a;
    }
    if (length == 0) {
        return c;
    }
    std::array<std::uint8_t, 12> last{};
    std::memcpy(last.data(), key, length);
    a += little_endian(last.data());
    b += little_endian(last.data() + 4);
    c += little_endian(last.data() + 8);
    c ^= b, c -= rotl(b, 14);
    a ^= c, a -= rotl(c, 11);
    b ^= a, b -= rotl(a, 25);
    c ^= b, c -= rotl(b, 16);
    a ^= c, a -= rotl(c, 4);
    b ^= a, b -= rotl(a, 14);
    c ^= b, c -= rotl(b, 24);
    return c;
}

std::vector<std::size_t> find_blocks(const Image &file) {
    std::vector<std::size_t> blocks{0};
    for (std::size_t at = 8; at + 16 <= file.size(); ++at) {
        if (file[at] == 0) {
            continue;
        }
        const std::string_view here(reinterpret_cast<const char *>(file.data()) + at, 4);
        bool block = false;
        for (const std::string_view signature : signatures) {
            block = block || here == signature;
        }
        const bool header = at % 8 == 0 && little_endian(&file[at]) % 0x10000 == 1 && file[at + 3] == 0 &&
                            file[at + 2] > 0 && little_endian(&file[at + 4]) == 1;
        if (block || header) {
            blocks.push_back(at);
        }
    }
    return blocks;
}

/// Bytes of a block of a valid file up to its checksum.
std::optional<std::size_t> checked_length(const Image &file, std::size_t block) {
    if (block == 0) {  // version 0 and 1 have none
        return file[8] >= 2 ? std::optional(superblock_checksum) : std::nullopt;
    }
    for (std::size_t length = 8; length < largest_checked_block && block + length + 4 <= file.size();
         ++length) {
        if (lookup3(&file[block], length) == little_endian(&file[block + length])) {
            return length;
        }
    }
    return std::nullopt;
}

void put(Image &file, std::size_t at, std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes && at + i < file.size(); ++i) {
        file[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
    }
}

std::uint64_t field_value(const Image &file, const std::vector<std::size_t> &blocks, std::size_t choice) {
    const std::array<std::uint64_t, 14> values{0,          1,      2,           0x7f,           0xff,
                                               0x100,      0x7fff, 0xffff,      0x7fffffff,     0xffffffff,
                                               ~0ULL >> 1, ~0ULL,  file.size(), file.size() - 8};
    const std::size_t kind = choice & 0xffU;
    return kind < 64    ? values[kind % values.size()]
           : kind < 128 ? blocks[choice % blocks.size()]
           : kind < 192 ? choice >> 8U
                        : 1ULL << (choice >> 8U) % 64;
}

}  // namespace

WholeFile::WholeFile(Image file) : bytes(std::move(file)), blocks(find_blocks(bytes)) {}

Image damaged(const WholeFile &whole, Bytes &bytes, std::size_t most) {
    const auto &blocks = whole.blocks;
    Image file = whole.bytes;
    if (file.size() < 64) {
        return file;
    }
    std::set<std::size_t> hit;
    std::size_t size = file.size();
    for (std::size_t i = 0; i < most && !bytes.empty(); ++i) {
        const std::uint8_t kind = bytes.byte();
        const std::size_t number = bytes.byte() % blocks.size();
        const std::size_t offset = bytes.byte() % 192U;
        const std::size_t value = bytes.word();
        const std::size_t block = blocks[number];
        const std::size_t at = std::min(block + offset, file.size() - 1);
        switch (kind % 8U) {
            case 0:
            case 1:
            case 2:
            case 3:
                put(file, at, field_value(whole.bytes, blocks, value), std::size_t{1} << kind % 8U);
                break;
            case 4:
                file[at] ^= static_cast<std::uint8_t>(1U << value % 8U);
                break;
            case 5:
                file[at] = static_cast<std::uint8_t>(file[at] + value);
                break;
            case 6:
                size = value % file.size();
                break;
            default: {
                const std::size_t from = blocks[value % blocks.size()];
                const std::size_t count = std::min(file.size() - std::max(from, block), value >> 8U);
                std::memmove(&file[block], &file[from], count);
                break;
            }
        }
        if ((kind & 0x80U) == 0) {
            const auto next = std::upper_bound(blocks.begin(), blocks.end(), at);
            hit.insert(*std::prev(next));
        }
    }
    for (const std::size_t block : hit) {
        if (const auto length = checked_length(whole.bytes, block)) {
            put(file, block + *length, lookup3(&file[block], *length), 4);
        }
    }
    file.resize(size);
    return file;
}

}  // namespace perdure::fuzz
