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
                  const std::int64_t begin = task * points_per_task;
                  const std::int64_t end = std::min(count, begin + points_per_task);
                  of_threads[thread].evaluate(
                      static_cast<std::size_t>(end - begin),
                      [&](const systems::Term &leaf, std::size_t first, double *values, std::size_t row) {
                          fill(leaf, points, begin + static_cast<std::int64_t>(first), values, row);
                      },
                      samples.values.data() + begin);
              });
    return samples;
}

std::vector<double> values_of_factor(const FormulaText &factor, const std::vector<double> &times) {
    const auto [graph, value] = systems::make_expression(factor, 3, systems::ExpressionOf::time);
    RowEvaluator evaluator(graph, value);
    std::vector<double> values(times.size());
    evaluator.evaluate(
        times.size(),
        [&](const systems::Term &, std::size_t first, double *time, std::size_t count) {
            std::copy_n(times.data() + first, count, time);
        },
        values.data());
    return values;
}

}  // namespace perdure
