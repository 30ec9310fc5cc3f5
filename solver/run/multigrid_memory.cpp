#include "solver/run/multigrid_memory.hpp"

#include <limits>

#include "solver/run/conductance.hpp"

namespace perdure {
namespace {

/// Conductances to one side from the cells beside it, in the order of Side; a table where all are alike.
template <typename Real>
void add_side(const Problem &problem, const ActiveCells &cells, int side, std::uint64_t count, bool uniform,
              std::vector<Real> &out) {
    const Grid &grid = problem.grid;
    const int axis = side / 2;
    const auto conductance = [&](double a, std::int64_t face) {
        return static_cast<Real>(side_conductance(problem.sides[side], a, grid.spacing[axis], face));
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

FinestLevel finest_level(const Problem &problem, bool uniform) {
    FinestLevel finest{problem.grid.dimensions, problem.grid.cells, problem.grid.spacing, {}, uniform};
    for (int axis = 0; axis < finest.dimensions; ++axis) {
        finest.periodic[axis] = problem.sides[2 * axis].kind == SideKind::periodic;
    }
    return finest;
}

}  // namespace

template <typename Real>
MultigridMemory<Real>::MultigridMemory(const SolverConfig &solver, const Problem &problem,
                                       const ActiveCells &cells, bool uniform)
    : levels_(make_levels(finest_level(problem, uniform))),
      list_(multigrid_phases(solver, levels_.hierarchy)) {
    levels_.hierarchy.epsilon = std::numeric_limits<Real>::epsilon();
    for (int side = 0; side < 2 * problem.grid.dimensions; ++side) {
        add_side(problem, cells, side, levels_.side_cells[side], uniform, sides_);
    }
}

template <typename Real>
std::vector<KernelBuffer> MultigridMemory<Real>::buffers() const {
    return {{"hierarchy", sizeof levels_.hierarchy, &levels_.hierarchy},
            buffer_of("phases", list_.phases),
            buffer_of("steps", list_.steps),
            buffer_of("sides", sides_),
            {"levels", levels_.arena * sizeof(Real), nullptr}};
}

template class MultigridMemory<float>;
template class MultigridMemory<double>;

std::int64_t multigrid_bytes(const FinestLevel &finest, std::int64_t entry_bytes) {
    return static_cast<std::int64_t>(make_levels(finest).arena) * entry_bytes;
}

}  // namespace perdure
