#include "solver/systems/stability_samples.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

namespace perdure::systems {
namespace {

constexpr std::int64_t most_cells = 256;

/// What a wave of 2, 8/3, 4 and 8 cells turns by from cell to cell, and one without end; fewer in 3D.
constexpr std::array<double, 5> quarter_turns{0.0, 0.5, 1.0, 1.5, 2.0};
constexpr std::array<double, 3> fewer_quarter_turns{0.0, 1.0, 2.0};
/// Of products of matrices' sizes, by which the number of cells is limited: about a second.
constexpr double most_work = 2.0e7;

}  // namespace

std::vector<std::array<double, 3>> sampled_waves(const System &system, const Grid &grid) {
    std::vector<std::array<double, 3>> angles{{0.0, 0.0, 0.0}};
    const std::span<const double> turns_of_a_wave =
        grid.dimensions == 3 ? std::span<const double>(fewer_quarter_turns) : quarter_turns;
    bool first = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (system.reach[axis] == 0 || grid.cells[axis] == 1) {
            continue;
        }
        std::vector<std::array<double, 3>> more;
        for (const std::array<double, 3> &angle : angles) {
            for (const double turns : turns_of_a_wave) {
                for (const double sign : {1.0, -1.0}) {
                    if (sign > 0.0 || (!first && turns > 0.0)) {
                        more.push_back(angle);
                        more.back()[axis] = sign * 0.5 * std::numbers::pi * turns;
                    }
                }
            }
        }
        angles = std::move(more);
        first = false;
    }
    return angles;
}

std::vector<std::int64_t> sampled_cells(const Grid &grid, const std::vector<Field> &initial,
                                        const std::vector<Samples> &coefficients, std::size_t angles) {
    const auto size = static_cast<double>(initial.size());
    const double work_of_a_cell = static_cast<double>(angles) * size * size * (size + 20.0);
    const auto spread = static_cast<std::int64_t>(
        std::clamp(most_work / work_of_a_cell, 2.0, static_cast<double>(most_cells)));
    std::vector<std::int64_t> cells;
    const std::int64_t stride = std::max<std::int64_t>(1, grid.count() / spread) | 1;  // odd: off the lines
    for (std::int64_t i = 0; i < grid.count(); i += stride) {
        cells.push_back(i);
    }
    const auto add_extremes = [&](const Samples &samples) {
        if (!samples.uniform() && size < 16.0) {
            const auto [least, largest] = std::minmax_element(samples.values.begin(), samples.values.end());
            cells.push_back(least - samples.values.begin());
            cells.push_back(largest - samples.values.begin());
        }
    };
    for (const Field &field : initial) {
        add_extremes(field.initial);
    }
    std::for_each(coefficients.begin(), coefficients.end(), add_extremes);
    return cells;
}

std::array<std::int64_t, 3> place_of_cell(const Grid &grid, std::int64_t index) {
    return {index % grid.cells[0], index / grid.cells[0] % grid.cells[1],
            index / grid.cells[0] / grid.cells[1]};
}

double phase_at(const std::array<double, 3> &angles, const std::array<int, 3> &offset) {
    return angles[0] * offset[0] + angles[1] * offset[1] + angles[2] * offset[2];
}

Eigen::MatrixXcd matrix_of_wave(const std::vector<Dependence> &found, const std::array<double, 3> &angles,
                                std::size_t fields) {
    const auto count = static_cast<Eigen::Index>(fields);
    Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Zero(count, count);
    for (const Dependence &of : found) {
        matrix(of.rate, of.field) += of.slope * std::polar(1.0, phase_at(angles, of.offset));
    }
    return matrix;
}

Eigen::VectorXcd eigenvalues_of(const Eigen::MatrixXcd &matrix) {
    return Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(matrix, false).eigenvalues();
}

double largest_size(const Eigen::VectorXcd &values) {
    double largest = 0.0;
    for (const std::complex<double> value : values) {
        const double size = std::abs(value);
        largest = std::isfinite(size) ? std::max(largest, size) : largest;
    }
    return largest;
}

}  // namespace perdure::systems
