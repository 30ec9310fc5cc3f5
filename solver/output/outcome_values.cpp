#include "solver/output/outcome_values.hpp"

#include <algorithm>
#include <numeric>

#include "solver/problem/in_parallel.hpp"

namespace perdure {
namespace {

double mean_of(const FieldValues &values, const ActiveCells &cells) {
    constexpr std::int64_t cells_per_chunk = 1 << 16;
    const auto count =
        static_cast<std::int64_t>(std::visit([](const auto &numbers) { return numbers.size(); }, values));
    const std::int64_t chunks = (count + cells_per_chunk - 1) / cells_per_chunk;
    std::vector<double> sums(static_cast<std::size_t>(chunks));
    share_out(chunks, threads_for(count), [&](std::int64_t chunk, std::int64_t) {
        const std::int64_t end = std::min(count, (chunk + 1) * cells_per_chunk);
        double sum = 0.0;
        for (std::int64_t cell = chunk * cells_per_chunk; cell < end; ++cell) {
            sum += cells.is_active(cell) ? value_at(values, cell) : 0.0;
        }
        sums[static_cast<std::size_t>(chunk)] = sum;
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(count - cells.excluded);
}

/// Integrals, and not the norms of errors, which the report has besides, or values at probes.
bool is_integral(const SeriesVariable &variable) {
    return !variable.is_at_point && variable.line < 0 && !variable.name.starts_with("error_");
}

}  // namespace

OutcomeValues outcome_values(const Solution &solution, const std::vector<ActiveCells> &cells) {
    OutcomeValues values;
    if (solution.series) {
        for (const SeriesVariable &variable : solution.series->variables) {
            if (is_integral(variable) && !variable.values.empty()) {
                values.emplace_back(variable.name, variable.values.back());
            }
        }
    }
    const bool watched = !values.empty();
    for (std::size_t i = 0; !watched && i < cells.size() && i < solution.fields.size(); ++i) {
        values.emplace_back("mean_" + solution.fields[i].name, mean_of(solution.fields[i].values, cells[i]));
    }
    return values;
}

}  // namespace perdure
