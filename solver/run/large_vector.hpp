// Large vectors of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/problem/in_parallel.hpp"

namespace perdure {

/// Zeros, in memory that all cores have fetched from the system: a vector that one thread fetches takes 0.6 s a GB, ten times as long as a
/// copy from the device into it.
template <typename Number>
std::vector<Number> large_vector(std::size_t count) {
    constexpr std::size_t page = 4096;
    std::vector<Number> values;
    values.reserve(count);
    auto *memory = reinterpret_cast<std::byte *>(values.data());
    const std::size_t bytes = count * sizeof(Number);
    const std::size_t pages = (bytes + page - 1) / page;
    in_parallel(static_cast<std::int64_t>(pages), static_cast<std::int64_t>(count),
                [=](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end; ++i) {
                        memory[static_cast<std::size_t>(i) * page] = std::byte{0};
                    }
                });
    values.resize(count);
    return values;
}

}  // namespace perdure
