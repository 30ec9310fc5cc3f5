// A label image: the material of every cell, one byte each.
#pragma once

#include <cstdint>
#include <vector>

namespace perdure {

/// What a label of the image stands for.
struct Material {
    std::int64_t label = 0;
    double conductivity = 0.0;
    std::int64_t cells = 0;
};

/// Materials that conduct come first, then the others, each by label; a cell holds its material's number.
struct MaterialImage {
    static constexpr std::size_t most_materials = 255;

    std::vector<Material> materials;
    std::vector<std::uint8_t> of_cell;

    [[nodiscard]] std::size_t conducting() const {
        std::size_t count = 0;
        while (count < materials.size() && materials[count].conductivity > 0.0) {
            ++count;
        }
        return count;
    }
    [[nodiscard]] std::int64_t conducting_cells() const {
        std::int64_t cells = 0;
        for (std::size_t i = 0; i < conducting(); ++i) {
            cells += materials[i].cells;
        }
        return cells;
    }
};

}  // namespace perdure
