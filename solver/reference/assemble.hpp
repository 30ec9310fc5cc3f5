// The finite-volume equations as a sparse matrix and right-hand sides.
#pragma once

#include <Eigen/Sparse>
#include <map>
#include <string>
#include <vector>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/problem.hpp"

namespace perdure::reference {

/// du/dt = b(t) - A u on a set of cells, with b(t) = sum over factors g of g(t) * sources[g].
struct Equations {
    Eigen::SparseMatrix<double> matrix;              // A: all entries stored; symmetric without a velocity
    Eigen::VectorXd anchor;                          // sigma and conductances to sides: > 0 fixes the level
    std::map<std::string, Eigen::VectorXd> sources;  // by time factor, "" = constant; "" is always there
    std::vector<std::int64_t> cells;                 // cell of each unknown
};

inline double harmonic(double a, double b) {
    return a > 0.0 && b > 0.0 ? 2.0 / (1.0 / a + 1.0 / b) : 0.0;
}

/// What a face of a side lets into its cell, per volume: rate (level - u) + share flux.
struct SideRate {
    double rate = 0.0;
    double level = 0.0;
    double share = 0.0;
    double flux = 0.0;
};

/// Of a cell of coefficient a. The value w at the face is that for which 2 a (w - u) / spacing, which flows from the face to the
/// centre of the cell, is the flux of the condition.
SideRate side_rate(const FaceCondition &condition, double a, double spacing);

/// All cells of the grid, solid ones included: their rows are zero.
Equations assemble(const Grid &grid, const Field &field);

/// The same of an image with full tensors, by the multi-point flux approximation O (I. Aavatsmark, Comput. Geosci. 6 (2002) 405-432): the
/// normal fluxes of both cells at each part of a face are equal, or 0 where one of them does not conduct.
Equations assemble_tensors(const Grid &grid, const Field &field);

/// The same equations for the cells with keep[cell] alone. Nothing may couple kept cells to others.
Equations restrict_to(const Equations &equations, const std::vector<bool> &keep);

/// Values of samples in those cells.
Eigen::VectorXd gather(const Samples &samples, const std::vector<std::int64_t> &cells);

/// What acts from outside at given times.
class SourcesInTime {
  public:
    SourcesInTime(const Equations &equations, const std::vector<double> &times);
    /// Adds the sources at time number `index`.
    void add_to(Eigen::VectorXd &rate, std::size_t index) const;

  private:
    const Equations &equations_;
    std::map<std::string, std::vector<double>> factors_;
};

/// A field over `count` cells: the unknowns in their cells, NaN elsewhere.
std::vector<double> scatter(const Eigen::VectorXd &unknowns, const std::vector<std::int64_t> &cells,
                            std::int64_t count);

}  // namespace perdure::reference
