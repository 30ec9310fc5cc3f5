#include "solver/problem/expression.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "kernels/cell_random.h"
#include "solver/problem/in_parallel.hpp"
#include "solver/systems/row_evaluator.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

using systems::Operation;
using systems::RowEvaluator;

/// Values that an expression reads, at points from `first` on.
void fill(const systems::Term &leaf, const SamplePoints &points, double time, std::int64_t first,
          double *values, std::size_t count) {
    const auto index_of = [&](std::size_t i) { return first + static_cast<std::int64_t>(i); };
    if (leaf.operation == Operation::RANDOM) {
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = cell_random_double(static_cast<std::uint32_t>(leaf.index),
                                           static_cast<std::uint64_t>(index_of(i)));
        }
        return;
    }
    if (leaf.operation == Operation::TIME) {
        std::fill_n(values, count, time);
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

constexpr std::int64_t points_per_chunk = 16 * std::int64_t{RowEvaluator::longest_row};

/// Calls use(chunk, first, count, evaluate) for each chunk of the points; evaluate(values) puts the values of its points there.
template <class Use>
void in_chunks(const systems::Expression &expression, const SamplePoints &points, double time,
               const Use &use) {
    const std::int64_t count = points.count(), threads = threads_for(count);
    std::vector<RowEvaluator> of_threads(static_cast<std::size_t>(threads),
                                         RowEvaluator(expression.graph, expression.value));
    share_out(chunks_of(points), threads, [&](std::int64_t chunk, std::int64_t thread) {
        const std::int64_t first = chunk * points_per_chunk;
        const auto in_chunk = static_cast<std::size_t>(std::min(count - first, points_per_chunk));
        use(chunk, first, in_chunk, [&](double *values) {
            of_threads[thread].evaluate(
                in_chunk,
                [&](const systems::Term &leaf, std::size_t begin, double *of_leaf, std::size_t row) {
                    fill(leaf, points, time, first + static_cast<std::int64_t>(begin), of_leaf, row);
                },
                values);
        });
    });
}

/// Values of the expressions that were sampled last: members of a sweep sample the same ones. Large ones are not kept.
class LastSamples {
  public:
    [[nodiscard]] std::optional<Samples> find(const std::string &text, const SamplePoints &points) {
        const std::scoped_lock lock(mutex_);
        const auto found = std::ranges::find_if(
            kept_, [&](const Kept &kept) { return kept.text == text && kept.points == points; });
        return found == kept_.end() ? std::nullopt : std::optional(found->samples);
    }
    void keep(const std::string &text, const SamplePoints &points, const Samples &samples) {
        constexpr std::size_t most_values = 1 << 17, most_kept = 16;
        if (samples.values.size() > most_values) {
            return;
        }
        const std::scoped_lock lock(mutex_);
        kept_.push_front({text, points, samples});
        kept_.resize(std::min(kept_.size(), most_kept));
    }

  private:
    struct Kept {
        std::string text;
        SamplePoints points;
        Samples samples;
    };
    std::mutex mutex_;
    std::deque<Kept> kept_;
};

}  // namespace

namespace {

/// Whether any of `count` points from `first` on is among those; all are where there are none.
bool is_among(std::span<const CellRange> ranges, std::int64_t first, std::int64_t count) {
    return ranges.empty() || std::ranges::any_of(ranges, [&](const CellRange &range) {
               return range.first < first + count && first < range.first + range.count;
           });
}

}  // namespace

std::int64_t chunks_of(const SamplePoints &points) {
    return (points.count() + points_per_chunk - 1) / points_per_chunk;
}

Samples values_of_expression(const FormulaText &expression, const SamplePoints &points,
                             std::span<const CellRange> only) {
    static LastSamples last;
    if (std::optional<Samples> kept = last.find(expression.text, points)) {
        return *std::move(kept);
    }
    const systems::Expression made =
        systems::make_expression(expression, points.dimensions, systems::ExpressionOf::places);
    if (made.graph.terms()[made.value].operation == Operation::NUMBER) {
        return Samples{{made.graph.terms()[made.value].number}};
    }
    Samples samples{LargeVector<double>(static_cast<std::size_t>(points.count()))};
    in_chunks(made, points, 0.0,
              [&](std::int64_t, std::int64_t first, std::size_t count, const auto &evaluate) {
                  if (is_among(only, first, static_cast<std::int64_t>(count))) {
                      evaluate(samples.values.data() + first);
                  }
              });
    if (only.empty()) {
        last.keep(expression.text, points, samples);
    }
    return samples;
}

void for_chunks_of_exact(
    const FormulaText &exact, const SamplePoints &points, std::optional<double> time,
    const std::function<void(std::int64_t, std::int64_t, std::span<const double>)> &use) {
    const systems::Expression made = systems::make_expression(
        exact, points.dimensions,
        time ? systems::ExpressionOf::places_and_time : systems::ExpressionOf::places);
    in_chunks(made, points, time.value_or(0.0),
              [&](std::int64_t chunk, std::int64_t first, std::size_t count, const auto &evaluate) {
                  std::vector<double> values(count);
                  evaluate(values.data());
                  use(chunk, first, values);
              });
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
