#include "solver/output/error_norms.hpp"

#include <algorithm>
#include <cmath>

#include "solver/problem/expression.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

/// Sums over the cells of a chunk.
struct ErrorSums {
    double magnitudes = 0.0, squares = 0.0, largest = 0.0;

    void add(double magnitude, double square, double large) {
        magnitudes += magnitude;
        squares += square;
        largest = std::isnan(large) ? large : std::max(largest, large);  // which keeps a NaN
    }
};

}  // namespace

ErrorNorms error_norms(const FormulaText &exact, const Grid &grid, const ActiveCells &cells,
                       const FieldResult &u, std::optional<double> time) {
    const SamplePoints points = cell_points(grid);
    std::vector<ErrorSums> of_chunks(static_cast<std::size_t>(chunks_of(points)));
    for_chunks_of_exact(exact, points, time,
                        [&](std::int64_t chunk, std::int64_t first, std::span<const double> values) {
                            ErrorSums sums;
                            for (std::size_t i = 0; i < values.size(); ++i) {
                                const std::int64_t cell = first + static_cast<std::int64_t>(i);
                                if (cells.is_active(cell)) {
                                    const double error = value_at(u.values, cell) - values[i];
                                    sums.add(std::abs(error), error * error, std::abs(error));
                                }
                            }
                            of_chunks[static_cast<std::size_t>(chunk)] = sums;
                        });
    ErrorSums all;
    for (const ErrorSums &sums : of_chunks) {
        all.add(sums.magnitudes, sums.squares, sums.largest);
    }
    double volume = 1.0;
    for (int axis = 0; axis < grid.axes(); ++axis) {
        volume *= grid.spacing[axis];
    }
    return {u.name, all.magnitudes * volume, std::sqrt(all.squares * volume), all.largest,
            time.value_or(0.0)};
}

}  // namespace perdure
