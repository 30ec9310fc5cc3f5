#include "solver/systems/dependences.hpp"

#include <algorithm>
#include <cmath>

#include "solver/systems/arrange.hpp"
#include "solver/systems/derivatives.hpp"

namespace perdure::systems {
namespace {

constexpr std::int64_t most_cells_of_a_side = 16;

std::vector<Dependence> dependences_on(const Graph &graph, int root, int rate,
                                       const std::vector<double> &values) {
    std::vector<Dependence> found;
    const std::vector<double> slopes = derivatives(graph, root, values);
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        const Term &term = graph.terms()[i];
        if (term.operation == Operation::FIELD && slopes[i] != 0.0 && std::isfinite(slopes[i])) {
            found.push_back({rate, term.index, term.offset, slopes[i]});
        }
    }
    return found;
}

/// u_beyond = of_inside u_inside + of_values values: kernels/system_sides.h.
struct Continuation {
    double of_inside = 1.0, of_values = 0.0;
};

Continuation continuation(const SystemSideTerms &side, const std::vector<double> &values, double distance) {
    if (side.kind == SideKind::value) {
        return {-1.0, 2.0};
    }
    if (side.kind == SideKind::flux) {
        return {1.0, distance};
    }
    const double half = 0.5 * distance * values[side.coefficient];
    return {(1.0 - half) / (1.0 + half), 2.0 * half / (1.0 + half)};
}

class Continuing {
  public:
    Continuing(const System &system, const CellContext &cell)
        : system_(system), cell_(cell), side_values_(values_of_terms(system.sides, cell)) {}

    /// With what lies beyond sides across the axis led back to cells inside.
    [[nodiscard]] std::vector<Dependence> along(std::size_t axis, const std::vector<Dependence> &all) const {
        std::vector<Dependence> inside;
        for (const Dependence &one : all) {
            const std::int64_t cells = cell_.grid->cells[axis], here = cell_.cell[axis];
            const std::int64_t at = here + one.offset[axis];
            const std::size_t number = 2 * axis + (at < 0 ? 0 : 1);
            const SystemSideTerms &side = system_.sides_of[one.field][number];
            if ((at >= 0 && at < cells) || side.kind == SideKind::periodic) {
                inside.push_back(one);
                continue;
            }
            const std::int64_t beyond = at < 0 ? -at : at - cells + 1;
            const auto distance = static_cast<double>(2 * beyond - 1) * cell_.grid->spacing[axis];
            const Continuation by = continuation(side, side_values_, distance);
            Dependence mirrored = one;
            mirrored.offset[axis] = static_cast<int>((at < 0 ? beyond - 1 : cells - beyond) - here);
            mirrored.slope *= by.of_inside;
            inside.push_back(mirrored);
            for (Dependence of_formula : dependences_on(system_.sides, side.values, one.rate, side_values_)) {
                of_formula.offset = one.offset;
                of_formula.offset[axis] = static_cast<int>((at < 0 ? 0 : cells - 1) - here);
                of_formula.slope *= by.of_values * one.slope;
                inside.push_back(of_formula);
            }
        }
        return inside;
    }

  private:
    const System &system_;
    const CellContext &cell_;
    std::vector<double> side_values_;
};

bool reads_fields(const Graph &graph, int term) {
    const std::vector<char> needed = needed_terms(graph, {term});
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (needed[i] != 0 && graph.terms()[i].operation == Operation::FIELD) {
            return true;
        }
    }
    return false;
}

std::vector<Dependence> dependences_of_rates(const System &system, const CellContext &cell) {
    std::vector<Dependence> found;
    const std::vector<double> values = values_of_terms(system.rates, cell);
    for (std::size_t rate = 0; rate < system.rate_of.size(); ++rate) {
        const std::vector<Dependence> of_rate =
            dependences_on(system.rates, system.rate_of[rate], static_cast<int>(rate), values);
        found.insert(found.end(), of_rate.begin(), of_rate.end());
    }
    return found;
}

}  // namespace

std::vector<double> rates_in_cell(const System &system, const CellContext &cell) {
    const std::vector<double> values = values_of_terms(system.rates, cell),
                              side_values = values_of_terms(system.sides, cell);
    const Grid &grid = *cell.grid;
    std::vector<double> rates;
    for (const int rate : system.rate_of) {
        rates.push_back(values[rate]);
    }
    for (const Dependence &of : dependences_of_rates(system, cell)) {
        std::array<std::int64_t, 3> wrapped{}, inside{};
        double of_inside = 1.0, of_values = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::int64_t cells = grid.cells[axis], at = cell.cell[axis] + of.offset[axis];
            wrapped[axis] = inside[axis] = (at % cells + cells) % cells;
            const SystemSideTerms &side = system.sides_of[of.field][2 * axis + (at < 0 ? 0 : 1)];
            if ((at >= 0 && at < cells) || side.kind == SideKind::periodic) {
                continue;
            }
            const std::int64_t beyond = at < 0 ? -at : at - cells + 1;
            const Continuation by =
                continuation(side, side_values, static_cast<double>(2 * beyond - 1) * grid.spacing[axis]);
            inside[axis] = at < 0 ? beyond - 1 : cells - beyond;
            of_inside *= by.of_inside;
            of_values = by.of_inside * of_values + by.of_values * side_values[side.values];
        }
        const double *const u = cell.fields[of.field];
        const double beyond_side = of_inside * u[grid.index(inside[0], inside[1], inside[2])] + of_values;
        rates[of.rate] += of.slope * (beyond_side - u[grid.index(wrapped[0], wrapped[1], wrapped[2])]);
    }
    return rates;
}

std::vector<Dependence> dependences_where_uniform(const System &system, CellContext cell) {
    cell.is_uniform = true;
    return dependences_of_rates(system, cell);
}

std::vector<Dependence> dependences(const System &system, const CellContext &cell) {
    std::vector<Dependence> found = dependences_of_rates(system, cell);
    const Continuing continuing(system, cell);
    for (std::size_t axis = 3;
         axis-- > 0;) {  // cells are continued along x first, so that z is led back first
        if (axis < static_cast<std::size_t>(cell.grid->dimensions)) {
            found = continuing.along(axis, found);
        }
    }
    return found;
}

std::vector<std::int64_t> cells_beside_sides(const System &system, const Grid &grid) {
    std::vector<std::int64_t> cells;
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        const bool looked_at =
            std::any_of(system.sides_of.begin(), system.sides_of.end(), [&](const auto &sides) {
                return sides[side].kind != SideKind::periodic &&
                       reads_fields(system.sides, sides[side].values);
            });
        if (!looked_at) {
            continue;
        }
        const int axis = side / 2;
        const std::int64_t count = grid.count() / grid.cells[axis];
        const std::int64_t stride = std::max<std::int64_t>(1, count / most_cells_of_a_side);
        for (std::int64_t i = 0; i < count; i += stride) {
            std::array<std::int64_t, 3> cell{0, 0, 0};
            std::int64_t rest = i;
            for (int other = 0; other < 3; ++other) {
                if (other != axis) {
                    cell[other] = rest % grid.cells[other];
                    rest /= grid.cells[other];
                }
            }
            cell[axis] = side % 2 == 0 ? 0 : grid.cells[axis] - 1;
            cells.push_back(grid.index(cell[0], cell[1], cell[2]));
        }
    }
    return cells;
}

}  // namespace perdure::systems
