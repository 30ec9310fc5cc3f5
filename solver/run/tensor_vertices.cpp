#include "solver/run/tensor_vertices.hpp"

#include <cmath>

#include <Eigen/Dense>

#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure {
namespace {

using VertexPlace = std::array<std::int64_t, 3>;

constexpr std::size_t most_known = 4096;  // equations that a thread keeps: 10 MB

bool is_above(int cell, int axis) {
    return (cell >> axis & 1) != 0;
}
int below_face(int cell, int axis) {
    return cell & ~(1 << axis);
}

/// The equations at a vertex while they are made. Unknowns are the values on faces, numbered axis * cells + cell below; values those of cells,
/// and behind them that of the side.
class LocalEnergy {
  public:
    LocalEnergy(int dimensions, const std::array<double, 3> &spacing, const TensorVertex &vertex)
        : dimensions_(dimensions),
          cells_(1 << dimensions),
          faces_(dimensions * cells_),
          spacing_(spacing),
          vertex_(vertex),
          energy_(Eigen::MatrixXd::Zero(faces_ + cells_ + 1, faces_ + cells_ + 1)) {}

    /// Adds that of one cell's part of the vertex.
    void add(int cell, const Eigen::Matrix3d &tensor) {
        for (int i = 0; i < dimensions_; ++i) {
            for (int k = 0; k < dimensions_; ++k) {
                if (tensor(i, k) == 0.0) {
                    continue;
                }
                const double weight = tensor(i, k) * slope(cell, i) * slope(cell, k) / cells_;
                energy_(far(cell, i), far(cell, k)) += weight;
                energy_(far(cell, i), near(cell)) -= weight;
                energy_(near(cell), far(cell, k)) -= weight;
                energy_(near(cell), near(cell)) += weight;
            }
        }
    }

    /// Values on faces as sums of values: where the energy is least.
    [[nodiscard]] Eigen::MatrixXd faces_of_values() const {
        Eigen::MatrixXd unknown = energy_.topLeftCorner(faces_, faces_);
        for (int f = 0; f < faces_; ++f) {
            if (unknown(f, f) == 0.0) {
                unknown(f, f) = 1.0;  // it bounds nothing that conducts
            }
        }
        return -unknown.ldlt().solve(energy_.topRightCorner(faces_, cells_ + 1));
    }

    [[nodiscard]] Eigen::MatrixXd matrix(const Eigen::MatrixXd &faces) const {
        return energy_.bottomRightCorner(cells_ + 1, cells_ + 1) +
               energy_.bottomLeftCorner(cells_ + 1, faces_) * faces;
    }

    /// -K g of a cell along an axis, as a sum of values.
    [[nodiscard]] Eigen::RowVectorXd flux(int cell, int axis, const Eigen::Matrix3d &tensor,
                                          const Eigen::MatrixXd &faces) const {
        Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(cells_ + 1);
        for (int k = 0; k < dimensions_; ++k) {
            const double weight = -tensor(axis, k) * slope(cell, k);
            const int there = far(cell, k);
            if (there < faces_) {
                sum += weight * faces.row(there);
            } else {
                sum[there - faces_] += weight;
            }
            sum[cell] -= weight;
        }
        return sum;
    }

  private:
    /// g of a cell along an axis is this times the difference of its face's value and its own.
    [[nodiscard]] double slope(int cell, int axis) const {
        return (is_above(cell, axis) ? -2.0 : 2.0) / spacing_[axis];
    }
    [[nodiscard]] int near(int cell) const { return faces_ + cell; }
    [[nodiscard]] int far(int cell, int axis) const {
        return vertex_.held != 0 && (vertex_.held - 1) / 2 == axis ? faces_ + cells_
                                                                   : axis * cells_ + below_face(cell, axis);
    }

