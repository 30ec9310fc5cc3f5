// A label image: the material of every cell, one byte each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver/problem/cell_labels.hpp"

namespace perdure {

/// What a label of the image stands for.
struct Material {
    std::int64_t label = 0;
    double conductivity = 0.0;  // where it varies by axis, the mean
    std::int64_t cells = 0;
    std::optional<std::array<double, 3>> by_axis{};  // along x, y, z, all above 0, where it varies
    std::optional<std::array<double, 3>>
        cross{};  // xy, xz, yz of a tensor with by_axis as its diagonal, where it has any; positive definite

    [[nodiscard]] double along(int axis) const { return by_axis ? (*by_axis)[axis] : conductivity; }
    /// Of its tensor.
    [[nodiscard]] double entry(int row, int column) const {
        return row == column ? along(row) : cross ? (*cross)[row + column - 1] : 0.0;
    }
};

/// Materials that conduct come first, then the others, each by label; a cell holds its material's number.
struct MaterialImage {
    static constexpr std::size_t most_materials = 255;

    std::vector<Material> materials;
    CellLabels of_cell;

    [[nodiscard]] bool varies_by_axis() const {
        return std::any_of(materials.begin(), materials.end(),
                           [](const Material &material) { return material.by_axis.has_value(); });
    }
    [[nodiscard]] bool has_cross_terms() const {
        return std::any_of(materials.begin(), materials.end(),
                           [](const Material &material) { return material.cross.has_value(); });
    }
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
