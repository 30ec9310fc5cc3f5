#include "solver/run/multigrid_tables.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "kernels/common.h"
#include "solver/run/modes.hpp"

namespace perdure {
namespace {

#define PERDURE_PROGRAM "kernels/multigrid/cycle.h"
#include "solver/backends/both_precisions.hpp"

/// The operator of a level along each axis, and what it has besides.
struct AlongAxes {
    std::array<AxisOperator, 3> axes{};
    double sigma = 0.0;
};

template <typename Network>
AlongAxes along_axes(const Network &net) {
    const run_parameters_t &grid = net.level.grid;
    const std::array<uint32, 3> n{grid.nx, grid.ny, grid.nz};
    const std::array<uint32, 3> periodic{grid.periodic_x, grid.periodic_y, grid.periodic_z};
    const std::array<double, 3> face{net.level.inner.face_x, net.level.inner.face_y, net.level.inner.face_z};
    const std::array<uint32, 3> middle{n[0] / 2, n[1] / 2, n[2] / 2};
    AlongAxes along;
    const auto entry = [&](const std::array<uint32, 3> &at) {
        return table_place(at_side(at[0], n[0]), at_side(at[1], n[1]), at_side(at[2], n[2]));
    };
    along.sigma = net.level.diagonal[entry(middle)];
    for (uint32 axis = 0; axis < 3; ++axis) {
        AxisOperator &one = along.axes[axis];
        one = {n[axis], periodic[axis] != 0, face[axis], 0.0, 0.0};
        if (axis >= grid.dimensions || one.periodic) {
            continue;
        }
        std::array<uint32, 3> end = middle;
        end[axis] = 0;
        one.lower = net.side[2 * axis][entry(end)];
        end[axis] = n[axis] - 1;
        one.upper = net.side[2 * axis + 1][entry(end)];
        const uint32 touched = at_side(middle[axis], n[axis]);
        along.sigma -= ((touched & 1U) != 0 ? one.lower : 0.0) + ((touched & 2U) != 0 ? one.upper : 0.0);
    }
    along.sigma = std::max(along.sigma, 0.0);
    return along;
}

/// Axes alike have the modes of the first of them.
template <typename Cycle>
std::vector<wave_t> put_modes(hierarchy_t &hierarchy, const AlongAxes &along, std::vector<Cycle> &tables) {
    std::vector<wave_t> waves;
    for (std::size_t axis = 0; axis < along.axes.size(); ++axis) {
        const Modes modes = modes_of(along.axes[axis]);
        Cycle *const values = tables.data() + hierarchy.eigenvalues[axis];
        for (std::size_t k = 0; k < modes.values.size(); ++k) {
            values[k] = static_cast<Cycle>(modes.values[k] + (axis == 0 ? along.sigma : 0.0));
        }
        waves.insert(waves.end(), modes.waves.begin(), modes.waves.end());
        if (axis > 0 && along.axes[axis] == along.axes[axis - 1]) {
            hierarchy.modes[axis] = hierarchy.modes[axis - 1];
        }
    }
    return waves;
}

/// One group of one item, which is what the text is here, goes through the steps of the setup.
template <typename Multigrid, typename Team, typename Kept, typename Cycle>
std::vector<wave_t> fill(hierarchy_t &hierarchy, FinestTables<Cycle> &finest, std::vector<Cycle> &tables) {
    std::vector<sum_t> matrix(COARSEST_CELLS * COARSEST_CELLS);
    Multigrid self{};
    self.hierarchy = &hierarchy;
    self.tables = tables.data();
    self.arena = tables.data();  // where nothing is read or written
    self.diagonal = finest.diagonal.data();
    self.inverse_diagonal = finest.inverse_diagonal.data();
    self.face_x = finest.face[0].data();
    self.face_y = finest.face[1].data();
    self.face_z = finest.face[2].data();
    self.matrix = matrix.data();
    const auto kept = std::make_unique<Kept>();
    self.kept = kept.get();
    const Team alone{0, 1};
    const uint32 coarsest = hierarchy.levels - 1;
    for (uint32 level = 0; level < coarsest && hierarchy.level[level + 1].grid.uniform != 0; ++level) {
        coarsen_step(&self, level, alone);
        diagonal_step(&self, level, alone);
    }
    if (hierarchy.transformed != 0) {
        return put_modes(hierarchy, along_axes(network_at(&self, coarsest)), tables);
    }
    if (hierarchy.level[coarsest].grid.uniform != 0) {
        invert_step(&self, coarsest);
    }
    return {};
}

}  // namespace

std::vector<wave_t> fill_tables(hierarchy_t &hierarchy, FinestTables<float> &finest,
                                std::vector<float> &tables) {
    return fill<float32::multigrid_t, float32::team_t, float32::kept_t>(hierarchy, finest, tables);
}
std::vector<wave_t> fill_tables(hierarchy_t &hierarchy, FinestTables<double> &finest,
                                std::vector<double> &tables) {
    return fill<float64::multigrid_t, float64::team_t, float64::kept_t>(hierarchy, finest, tables);
}

}  // namespace perdure
