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

/// The level to solve directly, if any. `asked`: a level, or what MultigridConfig::direct_level has for none and automatic,
/// which takes the level, or none, that a run is expected to take least time with. `doubles`: what cycles work on. Throws Failure (case_or_usage) where the
/// one that is asked for does not exist, or has cells that are not alike, or too many along an axis.
std::optional<std::uint32_t> direct_level(int asked, int dimensions, bool doubles,
                                          const std::vector<LevelShape> &levels);

}  // namespace perdure
