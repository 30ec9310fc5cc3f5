// Random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace perdure {

/// SplitMix64 (Steele, Lea and Flood, 2014): any of its numbers is found without those before it, so more samples leave the first ones
/// as they are.
class RandomNumbers {
  public:
    /// Another sequence for each key.
    RandomNumbers(std::int64_t seed, const std::string &key) : state_(mix(static_cast<std::uint64_t>(seed))) {
        for (const char letter : key) {
            state_ = mix(state_ ^ static_cast<unsigned char>(letter));
        }
    }

    [[nodiscard]] std::uint64_t bits(std::uint64_t index) const { return mix(state_ + (index + 1) * golden); }

    /// In [0, 1).
    [[nodiscard]] double uniform(std::uint64_t index) const {
        return static_cast<double>(bits(index) >> 11U) * 0x1.0p-53;
    }

    /// The numbers 0 to size - 1 in random order.
    [[nodiscard]] std::vector<std::uint32_t> permutation(std::size_t size) const {
        std::vector<std::uint32_t> order(size);
        std::iota(order.begin(), order.end(), 0U);
        for (std::size_t i = size; i > 1; --i) {
            std::swap(order[i - 1], order[bits(~std::uint64_t{i}) % i]);
        }
        return order;
    }

  private:
    static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;

    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
        x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
        return x ^ (x >> 31U);
    }

    std::uint64_t state_;
};

}  // namespace perdure
