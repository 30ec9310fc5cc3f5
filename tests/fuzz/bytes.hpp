// Reads the fields of a recipe from the bytes of an input; behind their end everything is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace perdure::fuzz {

class Bytes {
  public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::uint8_t byte() { return at_ < bytes_.size() ? bytes_[at_++] : std::uint8_t{0}; }
    std::size_t below(std::size_t bound) { return byte() % bound; }
    std::size_t word() {
        const std::size_t low = byte();
        return low | std::size_t{byte()} << 8U;
    }
    [[nodiscard]] bool empty() const { return at_ >= bytes_.size(); }
    std::string rest() {
        const auto left = bytes_.subspan(std::min(at_, bytes_.size()));
        at_ = bytes_.size();
        return {left.begin(), left.end()};
    }

    /// One of a table's entries.
    template <class Table>
    auto pick(const Table &table) {
        return table[below(std::size(table))];
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

}  // namespace perdure::fuzz
