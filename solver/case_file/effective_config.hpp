// What a case of problem.type: effective asks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/failure.hpp"

namespace perdure {

/// A box of cells of an image; slowest axis first.
struct SubvolumeConfig {
    std::vector<std::int64_t> shape;  // a single number: of a cube
    std::vector<std::int64_t> from;   // its first cell; empty: the image's
    TextPosition position, from_position;
};

/// Of problem.type: effective.
struct EffectiveConfig {
    std::vector<int> axes;                     // directions asked for; 0 = x
    std::vector<TextPosition> positions;       // of those that the case file names
    bool periodic = false;                     // the other sides, along the direction; else insulated
    std::optional<SubvolumeConfig> subvolume;  // that is solved; its shape is that of the grid then
    TextPosition position;
};

}  // namespace perdure
