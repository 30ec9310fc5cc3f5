#include "solver/reference/compare_watched.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "solver/failure.hpp"
#include "solver/reference/watch_fields.hpp"

namespace perdure {
namespace {

double relative_difference(double value, double expected) {
    if (std::isnan(value) || std::isnan(expected)) {
        return std::isnan(value) == std::isnan(expected) ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return std::abs(value - expected) / std::max(1.0, std::abs(expected));
}

}  // namespace

WatchedDifference compare_watched(const Problem &problem, const Series &series,
                                  const reference::Answers &answers) {
    std::vector<std::vector<double>> fields;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        std::vector<double> &values = fields.emplace_back(answers[i].values);
        for (std::size_t cell = 0; cell < values.size() && !problem.system; ++cell) {
            if (std::isnan(values[cell])) {  // left out: it stays as it was
                values[cell] = problem.fields.at(i).initial[static_cast<std::int64_t>(cell)];
            }
        }
    }
    const std::vector<reference::WatchedValue> expected =
        reference::watch_fields(problem, fields, series.times.back());
    WatchedDifference difference;
    for (const SeriesVariable &variable : series.variables) {
        for (std::size_t i = 0; i < variable.width; ++i) {
            const std::size_t at = difference.values++;
            if (at >= expected.size() || expected[at].name != variable.name) {
                throw Failure(ExitCode::differs_or_internal,
                              fmt::format("internal error: the reference does not watch {}", variable.name));
            }
            const double here = relative_difference(
                variable.values[(series.times.size() - 1) * variable.width + i], expected[at].value);
            if (difference.name.empty() || here > difference.largest) {
                difference.largest = here;
                difference.name = variable.name;
            }
        }
    }
    return difference;
}

}  // namespace perdure
