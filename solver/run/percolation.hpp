// Finds on the device which cells conduct from face to face, before anything is solved (kernels/percolation.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/material_image.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure {

/// What is asked: along which axes, and between which sides.
struct PercolationQuestion {
    const Grid &grid;
    const MaterialImage &image;
    std::vector<int> axes;
    ImageSides sides = ImageSides::insulated;
};

struct Percolation {
    /// Along one axis: whether cells of each material reach from face to face, and conducting cells in parts that do; in a periodic cell
    /// parts that extend without end.
    struct Along {
        std::vector<bool> material;
        std::int64_t connected_cells = 0;
        [[nodiscard]] bool percolates() const { return connected_cells > 0; }
    };
    std::array<Along, 3> along;  // x, y, z; of axes that were asked
    LargeVector<std::uint8_t>
        faces;  // per conducting cell, bits 2 axis and 2 axis + 1: its part reaches that face
    std::vector<std::int32_t> part;  // in a periodic cell: of each cell, -1 where it does not conduct
    std::int32_t parts = 0;          // in a periodic cell: connected parts
    SharedMemory material_on_device, faces_on_device;
    double device_seconds = 0.0;
    double host_seconds = 0.0;  // where the host finds it
    std::int64_t launches = 0, barriers = 0;
};

/// Device memory that it takes, per cell; material and faces stay there for the solves.
inline constexpr std::int64_t percolation_bytes_per_cell = 10;

/// One launch for all axes; of a periodic cell the host finds it. `plan` is that of the runs to come. Throws Failure(device).
Percolation find_percolation(const PercolationQuestion &question, const Config &config, Device &device,
                             const LaunchPlan &plan);

/// The cells that a solve along `axis` is for: those whose part reaches one of the two faces; in a periodic cell all that conduct. The
/// memory of `cells` is used again: to fetch that of an image anew takes longer than to fill it.
void find_active_along(const Percolation &percolation, int axis, ActiveCells &cells);

}  // namespace perdure
