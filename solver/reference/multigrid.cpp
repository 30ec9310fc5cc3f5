#include "solver/reference/multigrid.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>

#include "solver/reference/excluded_cells.hpp"
#include "solver/reference/multigrid_levels.hpp"

namespace perdure::reference {

namespace {

using Vector = Eigen::VectorXd;

// Mask of cells that conduct: of the correction, which interpolation also gives to others.
Vector conducting(const Level &level) {
    return level.inverse_diagonal.unaryExpr([](double d) { return d > 0.0 ? 1.0 : 0.0; });
}

// V-, W- and F-cycles and the full start, with the smoothers of MultigridConfig: polynomials in D^-1 A that are small on
// [1/3, 2] (chebyshev), or the same weight for every sweep (jacobi), or red and black cells in turn, in the reverse order
// behind the correction.
class MultigridCycle {
  public:
    MultigridCycle(std::vector<Level> levels, const MultigridConfig &options)
        : levels_(std::move(levels)), options_(options), coarsest_(Eigen::MatrixXd(levels_.back().matrix)) {}

    [[nodiscard]] Vector operator()(const Vector &b) const {
        return cycle(0, options_.cycle, b, Vector::Zero(b.size()));
    }
    // On each level from what the next one found, and once more with a correction.
    [[nodiscard]] Vector full_start(const Vector &b) const {
        std::vector<Vector> right_hand_sides{b};
        for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
            right_hand_sides.emplace_back(levels_[i].interpolation.transpose() * right_hand_sides.back());
        }
        Vector u = coarsest_.solve(right_hand_sides.back());
        for (std::size_t i = levels_.size() - 1; i-- > 0;) {
            const Level &level = levels_[i];
            u = (level.interpolation * u).cwiseProduct(conducting(level)).eval();
            smooth(level, right_hand_sides[i], Order::after, u);
            correct(i, options_.cycle, right_hand_sides[i], u);
            smooth(level, right_hand_sides[i], Order::after, u);
        }
        return u;
    }
    [[nodiscard]] std::size_t levels() const { return levels_.size(); }

  private:
    enum class Order { before, after };

    [[nodiscard]] Vector cycle(std::size_t number, Cycle shape, const Vector &b, Vector u) const {
        if (number + 1 == levels_.size()) {
            return coarsest_.solve(b);
        }
        smooth(levels_[number], b, Order::before, u);
        correct(number, shape, b, u);
        smooth(levels_[number], b, Order::after, u);
        return u;
    }

    // One cycle on the next level, or two: w again of its own shape, f once more as v.
    void correct(std::size_t number, Cycle shape, const Vector &b, Vector &u) const {
        const Level &level = levels_[number];
        const Vector below = level.interpolation.transpose() * (b - level.matrix * u);
        Vector correction = cycle(number + 1, shape, below, Vector::Zero(below.size()));
        if (shape != Cycle::v) {
            correction = cycle(number + 1, shape == Cycle::f ? Cycle::v : shape, below, correction);
        }
        u += (level.interpolation * correction).cwiseProduct(conducting(level));
    }

    void smooth(const Level &level, const Vector &b, Order order, Vector &u) const {
        for (int sweep = 0; sweep < options_.sweeps; ++sweep) {
            if (options_.smoother == Smoother::red_black) {
                relax_colour(level, b, order == Order::before ? 0 : 1, u);
                relax_colour(level, b, order == Order::before ? 1 : 0, u);
                continue;
            }
            const double root = std::cos(std::numbers::pi * (sweep + 0.5) / options_.sweeps);
            const double eigenvalue =
                options_.smoother == Smoother::jacobi ? 7.0 / 6.0 : 7.0 / 6.0 - 5.0 / 6.0 * root;
            u += level.inverse_diagonal.cwiseProduct(b - level.matrix * u) / eigenvalue;
        }
    }

    // Each cell of the colour solves its own equation.
    static void relax_colour(const Level &level, const Vector &b, std::int64_t colour, Vector &u) {
        const Vector change = level.inverse_diagonal.cwiseProduct(b - level.matrix * u);
        const auto [nx, ny, nz] = level.grid.cells;
        for (std::int64_t i = 0; i < level.grid.count(); ++i) {
            if ((i % nx + i / nx % ny + i / nx / ny) % 2 == colour) {
                u[i] += change[i];
            }
        }
    }

    std::vector<Level> levels_;
    MultigridConfig options_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> coarsest_;
};

// x and r = b - A x, and what a cycle and the reporting need.
class Iteration {
  public:
    Iteration(const Grid &grid, const Field &field, const MultigridConfig &options)
        : grid_(grid),
          field_(field),
          all_(assemble(grid, field)),
          unknowns_(find_unknowns(grid, field, all_)),
          precondition_(make_levels(network_of(grid, field, unknowns_.keep)), options),
          x_(Vector::Zero(static_cast<Eigen::Index>(grid.count()))) {
        Vector b = x_;
        for (Eigen::Index i = 0; i < b.size(); ++i) {
            if (unknowns_.keep[i]) {
                b[i] = all_.sources.at("")[i];
                x_[i] = field.initial[i];
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

    void stationary(int iterations, bool full_start) {
        for (int iteration = 1; iteration <= iterations; ++iteration) {
            advance(full_start && iteration == 1 ? precondition_.full_start(r_) : precondition_(r_));
        }
    }

    [[nodiscard]] MultigridIterations result() {
        set_means([&](std::int64_t i) { return field_.initial[i]; }, x_);
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

    const Grid &grid_;
    const Field &field_;
    Equations all_;
    Unknowns unknowns_;
    MultigridCycle precondition_;
    Vector x_, r_;
    std::vector<double> residuals_;
};

}  // namespace

MultigridIterations iterate_cg_multigrid(const Grid &grid, const Field &field, int iterations,
                                         const MultigridConfig &options) {
    Iteration iteration(grid, field, options);
    iteration.conjugate_gradients(iterations);
    return iteration.result();
}

MultigridIterations iterate_multigrid(const Grid &grid, const Field &field, int iterations,
                                      const MultigridConfig &options) {
    Iteration iteration(grid, field, options);
    iteration.stationary(iterations, options.full_start);
    return iteration.result();
}

}  // namespace perdure::reference
