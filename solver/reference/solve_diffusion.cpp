#include <fmt/format.h>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <limits>

#include "solver/reference/assemble.hpp"
#include "solver/reference/excluded_cells.hpp"
#include "solver/reference/reference.hpp"

namespace perdure::reference {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;
using Parts = std::vector<std::vector<std::int64_t>>;

// The parts in numbers of unknowns instead of cells.
Parts in_unknowns(const Parts &parts, const std::vector<std::int64_t> &cells) {
    Parts result = parts;
    for (auto &part : result) {
        for (auto &member : part) {
            member = std::lower_bound(cells.begin(), cells.end(), member) - cells.begin();
        }
    }
    return result;
}

// Shifts `values` on each part so that its mean there is that of `target`.
void set_means(const Parts &parts, const Vector &target, Vector &values) {
    for (const auto &part : parts) {
        double difference = 0.0;
        for (const std::int64_t i : part) {
            difference += target[i] - values[i];
        }
        difference /= static_cast<double>(part.size());
        for (const std::int64_t i : part) {
            values[i] += difference;
        }
    }
}

// Small enough for the fill-in of a factorisation to fit and finish in seconds.
bool small_enough(const Grid &grid, Eigen::Index unknowns) {
    const auto extended =
        std::count_if(grid.cells.begin(), grid.cells.end(), [](std::int64_t n) { return n > 1; });
    return unknowns <= (extended <= 2 ? 300000 : 60000);
}

double relative_residual(const Matrix &matrix, const Vector &b, const Vector &u) {
    const double scale = b.norm();
    return (b - matrix * u).norm() / (scale > 0.0 ? scale : 1.0);
}

// Each floating part is held by one cell: with sources that balance, its value there is 0.
Vector solve_directly(const Matrix &matrix, const Vector &b, const Parts &floating) {
    Matrix held = matrix;
    for (const auto &part : floating) {
        double &diagonal =
            held.coeffRef(static_cast<Eigen::Index>(part[0]), static_cast<Eigen::Index>(part[0]));
        diagonal = diagonal > 0.0 ? 2.0 * diagonal : 1.0;
    }
    const Eigen::SimplicialLDLT<Matrix> factors(held);
    if (factors.info() != Eigen::Success) {
        throw Failure(ExitCode::differs_or_internal, "reference: the sparse Cholesky factorisation failed");
    }
    Vector u = factors.solve(b);
    u += factors.solve(b - held * u);
    return u;
}

// Restarted from the true residual until that no longer falls.
template <typename Solver>
Vector iterate(Solver &solver, const Matrix &matrix, const Vector &b) {
    solver.setTolerance(1.0e-13);
    solver.setMaxIterations(20000);
    Vector u = Vector::Zero(b.size());
    for (double residual = std::numeric_limits<double>::infinity();;) {
        const Vector better = solver.solveWithGuess(b, u);
        const double next = relative_residual(matrix, b, better);
        if (!(next < residual)) {
            return u;
        }
        u = better;
        if (next <= 1.0e-13 || next > 0.5 * residual) {
            return u;
        }
        residual = next;
    }
}

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Diagonal = Eigen::DiagonalPreconditioner<double>;

Vector solve_iteratively(const Matrix &matrix, const Vector &b) {
    const Rows rows = matrix;
    Eigen::ConjugateGradient<Rows, Eigen::Lower | Eigen::Upper, Diagonal> solver(rows);
    return iterate(solver, matrix, b);
}

Vector solve_convective_directly(const Matrix &matrix, const Vector &b) {
    if (b.size() == 0) {
        return b;  // which SparseLU divides by
    }
    const Eigen::SparseLU<Matrix> factors(matrix);
    if (factors.info() != Eigen::Success) {
        throw Failure(ExitCode::differs_or_internal,
                      "reference: the sparse LU factorisation failed: the matrix is singular");
    }
    Vector u = factors.solve(b);
    u += factors.solve(b - matrix * u);
    return u;
}

Vector solve_convective_iteratively(const Matrix &matrix, const Vector &b) {
    const Rows rows = matrix;
    Eigen::BiCGSTAB<Rows, Diagonal> solver(rows);
    return iterate(solver, matrix, b);
}

// A residual well above 1e-9 and above what rounding explains means that there is no answer to compare with.
void check_residual(const Matrix &matrix, const Vector &b, const Vector &u, double residual) {
    const double rounding = 1.0e3 * std::numeric_limits<double>::epsilon() * 2.0 *
                            matrix.diagonal().cwiseAbs().maxCoeff() * u.norm() /
                            (b.norm() > 0.0 ? b.norm() : 1.0);
    if (!(residual <= std::max(1.0e-9, rounding))) {
        throw Failure(
            ExitCode::differs_or_internal,
            fmt::format("reference: the relative residual {:.3g} is too large for a comparison", residual));
    }
}

}  // namespace

Answer solve_diffusion(const Grid &grid, const Field &field) {
    const Equations all = assemble(grid, field);
    const Unknowns unknowns = find_unknowns(grid, field, all);
    const Equations equations = restrict_to(all, unknowns.keep);
    const Parts floating = in_unknowns(unknowns.floating, equations.cells);
    const auto n = static_cast<Eigen::Index>(equations.cells.size());

    Vector b = equations.sources.at("");
    set_means(floating, Vector::Zero(n), b);
    Answer answer;
    answer.unknowns = n;
    Vector u = Vector::Zero(n);
    const bool direct = small_enough(grid, field.convective ? 4 * n : n);  // LU fills in more
    if (field.convective) {
        answer.solver = direct ? "sparse LU" : "BiCGSTAB, diagonal preconditioner";
        u = direct ? solve_convective_directly(equations.matrix, b)
                   : solve_convective_iteratively(equations.matrix, b);
    } else {
        answer.solver = direct ? "sparse Cholesky (LDLT)" : "conjugate gradients, diagonal preconditioner";
        u = direct ? solve_directly(equations.matrix, b, floating) : solve_iteratively(equations.matrix, b);
    }
    answer.relative_residual = relative_residual(equations.matrix, b, u);
    check_residual(equations.matrix, b, u, answer.relative_residual);

    set_means(floating, gather(field.initial, equations.cells), u);
    answer.values = scatter(u, equations.cells, grid.count());
    return answer;
}

}  // namespace perdure::reference
