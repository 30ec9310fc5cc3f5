#include "solver/systems/divided_stability.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <complex>

#include "solver/systems/dependences.hpp"
#include "solver/systems/initial_values.hpp"
#include "solver/systems/stability.hpp"
#include "solver/systems/stability_samples.hpp"

namespace perdure::systems {
namespace {

using Matrix = Eigen::MatrixXcd;

constexpr double rounding = 1.0e-12;
constexpr double least_growth = 1.0e-4, most_growth = 1.0e-2;  // of an oscillation, by phase
constexpr double growth_in_run = 2.3;                          // the logarithm of 10
constexpr int halvings = 80, bisections = 20;

/// What a wave does in a cell: the matrices of implicit and explicit terms.
struct Wave {
    Matrix implicit, others;
    double growth = 0.0;            // by itself, 1 / time
    double fastest_explicit = 0.0;  // 1 / time
};

Wave wave_of(Matrix implicit, Matrix others) {
    Wave wave{std::move(implicit), std::move(others)};
    wave.fastest_explicit = largest_size(eigenvalues_of(wave.others));
    for (const std::complex<double> value : eigenvalues_of(wave.implicit + wave.others)) {
        wave.growth = std::max(wave.growth, value.real());
    }
    return wave;
}

class DividedStability {
  public:
    DividedStability(const ImplicitRule &rule, double duration) : rule_(rule), duration_(duration) {}

    /// No longer than `longest`.
    [[nodiscard]] double longest_step(const Wave &wave, double longest) const {
        double stable = longest, unstable = 0.0;
        for (int i = 0; i < halvings && !is_stable(wave, stable); ++i) {
            unstable = stable;
            stable *= 0.5;
        }
        for (int i = 0; unstable > 0.0 && i < bisections; ++i) {
            const double middle = 0.5 * (stable + unstable);
            (is_stable(wave, middle) ? stable : unstable) = middle;
        }
        return stable;
    }

  private:
    /// (mass - R) u(n+1) = (now + (1 + 1) E) u(n) + (before - E) u(n-1), of equal steps.
    [[nodiscard]] bool is_stable(const Wave &wave, double step) const {
        const StepWeights weights = rule_.weights(step, 1.0);
        const Eigen::Index fields = wave.implicit.rows();
        const Matrix one = Matrix::Identity(fields, fields);
        const Eigen::PartialPivLU<Matrix> solver(weights.mass * one - wave.implicit);
        Matrix steps = Matrix::Zero(2 * fields, 2 * fields);
        steps.topLeftCorner(fields, fields) = solver.solve(weights.now * one + 2.0 * wave.others);
        steps.topRightCorner(fields, fields) = solver.solve(weights.before * one - wave.others);
        steps.bottomLeftCorner(fields, fields) = one;
        if (!steps.allFinite()) {
            return false;
        }
        const double phase = step * wave.fastest_explicit;
        const double negligible =
            std::clamp(growth_in_run * step / duration_, least_growth * phase, most_growth * phase);
        return std::log(largest_size(eigenvalues_of(steps))) <=
               2.0 * wave.growth * step + negligible + rounding;
    }

    const ImplicitRule &rule_;
    double duration_;
};

System with_rates(const System &system, const std::vector<int> &rates) {
    System part = system;
    part.rate_of = rates;
    return part;
}

}  // namespace

DividedSteps stable_divided_steps(const System &system, const Grid &grid, const std::vector<Field> &initial,
                                  const std::vector<Samples> &coefficients, double start_time,
                                  double duration, const ImplicitRule &rule, double longest, bool automatic) {
    const System implicit = with_rates(system, system.implicit_of),
                 others = with_rates(system, system.explicit_of);
    const InitialValues values(system, grid, initial, coefficients, start_time);
    CellContext cell = values.context();
    const std::vector<std::array<double, 3>> angles = sampled_waves(system, grid);
    std::vector<std::int64_t> cells = sampled_cells(grid, initial, coefficients, angles.size());
    const std::vector<std::int64_t> beside_sides = cells_beside_sides(system, grid);
    cells.insert(cells.end(), beside_sides.begin(), beside_sides.end());
    const DividedStability stability(rule, duration);
    const std::size_t fields = system.fields.size();
    DividedSteps result;
    std::vector<double> steps;
    for (const std::int64_t i : cells) {
        cell.cell = place_of_cell(grid, i);
        const std::vector<Dependence> of_implicit = dependences(implicit, cell),
                                      of_others = dependences(others, cell);
        double step = longest;
        for (const std::array<double, 3> &angle : angles) {
            const Wave wave =
                wave_of(matrix_of_wave(of_implicit, angle, fields), matrix_of_wave(of_others, angle, fields));
            if (wave.others.isZero(0.0)) {
                continue;
            }
            result.fastest_explicit = std::max(result.fastest_explicit, wave.fastest_explicit);
            step =
                automatic && wave.fastest_explicit > 0.0 ? std::min(step, 1.0 / wave.fastest_explicit) : step;
            step = stability.longest_step(wave, step);
        }
        steps.push_back(step);
    }
    const bool smallest = automatic || is_linear(system);
    const std::size_t place =
        smallest ? 0 : static_cast<std::size_t>(cells_at_jumps * static_cast<double>(steps.size()));
    std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(place), steps.end());
    result.step = steps[place];
    return result;
}

}  // namespace perdure::systems