    int dimensions_, cells_, faces_;
    const std::array<double, 3> &spacing_;
    const TensorVertex &vertex_;
    Eigen::MatrixXd energy_;
};

Eigen::Matrix3d tensor_of(const Material &material, int dimensions, bool with_cross_terms) {
    Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();
    for (int i = 0; i < dimensions; ++i) {
        for (int k = 0; k < dimensions; ++k) {
            tensor(i, k) = i == k || with_cross_terms ? material.entry(i, k) : 0.0;
        }
    }
    return tensor;
}

}  // namespace

TensorVertices::TensorVertices(const Grid &grid, const Field &field) : grid_(grid), field_(field) {
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        periodic_[axis] = is_periodic(field.sides, axis);
        held_[axis] = held_value(field.sides[2 * axis]) && held_value(field.sides[2 * axis + 1]);
    }
    for (const Material &material : field.image.materials) {
        crossed_.push_back(material.cross.has_value());
    }
}

std::int64_t TensorVertices::extent(int axis) const {
    return axis >= grid_.dimensions ? 1 : grid_.cells[axis] + (periodic_[axis] ? 0 : 1);
}

bool TensorVertices::is_held(int axis) const {
    return held_[axis];
}

TensorVertices::Place TensorVertices::place(std::int64_t vertex, int axis, int upper) const {
    const std::int64_t n = grid_.cells[axis], index = vertex - 1 + upper;
    if (axis >= grid_.dimensions) {
        return {0, false};
    }
    if (index >= 0 && index < n) {
        return {index, false};
    }
    return periodic_[axis] ? Place{index < 0 ? n - 1 : 0, true} : Place{-1, false};
}

TensorVertex TensorVertices::at(const VertexPlace &vertex) const {
    TensorVertex found;
    std::array<std::array<std::int64_t, 2>, 3> along{};
    for (int axis = 0; axis < 3; ++axis) {
        for (int upper = 0; upper < 2; ++upper) {
            along[axis][upper] = place(vertex[axis], axis, upper).index;
            if (along[axis][upper] < 0 && held_[axis]) {
                found.held = static_cast<std::uint8_t>(2 * axis + upper + 1);
            }
        }
    }
    for (int cell = 0; cell < cells(); ++cell) {
        const std::int64_t x = along[0][cell & 1], y = along[1][cell >> 1 & 1], z = along[2][cell >> 2];
        if (x >= 0 && y >= 0 && z >= 0) {
            const std::uint8_t material = field_.image.of_cell[grid_.index(x, y, z)];
            const bool conducts = field_.image.materials[material].conductivity > 0.0;
            found.material[cell] = static_cast<std::uint8_t>(conducts ? material + 1 : 0);
        }
    }
    return found;
}

std::int64_t TensorVertices::cell_at(const VertexPlace &vertex, int cell) const {
    return grid_.index(place(vertex[0], 0, cell & 1).index, place(vertex[1], 1, cell >> 1 & 1).index,
                       place(vertex[2], 2, cell >> 2).index);
}

double TensorVertices::jump_at(const VertexPlace &vertex, int cell) const {
    const int axis = field_.falls_along;
    if (axis < 0) {
        return 0.0;
    }
    const int upper = is_above(cell, axis) ? 1 : 0;
    return place(vertex[axis], axis, upper).wrapped ? field_.jump_beyond(2 * axis + upper) : 0.0;
}

bool TensorVertices::has_cross_terms(const TensorVertex &vertex) const {
    for (const std::uint8_t material : vertex.material) {
        if (material != 0 && crossed_[material - 1]) {
            return true;
        }
    }
    return false;
}

