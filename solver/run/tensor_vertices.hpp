// The multi-point fluxes of full conductivity tensors, vertex by vertex: kernels/cross_terms.h has the formula.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "solver/problem/problem.hpp"

namespace perdure {

/// What meets at a vertex. Bit k of a cell's number is 1 for those above the vertex along axis k.
struct TensorVertex {
    std::array<std::uint8_t, 8> material{};  // of each cell, + 1; 0: nothing conducts there
    std::uint8_t held = 0;  // the side that holds a value and that the vertex lies on, + 1; 0: none
    auto operator<=>(const TensorVertex &) const = default;
};

/// Values around a vertex: of each cell, and behind them that of the side.
using VertexValues = std::array<double, 9>;

/// The equations at a vertex. Faces across an axis are numbered as the cells below them are.
struct VertexEquations {
    /// S: what row i of A, and the energy, have of cell j or (8) the side; per volume.
    std::array<std::array<double, 9>, 8> matrix{};
    /// The flux along the axis through a face, as a sum over cells and the side; it vanishes where all have the same value.
    std::array<std::array<std::array<double, 9>, 8>, 3> flux{};
};

/// The vertices of an image.
class TensorVertices {
  public:
    TensorVertices(const Grid &grid, const Field &field);

    [[nodiscard]] int cells() const { return 1 << grid_.dimensions; }
    /// Vertices along an axis where each stands once: those of periodic sides are one.
    [[nodiscard]] std::int64_t extent(int axis) const;
    /// Whether vertices lie on a side of this axis that holds a value.
    [[nodiscard]] bool is_held(int axis) const;

    /// At the lower corner of cell (x, y, z); of the last cell's upper corner x = nx.
    [[nodiscard]] TensorVertex at(const std::array<std::int64_t, 3> &vertex) const;
    /// The index of a cell at a vertex, which must have a material there.
    [[nodiscard]] std::int64_t cell_at(const std::array<std::int64_t, 3> &vertex, int cell) const;
    /// By how much u of a cell, as the vertex sees it, is above what the field has there: beyond a periodic side along which u falls.
    [[nodiscard]] double jump_at(const std::array<std::int64_t, 3> &vertex, int cell) const;
    /// Whether an off-diagonal entry of a tensor takes part.
    [[nodiscard]] bool has_cross_terms(const TensorVertex &vertex) const;

    /// Of the tensors, or of their diagonals.
    [[nodiscard]] VertexEquations equations(const TensorVertex &vertex, bool with_cross_terms = true) const;
    /// C of kernels/cross_terms.h, its diagonal as stored there.
    [[nodiscard]] std::array<std::array<double, 8>, 8> cross_terms(const TensorVertex &vertex) const;

  private:
    struct Place {
        std::int64_t index;  // along an axis; -1: there is no cell
        bool wrapped;
    };
    [[nodiscard]] Place place(std::int64_t vertex, int axis, int upper) const;

    const Grid &grid_;
    const Field &field_;
    std::array<bool, 3> periodic_{};
    std::array<bool, 3> held_{};
    std::vector<bool> crossed_;  // by material
};

/// Fluxes of u at vertices, for one thread.
template <typename Real>
class VertexFluxes {
  public:
    VertexFluxes(const TensorVertices &vertices, const Grid &grid, const Field &field,
                 const LargeVector<Real> &u);

    /// Moves to a vertex.
    void go_to(const std::array<std::int64_t, 3> &vertex);
    /// Flux along the axis through the face above cell `below`, whose bit of the axis is 0.
    [[nodiscard]] double flux(int axis, int below) const;
    /// By how much u falls along the axis from one side of the face to the other; from or to the side's own value at a side that holds one.
    [[nodiscard]] double fall(int axis, int below) const;

  private:
    const TensorVertices &vertices_;
    const Grid &grid_;
    const LargeVector<Real> &u_;
    std::array<double, 6> side_value_{};
    std::map<TensorVertex, VertexEquations> known_;
    TensorVertex vertex_;
    const VertexEquations *equations_ = nullptr;
    VertexValues values_{};
};

extern template class VertexFluxes<float>;
extern template class VertexFluxes<double>;

/// What cross terms add to the operator.
template <typename Real>
struct CrossTerms {
    LargeVector<std::uint32_t> of_vertex;  // number of its matrix, x fastest; 0: none
    LargeVector<Real> matrices;            // [count][cells at a vertex][cells at a vertex]
    bool there = false;                    // also when both have been released
    [[nodiscard]] bool present() const { return there; }
};

template <typename Real>
CrossTerms<Real> cross_terms_of(const Grid &grid, const Field &field);

extern template CrossTerms<float> cross_terms_of(const Grid &, const Field &);
extern template CrossTerms<double> cross_terms_of(const Grid &, const Field &);

/// Adds to b what cross terms make of the values of sides, and of the fall of u from one period to the next.
void add_cross_terms_to_b(const Grid &grid, const Field &field, LargeVector<double> &b);

/// Sums of kernels/plane_flow.h with the flows, energies and flows along planes of the tensors in place of those of their diagonals; sums
/// of noise stay. Adds in a fixed order.
template <typename Real>
void set_tensor_sums(const Grid &grid, const Field &field, int axis, const LargeVector<Real> &u,
                     std::vector<double> &sums);

extern template void set_tensor_sums(const Grid &, const Field &, int, const LargeVector<float> &,
                                     std::vector<double> &);
extern template void set_tensor_sums(const Grid &, const Field &, int, const LargeVector<double> &,
                                     std::vector<double> &);

}  // namespace perdure
