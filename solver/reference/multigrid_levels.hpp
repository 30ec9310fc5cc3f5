// A problem as a network of conductances, and its coarser versions.
#pragma once

#include <Eigen/Sparse>
#include <array>
#include <vector>

#include "solver/problem/problem.hpp"

namespace perdure::reference {

/// Cells on a box and what conducts between them, to sides and to nothing (sigma). One entry per cell each.
struct Network {
    Grid grid;
    std::array<bool, 3> periodic{};
    std::array<Eigen::VectorXd, 3> lower;                // to the neighbour below along each axis
    std::array<std::array<Eigen::VectorXd, 2>, 3> side;  // to the lower and the upper side
    Eigen::VectorXd sigma;

    [[nodiscard]] Eigen::SparseMatrix<double> matrix() const;
};

/// Cells not in `keep` conduct nothing.
Network network_of(const Grid &grid, const Field &field, const std::vector<bool> &keep);

/// Pairs of cells along an axis become one. `interpolation`: from the new cells to the old.
struct Halving {
    Network network;
    Eigen::SparseMatrix<double> interpolation;
};
Halving halve(const Network &network, int axis);

/// The matrix of a level, and how to come to it from the one before.
struct Level {
    Grid grid;
    Eigen::SparseMatrix<double> matrix;
    Eigen::VectorXd inverse_diagonal;           // 0 where nothing conducts
    Eigen::SparseMatrix<double> interpolation;  // to this level from the next; empty on the coarsest
};
std::vector<Level> make_levels(Network network);

}  // namespace perdure::reference
