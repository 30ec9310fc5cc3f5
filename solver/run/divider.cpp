#include "solver/run/divider.hpp"

namespace perdure {

divider_t make_divider(std::uint32_t divisor) {
    std::uint32_t shift = 0;
    while ((1ULL << shift) < divisor) {
        ++shift;
    }
    const std::uint64_t power = 1ULL << (31 + shift);
    return {divisor, static_cast<std::uint32_t>((power + divisor - 1) / divisor), shift, 0};
}

}  // namespace perdure
