#include "solver/problem/expression.hpp"

#include <algorithm>

#include "kernels/cell_random.h"
#include "solver/problem/in_parallel.hpp"
#include "solver/systems/row_evaluator.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

using systems::Operation;
using systems::RowEvaluator;

/// Values that an expression reads, at points from `first` on.
void fill(const systems::Term &leaf, const SamplePoints &points, std::int64_t first, double *values,
          std::size_t count) {
    const auto index_of = [&](std::size_t i) { return first + static_cast<std::int64_t>(i); };
    if (leaf.operation == Operation::RANDOM) {
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = cell_random_double(static_cast<std::uint32_t>(leaf.index),
                                           static_cast<std::uint64_t>(index_of(i)));
        }
        return;
    }
    const std::vector<double> &along = points.coordinates[leaf.index];
    std::int64_t stride = 1;  // points behind which the coordinate changes
    for (int axis = 0; axis < leaf.index; ++axis) {
        stride *= static_cast<std::int64_t>(points.coordinates[axis].size());
    }
    auto place = static_cast<std::size_t>(first / stride) % along.size();
    std::int64_t left = stride - first % stride;
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = along[place];
        if (--left == 0) {
            left = stride;
            place = place + 1 == along.size() ? 0 : place + 1;
        }
    }
}

}  // namespace

Samples values_of_expression(const FormulaText &expression, const SamplePoints &points) {
    const auto [graph, value] =
        systems::make_expression(expression, points.dimensions, systems::ExpressionOf::places);
    if (graph.terms()[value].operation == Operation::NUMBER) {
        return Samples{{graph.terms()[value].number}};
    }
    constexpr std::int64_t points_per_task = 16 * std::int64_t{RowEvaluator::longest_row};
    const std::int64_t count = points.count(), threads = threads_for(count);
    std::vector<RowEvaluator> of_threads(static_cast<std::size_t>(threads), RowEvaluator(graph, value));
    Samples samples{LargeVector<double>(static_cast<std::size_t>(count))};
    share_out((count + points_per_task - 1) / points_per_task, threads,
              [&](std::int64_t task, std::int64_t thread) {
                  const std::int64_t end = std::min(count, (task + 1) * points_per_task);
                  for (std::int64_t first = task * points_per_task; first < end;) {
                      const auto row = std::min<std::int64_t>(end - first, RowEvaluator::longest_row);
                      const double *const values = of_threads[thread].row(
                          static_cast<std::size_t>(row),
                          [&](const systems::Term &leaf, double *of_leaf, std::size_t cells) {
                              fill(leaf, points, first, of_leaf, cells);
                          });
                      std::copy_n(values, row, samples.values.data() + first);
                      first += row;
                  }
              });
    return samples;
}

std::vector<double> values_of_factor(const FormulaText &factor, const std::vector<double> &times) {
    const auto [graph, value] = systems::make_expression(factor, 3, systems::ExpressionOf::time);
    RowEvaluator evaluator(graph, value);
    std::vector<double> values(times.size());
    for (std::size_t first = 0; first < times.size();) {
        const std::size_t count = std::min(times.size() - first, RowEvaluator::longest_row);
        const double *const row =
            evaluator.row(count, [&](const systems::Term &, double *time, std::size_t of_them) {
                std::copy_n(times.data() + first, of_them, time);
            });
        std::copy_n(row, count, values.data() + first);
        first += count;
    }
    return values;
}

}  // namespace perdure
