#include "solver/reference/multigrid.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "solver/reference/excluded_cells.hpp"
#include "solver/reference/multigrid_levels.hpp"

namespace perdure::reference {

namespace {

using Vector = Eigen::VectorXd;

// Two sweeps of Jacobi's method before and after each coarser level, a polynomial small on [1/3, 2].
class VCycle {
  public:
    explicit VCycle(std::vector<Level> levels)
        : levels_(std::move(levels)), coarsest_(Eigen::MatrixXd(levels_.back().matrix)) {}

    [[nodiscard]] Vector operator()(const Vector &b) const { return solve(0, b); }
    [[nodiscard]] std::size_t levels() const { return levels_.size(); }

  private:
    [[nodiscard]] Vector solve(std::size_t number, const Vector &b) const {
        if (number + 1 == levels_.size()) {
            return coarsest_.solve(b);
        }
        const Level &level = levels_[number];
        Vector u = Vector::Zero(b.size());
        smooth(level, b, u);
        const Vector below = solve(number + 1, level.interpolation.transpose() * (b - level.matrix * u));
        u += (level.interpolation * below).cwiseProduct(level.inverse_diagonal.unaryExpr([](double d) {
            return d > 0.0 ? 1.0 : 0.0;
        }));
        smooth(level, b, u);
        return u;
    }

    static void smooth(const Level &level, const Vector &b, Vector &u) {
        for (const double root : {-std::sqrt(0.5), std::sqrt(0.5)}) {
            const double eigenvalue = 7.0 / 6.0 + 5.0 / 6.0 * root;
            u += level.inverse_diagonal.cwiseProduct(b - level.matrix * u) / eigenvalue;
        }
    }

    std::vector<Level> levels_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> coarsest_;
};

}  // namespace

MultigridIterations iterate_cg_multigrid(const Problem &problem, int iterations) {
    const Equations all = assemble(problem);
    const Unknowns unknowns = find_unknowns(problem, all);
    const auto n = static_cast<Eigen::Index>(problem.grid.count());
    const VCycle precondition(make_levels(network_of(problem, unknowns.keep)));
    Vector b = Vector::Zero(n);
    Vector x = Vector::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        if (unknowns.keep[i]) {
            b[i] = all.sources.at("")[i];
            x[i] = problem.initial[i];
        }
    }
    // Sources that balance but for rounding, and means: over each part that nothing fixes.
    const auto shift_means = [&](const auto &target, Vector &values) {
        for (const auto &part : unknowns.floating) {
            double shift = 0.0;
            for (const std::int64_t i : part) {
                shift += (target(i) - values[i]) / static_cast<double>(part.size());
            }
            for (const std::int64_t i : part) {
                values[i] += shift;
            }
        }
    };
    shift_means([](std::int64_t) { return 0.0; }, b);

    MultigridIterations result;
    result.levels = static_cast<int>(precondition.levels());
    Vector r = b - all.matrix * x;
    for (Eigen::Index i = 0; i < n; ++i) {
        r[i] = unknowns.keep[i] ? r[i] : 0.0;
    }
    result.residuals.push_back(r.norm());
    Vector p = precondition(r);
    double gamma = r.dot(p);
    for (int iteration = 1; iteration <= iterations && gamma > 0.0; ++iteration) {
        const Vector q = all.matrix * p;
        const double alpha = gamma / p.dot(q);
        x += alpha * p;
        r -= alpha * q;
        result.residuals.push_back(r.norm());
        const Vector z = precondition(r);
        const double next = r.dot(z);
        p = z + next / gamma * p;
        gamma = next;
    }
    shift_means([&](std::int64_t i) { return problem.initial[i]; }, x);
    result.u.resize(static_cast<std::size_t>(n));
    for (Eigen::Index i = 0; i < n; ++i) {
        result.u[i] = unknowns.keep[i] ? x[i] : std::numeric_limits<double>::quiet_NaN();
    }
    return result;
}

}  // namespace perdure::reference
