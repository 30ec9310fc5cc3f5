#include "solver/run/multigrid_memory.hpp"

#include <limits>

#include "solver/run/conductance.hpp"

namespace perdure {
namespace {

/// Conductances to one side from the cells beside it, in the order of Side; a table where all are alike.
template <typename Cycle>
void add_side(const Problem &problem, const ActiveCells &cells, int side, std::uint64_t count, bool uniform,
              double scale, std::vector<Cycle> &out) {
    const Grid &grid = problem.grid;
    const int axis = side / 2;
    const auto conductance = [&](double a, std::int64_t face) {
        return static_cast<Cycle>(scale * side_conductance(problem.sides[side], a, grid.spacing[axis], face));
    };
    if (uniform) {
        out.insert(out.end(), count, conductance(problem.a[0], 0));
        return;
    }
    const std::int64_t along = side % 2 == 0 ? 0 : grid.cells[axis] - 1;
    for (std::int64_t face = 0; face < static_cast<std::int64_t>(count); ++face) {
        const std::int64_t fast = axis == 0 ? grid.cells[1] : grid.cells[0];
        std::array<std::int64_t, 3> cell{};
        cell[axis] = along;
        cell[axis == 0 ? 1 : 0] = face % fast;
        cell[axis == 2 ? 1 : 2] = face / fast;
        const std::int64_t index = grid.index(cell[0], cell[1], cell[2]);
        const bool active = cells.active.empty() || cells.active[index] != 0;
        out.push_back(conductance(active ? problem.a[index] : 0.0, face));
    }
}

FinestLevel finest_level(const Problem &problem, bool uniform, bool rounded) {
    FinestLevel finest{
        problem.grid.dimensions, problem.grid.cells, problem.grid.spacing, {}, uniform, rounded};
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        finest.periodic[axis] = problem.sides[2 * axis].kind == SideKind::periodic;
    }
    return finest;
}

template <typename Cycle>
std::vector<Cycle> all_sides(const Problem &problem, const ActiveCells &cells, const MultigridLevels &levels,
                             bool uniform) {
    std::vector<Cycle> sides;
    for (int side = 0; side < 2 * problem.grid.dimensions; ++side) {
        add_side(problem, cells, side, levels.side_cells[side], uniform, levels.hierarchy.scale, sides);
    }
    return sides;
}

}  // namespace

MultigridMemory::MultigridMemory(const Config &config, const Problem &problem, const ActiveCells &cells,
                                 bool uniform, double scale)
    : levels_(make_levels(finest_level(problem, uniform, config.execution.precision == Precision::mixed))),
      list_(multigrid_phases(config.solver, levels_.hierarchy)) {
    levels_.hierarchy.scale = scale;
    if (cycle_bytes(config.execution.precision) == sizeof(float)) {
        levels_.hierarchy.epsilon = std::numeric_limits<float>::epsilon();
        sides_ = all_sides<float>(problem, cells, levels_, uniform);
    } else {
        levels_.hierarchy.epsilon = std::numeric_limits<double>::epsilon();
        sides_ = all_sides<double>(problem, cells, levels_, uniform);
    }
}

std::vector<KernelBuffer> MultigridMemory::buffers() const {
    return std::visit(
        [this](const auto &sides) -> std::vector<KernelBuffer> {
            return {{"hierarchy", sizeof levels_.hierarchy, &levels_.hierarchy},
                    buffer_of("phases", list_.phases),
                    buffer_of("steps", list_.steps),
                    buffer_of("sides", sides),
                    {"levels", levels_.arena * sizeof sides[0], nullptr}};
        },
        sides_);
}

std::int64_t cycle_bytes(Precision precision) {
    return precision == Precision::float64 ? sizeof(double) : sizeof(float);
}

std::int64_t multigrid_bytes(const FinestLevel &finest, Precision precision) {
    return static_cast<std::int64_t>(make_levels(finest).arena) * cycle_bytes(precision);
}

}  // namespace perdure
