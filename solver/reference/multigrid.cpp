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

// x and r = b - A x, and what a cycle and the reporting need.
class Iteration {
  public:
    explicit Iteration(const Problem &problem)
        : problem_(problem),
          all_(assemble(problem)),
          unknowns_(find_unknowns(problem, all_)),
          precondition_(make_levels(network_of(problem, unknowns_.keep))),
          x_(Vector::Zero(static_cast<Eigen::Index>(problem.grid.count()))) {
        Vector b = x_;
        for (Eigen::Index i = 0; i < b.size(); ++i) {
            if (unknowns_.keep[i]) {
                b[i] = all_.sources.at("")[i];
                x_[i] = problem.initial[i];
            }
        }
        set_means([](std::int64_t) { return 0.0; }, b);  // sources balance but for rounding
        r_ = b - all_.matrix * x_;
        for (Eigen::Index i = 0; i < b.size(); ++i) {
            r_[i] = unknowns_.keep[i] ? r_[i] : 0.0;
        }
        residuals_.push_back(r_.norm());
    }

    void conjugate_gradients(int iterations) {
        Vector p = precondition_(r_);
        double gamma = r_.dot(p);
        for (int iteration = 1; iteration <= iterations && gamma > 0.0; ++iteration) {
            const double alpha = gamma / p.dot(all_.matrix * p);
            advance(alpha * p);
            const Vector z = precondition_(r_);
            const double next = r_.dot(z);
            p = z + next / gamma * p;
            gamma = next;
        }
    }

    void stationary(int iterations) {
        for (int iteration = 1; iteration <= iterations; ++iteration) {
            advance(precondition_(r_));
        }
    }

    [[nodiscard]] MultigridIterations result() {
        set_means([&](std::int64_t i) { return problem_.initial[i]; }, x_);
        MultigridIterations result{std::vector<double>(unknowns_.keep.size()), residuals_,
                                   static_cast<int>(precondition_.levels())};
        for (Eigen::Index i = 0; i < x_.size(); ++i) {
            result.u[i] = unknowns_.keep[i] ? x_[i] : std::numeric_limits<double>::quiet_NaN();
        }
        return result;
    }

  private:
    void advance(const Vector &step) {
        x_ += step;
        r_ -= all_.matrix * step;
        residuals_.push_back(r_.norm());
    }

    // Over each part that nothing fixes.
    template <class Target>
    void set_means(Target target, Vector &values) const {
        for (const auto &part : unknowns_.floating) {
            double shift = 0.0;
            for (const std::int64_t i : part) {
                shift += (target(i) - values[i]) / static_cast<double>(part.size());
            }
            for (const std::int64_t i : part) {
                values[i] += shift;
            }
        }
    }

    const Problem &problem_;
    Equations all_;
    Unknowns unknowns_;
    VCycle precondition_;
    Vector x_, r_;
    std::vector<double> residuals_;
};

}  // namespace

MultigridIterations iterate_cg_multigrid(const Problem &problem, int iterations) {
    Iteration iteration(problem);
    iteration.conjugate_gradients(iterations);
    return iteration.result();
}

MultigridIterations iterate_multigrid(const Problem &problem, int iterations) {
    Iteration iteration(problem);
    iteration.stationary(iterations);
    return iteration.result();
}

}  // namespace perdure::reference
