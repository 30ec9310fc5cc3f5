#pragma once

#include <cstdint>

namespace perdure {

/// The least whole number of parts of `b` that hold `a`.
constexpr std::int64_t divided_up(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

}  // namespace perdure
