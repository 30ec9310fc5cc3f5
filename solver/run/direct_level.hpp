// Which level of a hierarchy is solved by transforms (kernels/multigrid/transform.h) instead of by still coarser ones.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace perdure {

using Extents = std::array<std::uint32_t, 3>;

inline std::uint32_t product(const Extents &n) {
    return n[0] * n[1] * n[2];
}

/// A level as halving makes it.
struct LevelShape {
    Extents cells{1, 1, 1};
    Extents halved{};    // 1 along the axes that the next level has half of
    bool alike = false;  // cells, but for those at the ends of an axis
};

struct FinestLevel;

/// The level to solve directly, if any: the one that is asked for, or, automatically, the one that a run is expected to take
/// least time with, if that is less than cycles take. Cycles in float32 go on to the smallest level where nothing is asked
/// for: products in float32 leave of a mode that hardly anything fixes more than conjugate gradients in float64 get rid of.
/// Throws Failure (case_or_usage) where the level that is asked for does not exist, or has cells that are not alike, or too
/// many along an axis.
std::optional<std::uint32_t> direct_level(const FinestLevel &finest, const std::vector<LevelShape> &levels);

}  // namespace perdure
