// Evaluates a term of a graph in many cells at a time, in float64.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/systems/apply.hpp"
#include "solver/systems/graph.hpp"

namespace perdure::systems {

/// Refers to the graph.
class RowEvaluator {
  public:
    static constexpr std::size_t longest_row = 256;  // cells: their values of some terms lie in a cache

    RowEvaluator(const Graph &graph, int term);

    /// Of `count` cells, at most longest_row: valid until the next call. fill(leaf, values, count) gives what no operation computes: fields,
    /// coordinates, parameters and the like.
    template <class Fill>
    const double *row(std::size_t count, const Fill &fill) {
        for (const int place : needed_) {
            const Term &term = terms_[place];
            double *const values = values_of(place);
            if (arguments_of(term.operation) > 0) {
                apply(term.operation, argument(term, 0), argument(term, 1), argument(term, 2), values, count);
            } else if (term.operation != Operation::NUMBER) {
                fill(term, values, count);
            }
        }
        return values_of(needed_.back());
    }

    /// Of any number of cells, row by row: fill(leaf, first, values, count) as above, from cell `first` of them on.
    template <class Fill>
    void evaluate(std::size_t cells, const Fill &fill, double *to) {
        for (std::size_t first = 0; first < cells; first += longest_row) {
            const std::size_t count = std::min(cells - first, longest_row);
            const double *const values =
                row(count, [&](const Term &leaf, double *of_leaf, std::size_t of_row) {
                    fill(leaf, first, of_leaf, of_row);
                });
            std::copy_n(values, count, to + first);
        }
    }

  private:
    [[nodiscard]] double *values_of(int place) { return values_.data() + row_of_[place] * longest_row; }
    /// What an operation has no argument for, it does not read.
    [[nodiscard]] const double *argument(const Term &term, int k) {
        return values_of(term.arguments[k] < 0 ? term.arguments[0] : term.arguments[k]);
    }

    const std::vector<Term> &terms_;
    std::vector<int> needed_;          // places, the term's own last
    std::vector<std::size_t> row_of_;  // of each place that is needed
    std::vector<double> values_;       // [needed][longest_row]
};

}  // namespace perdure::systems
