#include "solver/run/multigrid_tables.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "kernels/common.h"
#include "solver/run/fast_transform_tables.hpp"
#include "solver/run/modes.hpp"

namespace perdure {
namespace {

#define PERDURE_PROGRAM "kernels/multigrid/steps.h"
#include "solver/backends/both_precisions.inc"

/// The operator of a level along each axis, and what it has besides.
struct AlongAxes {
    std::array<AxisOperator, 3> axes{};
    double sigma = 0.0;
};

template <typename Network>
AlongAxes along_axes(const Network &net) {
    const auto place = [&](uint32 axis, uint32 i) {
        auto p = place_of_entry(&net, 0);
        for (uint32 other = 0; other < 3; ++other) {
            p.at[other] = other == axis ? i : net.n[other] / 2;
        }
        return p;
    };
    AlongAxes along;
    along.sigma = sigma_of(&net, place(0, net.n[0] / 2));
    for (uint32 axis = 0; axis < 3; ++axis) {
        const uint32 last = net.n[axis] - 1;
        along.axes[axis] = {net.n[axis], net.periodic[axis] != 0, face_of(&net, place(axis, last), axis, 0),
                            side_of(&net, place(axis, 0), axis, 0),
                            side_of(&net, place(axis, last), axis, 1)};
    }
    return along;
}

template <typename Cycle>
void put_eigenvalues(const std::vector<double> &values, double sigma, Cycle *out) {
    std::transform(values.begin(), values.end(), out,
                   [&](double value) { return static_cast<Cycle>(value + sigma); });
}

/// Axes with products that are alike have the modes of the first of them. sigma is in the eigenvalues along x.
template <typename Cycle>
std::vector<wave_t> put_modes(hierarchy_t &hierarchy, const AlongAxes &along, std::vector<Cycle> &tables,
                              std::vector<std::uint32_t> &places) {
    std::vector<wave_t> waves;
    for (std::size_t axis = 0; axis < hierarchy.level[0].grid.dimensions; ++axis) {
        const lines_t &lines = hierarchy.lines[axis];
        const double sigma = axis == 0 ? along.sigma : 0.0;
        Cycle *const values = tables.data() + hierarchy.eigenvalues[axis];
        if (lines.kind != LINES_OTHER) {
            fill_lines(lines, tables.data(), places.data());
            std::vector<double> of_modes = angles_of(lines);
            for (double &value : of_modes) {
                value = eigenvalue(along.axes[axis].face, value);
            }
            put_eigenvalues(of_modes, sigma, values);
            continue;
        }
        const Modes modes = modes_of(along.axes[axis]);
        put_eigenvalues(modes.values, sigma, values);
        waves.insert(waves.end(), modes.waves.begin(), modes.waves.end());
        if (axis > 0 && along.axes[axis] == along.axes[axis - 1]) {
            hierarchy.modes[axis] = hierarchy.modes[axis - 1];
        }
    }
    return waves;
}

/// One group of one item, which is what the text is here, goes through the steps of the setup.
template <typename Multigrid, typename Team, typename Kept, typename Cycle>
std::vector<wave_t> fill(hierarchy_t &hierarchy, FinestTables<Cycle> &finest, std::vector<Cycle> &tables,
                         std::vector<std::uint32_t> &places) {
    std::vector<sum_t> matrix(COARSEST_CELLS * COARSEST_CELLS);
    Multigrid self{};
    self.hierarchy = &hierarchy;
    self.tables = tables.data();
    self.arena = tables.data();  // where nothing is read or written
    std::fill_n(self.lenders, LENDERS, tables.data());
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
        for (uint32 axis = 3; axis-- > 0;) {
            if (hierarchy.level[level].halved[axis] != 0) {
                weigh_step(self, level, axis, alone);
                halve_step(self, level, axis, alone);
            }
        }
        diagonal_step(self, level, alone);
    }
    if (hierarchy.transformed != 0) {
        return put_modes(hierarchy, along_axes(network_at(&self, coarsest, 3, 0)), tables, places);
    }
    if (hierarchy.level[coarsest].grid.uniform != 0) {
        invert_step(&self, coarsest);
    }
    return {};
}

}  // namespace

std::vector<wave_t> fill_tables(hierarchy_t &hierarchy, FinestTables<float> &finest,
                                std::vector<float> &tables, std::vector<std::uint32_t> &places) {
    return fill<float32::multigrid_t, float32::team_t, float32::kept_t>(hierarchy, finest, tables, places);
}
std::vector<wave_t> fill_tables(hierarchy_t &hierarchy, FinestTables<double> &finest,
                                std::vector<double> &tables, std::vector<std::uint32_t> &places) {
    return fill<float64::multigrid_t, float64::team_t, float64::kept_t>(hierarchy, finest, tables, places);
}

}  // namespace perdure
