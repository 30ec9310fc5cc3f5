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

/// What an image is solved between. Along each direction u is 1 and 0 on its two faces and the other sides are insulated or periodic, or
/// all sides are periodic and u falls by 1 from one period to the next.
enum class ImageSides : std::uint8_t { insulated, periodic, periodic_cell };

/// Of problem.type: effective.
struct EffectiveConfig {
    std::vector<int> axes;                // directions asked for; 0 = x
    std::vector<TextPosition> positions;  // of those that the case file names
    ImageSides sides = ImageSides::insulated;
    std::optional<SubvolumeConfig> subvolume;  // that is solved; its shape is that of the grid then
    TextPosition position;
};

}  // namespace perdure
