#include "solver/problem/check_exact.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solver/problem/expression.hpp"

namespace perdure {
namespace {

/// The first cell that takes part and in which the solution is not finite; -1: there is none.
std::int64_t find_not_finite(const FormulaText &exact, const SamplePoints &points, const ActiveCells &active,
                             std::optional<double> time) {
    std::vector<std::int64_t> of_chunks(static_cast<std::size_t>(chunks_of(points)), -1);
    for_chunks_of_exact(exact, points, time,
                        [&](std::int64_t chunk, std::int64_t first, std::span<const double> values) {
                            for (std::size_t i = 0; i < values.size(); ++i) {
                                const std::int64_t cell = first + static_cast<std::int64_t>(i);
                                if (active.is_active(cell) && !std::isfinite(values[i])) {
                                    of_chunks[static_cast<std::size_t>(chunk)] = cell;
                                    return;
                                }
                            }
                        });
    const auto found = std::ranges::find_if(of_chunks, [](std::int64_t cell) { return cell >= 0; });
    return found == of_chunks.end() ? -1 : *found;
}

}  // namespace

void check_exact(const Config &config, const Grid &grid, const ActiveCells &active,
                 ProblemFindings &findings) {
    const SamplePoints points = cell_points(grid);
    std::vector<std::optional<double>> times{std::nullopt};
    if (config.time) {
        times = {config.time->start, config.time->end};
    }
    try {
        for (const std::optional<double> time : times) {
            const std::int64_t cell = find_not_finite(*config.exact, points, active, time);
            if (cell >= 0) {
                findings.add(
                    ExitCode::bad_input, config.exact->position,
                    fmt::format("problem.exact must be finite in every cell that is not solid, but is not at "
                                "{}, {}{}",
                                points.describe(cell), points.describe_coordinates(cell),
                                time ? fmt::format(", t = {:g}", *time) : ""));
                return;
            }
        }
    } catch (const Failure &failure) {
        for (const Diagnostic &finding : failure.diagnostics()) {
            findings.add(
                failure.code(), finding.position,
                fmt::format(
                    "problem.exact: {}{}", finding.message,
                    finding.message.starts_with("the time t ") ? ", and this problem is steady" : ""));
        }
    }
}

}  // namespace perdure
