#include "solver/output/cell_flux.hpp"

#include <cmath>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/run/conductance.hpp"
#include "solver/run/tensor_vertices.hpp"

namespace perdure {
namespace {

using Cell = std::array<std::int64_t, 3>;

template <typename Real>
class Flux {
  public:
    Flux(const Grid &grid, const Field &field, const LargeVector<Real> &u)
        : grid_(grid), field_(field), u_(u) {}

    /// Through the face of `cell` towards larger (upper = 1) or smaller coordinates, in the direction of the axis.
    [[nodiscard]] double through(const Cell &cell, int axis, int upper) const {
        const Grid &grid = grid_;
        const std::int64_t n = grid.cells[axis];
        const double h = grid.spacing[axis];
        const std::int64_t index = grid.index(cell[0], cell[1], cell[2]);
        const double direction = upper != 0 ? 1.0 : -1.0;
        const bool at_side = cell[axis] == (upper != 0 ? n - 1 : 0);
        if (at_side && !is_periodic(field_.sides, axis)) {
            const FaceCondition condition =
                face_condition(field_.sides[2 * axis + upper], side_face(grid, axis, cell));
            return -direction * inward_flux(condition, field_.a_along(axis, index), h, u_[index]);
        }
        Cell other = cell;
        other[axis] = (cell[axis] + (upper != 0 ? 1 : n - 1)) % n;
        const std::int64_t neighbour = grid.index(other[0], other[1], other[2]);
        if (std::isnan(u_[neighbour])) {
            return 0.0;
        }
        const double jump = at_side ? field_.jump_beyond(2 * axis + upper) : 0.0;
        return direction * harmonic(field_.a_along(axis, index), field_.a_along(axis, neighbour)) / h *
               (double{u_[index]} - double{u_[neighbour]} - jump);
    }

  private:
    const Grid &grid_;
    const Field &field_;
    const LargeVector<Real> &u_;
};

template <typename Real>
LargeVector<Real> flux_of(const Grid &grid, const Field &field, const LargeVector<Real> &u) {
    const Flux<Real> flux(grid, field, u);
    const auto [nx, ny, nz] = grid.cells;
    LargeVector<Real> result(3 * u.size());
    in_parallel(ny * nz, grid.count(), [&, nx = nx, ny = ny](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            for (std::int64_t x = 0; x < nx; ++x) {
                const Cell cell{x, row % ny, row / ny};
                const std::int64_t index = grid.index(x, cell[1], cell[2]);
                const bool excluded = std::isnan(u[index]);
                for (int axis = 0; axis < 3; ++axis) {
                    result[3 * index + axis] = excluded ? u[index]
                                               : axis < grid.dimensions
                                                   ? static_cast<Real>(0.5 * (flux.through(cell, axis, 0) +
                                                                              flux.through(cell, axis, 1)))
                                                   : Real(0);
                }
            }
        }
    });
    return result;
}

/// Mean over the vertices of a cell of the fluxes through its faces there.
template <typename Real>
LargeVector<Real> flux_of_tensors(const Grid &grid, const Field &field, const LargeVector<Real> &u) {
    const TensorVertices vertices(grid, field);
    const auto [nx, ny, nz] = grid.cells;
    LargeVector<Real> result(3 * u.size());
    in_parallel(ny * nz, grid.count(), [&, nx = nx, ny = ny](std::int64_t begin, std::int64_t end) {
        VertexFluxes<Real> fluxes(vertices, grid, field, u);
        for (std::int64_t row = begin; row < end; ++row) {
            for (std::int64_t x = 0; x < nx; ++x) {
                const Cell cell{x, row % ny, row / ny};
                const std::int64_t index = grid.index(x, cell[1], cell[2]);
                std::array<double, 3> sum{};
                for (int corner = 0; corner < vertices.cells(); ++corner) {
                    fluxes.go_to(
                        {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)});
                    const int own = vertices.cells() - 1 - corner;
                    for (int axis = 0; axis < grid.dimensions; ++axis) {
                        sum[axis] += fluxes.flux(axis, own & ~(1 << axis));
                    }
                }
                for (int axis = 0; axis < 3; ++axis) {
                    result[3 * index + axis] =
                        std::isnan(u[index]) ? u[index] : static_cast<Real>(sum[axis] / vertices.cells());
                }
            }
        }
    });
    return result;
}

}  // namespace

FieldValues cell_flux(const Grid &grid, const Field &field, const FieldValues &u) {
    return std::visit(
        [&](const auto &values) {
            return FieldValues(field.image.has_cross_terms() ? flux_of_tensors(grid, field, values)
                                                             : flux_of(grid, field, values));
        },
        u);
}

}  // namespace perdure