VertexEquations TensorVertices::equations(const TensorVertex &vertex, bool with_cross_terms) const {
    const int count = cells();
    LocalEnergy local(grid_.dimensions, grid_.spacing, vertex);
    std::array<Eigen::Matrix3d, 8> tensors;
    for (int cell = 0; cell < count; ++cell) {
        if (vertex.material[cell] != 0) {
            tensors[cell] = tensor_of(field_.image.materials[vertex.material[cell] - 1], grid_.dimensions,
                                      with_cross_terms);
            local.add(cell, tensors[cell]);
        }
    }
    const Eigen::MatrixXd faces = local.faces_of_values(), matrix = local.matrix(faces);
    VertexEquations found;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            found.matrix[i][j] = matrix(i, j);
        }
        found.matrix[i][8] = matrix(i, count);
    }
    for (int axis = 0; axis < grid_.dimensions; ++axis) {
        for (int below = 0; below < count; ++below) {
            const int above = below | 1 << axis;
            const bool lower = vertex.material[below] != 0, upper = vertex.material[above] != 0;
            const bool at_side = vertex.held != 0 && (vertex.held - 1) / 2 == axis;
            if (below == above || !(at_side ? lower || upper : lower && upper)) {
                continue;  // or nothing flows: a face between a cell that conducts and one that does not
            }
            const int cell = lower ? below : above;
            const Eigen::RowVectorXd flux = local.flux(cell, axis, tensors[cell], faces);
            for (int j = 0; j < count; ++j) {
                found.flux[axis][below][j] = flux[j];
            }
            found.flux[axis][below][8] = flux[count];
        }
    }
    return found;
}

std::array<std::array<double, 8>, 8> TensorVertices::cross_terms(const TensorVertex &vertex) const {
    const VertexEquations all = equations(vertex), diagonal = equations(vertex, false);
    std::array<std::array<double, 8>, 8> terms{};
    for (int i = 0; i < cells(); ++i) {
        for (int j = 0; j < cells(); ++j) {
            terms[i][j] = all.matrix[i][j] - diagonal.matrix[i][j];
        }
        terms[i][i] = diagonal.matrix[i][8] - all.matrix[i][8];
    }
    return terms;
}

template <typename Real>
VertexFluxes<Real>::VertexFluxes(const TensorVertices &vertices, const Grid &grid, const Field &field,
                                 const LargeVector<Real> &u)
    : vertices_(vertices), grid_(grid), u_(u) {
    for (std::size_t side = 0; side < side_value_.size(); ++side) {
        side_value_[side] = held_value(field.sides[side]).value_or(0.0);
    }
}

template <typename Real>
void VertexFluxes<Real>::go_to(const VertexPlace &vertex) {
    const TensorVertex found = vertices_.at(vertex);
    if (equations_ == nullptr || found != vertex_) {
        if (known_.size() == most_known) {
            known_.clear();
        }
        const auto [entry, is_new] = known_.try_emplace(found);
        if (is_new) {
            entry->second = vertices_.equations(found);
        }
        vertex_ = found;
        equations_ = &entry->second;
    }
    for (int cell = 0; cell < vertices_.cells(); ++cell) {
        double value = 0.0;
        if (vertex_.material[cell] != 0) {
            const double u = u_[vertices_.cell_at(vertex, cell)];
            value = std::isnan(u) ? 0.0 : u + vertices_.jump_at(vertex, cell);  // NaN: it is cut off
        }
        values_[cell] = value;
    }
    values_[8] = vertex_.held != 0 ? side_value_[vertex_.held - 1] : 0.0;
}

template <typename Real>
double VertexFluxes<Real>::flux(int axis, int below) const {
    const std::array<double, 9> &weights = equations_->flux[axis][below];
    const int own = vertex_.material[below] != 0 ? below : below | 1 << axis;
    double sum = weights[8] * (values_[8] - values_[own]);
    for (int cell = 0; cell < vertices_.cells(); ++cell) {
        sum += weights[cell] * (values_[cell] - values_[own]);
    }
    return sum;
}

template <typename Real>
double VertexFluxes<Real>::fall(int axis, int below) const {
    const int above = below | 1 << axis;
    if (vertex_.held != 0 && (vertex_.held - 1) / 2 == axis) {
        return vertex_.held % 2 == 1 ? values_[8] - values_[above] : values_[below] - values_[8];
    }
    return values_[below] - values_[above];
}

template class VertexFluxes<float>;
template class VertexFluxes<double>;

}  // namespace perdure
