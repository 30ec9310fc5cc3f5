#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/cell_noise.h"
#include "kernels/cell_random.h"
#include "solver/problem/in_parallel.hpp"
#include "solver/systems/apply.hpp"
#include "solver/systems/arrange.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {
namespace {

/// Index of a cell in a periodic grid.
std::int64_t wrapped(std::int64_t index, std::int64_t cells) {
    return index >= 0 && index < cells ? index : (index % cells + cells) % cells;
}

double value_in_cell(const Term &term, const CellContext &context, std::int64_t cell_x) {
    const Grid &grid = *context.grid;
    std::array<std::int64_t, 3> cell{cell_x, context.cell[1], context.cell[2]};
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = wrapped(cell[axis] + term.offset[axis], grid.cells[axis]);
    }
    const std::int64_t index = grid.index(cell[0], cell[1], cell[2]);
    switch (term.operation) {
        case Operation::COORDINATE:
            return grid.centre(term.index, cell[term.index]);
        case Operation::RANDOM:
            return cell_random_double(static_cast<std::uint32_t>(term.index),
                                      static_cast<std::uint64_t>(index));
        case Operation::NOISE:
            return context.step_size == 0.0 ? 0.0
                                            : cell_noise(static_cast<std::uint32_t>(term.index),
                                                         static_cast<std::uint32_t>(index), context.step) /
                                                  std::sqrt(context.step_size);
        case Operation::FIELD:
            return context.fields[term.index][index];
        default:
            return context.coefficients[term.index][index];
    }
}

/// A term and what it needs, in cells along x.
class RowEvaluator {
  public:
    RowEvaluator(const Graph &graph, int term)
        : terms_(graph.terms()), needed_(needed_terms(graph, {term})), term_(term), values_(term + 1) {}

    /// Of `count` cells from the context's on.
    const std::vector<double> &row(const CellContext &context, std::int64_t count) {
        for (int i = 0; i <= term_; ++i) {
            if (needed_[i] != 0) {
                values_[i].resize(count);
                fill(values_[i], terms_[i], context);
            }
        }
        return values_[term_];
    }

  private:
    void fill(std::vector<double> &values, const Term &term, const CellContext &context) const {
        if (term.operation == Operation::NUMBER) {
            std::fill(values.begin(), values.end(), term.number);
        } else if (term.operation == Operation::PARAMETER) {
            std::fill(values.begin(), values.end(), context.parameters[term.index]);
        } else if (term.operation == Operation::TIME) {
            std::fill(values.begin(), values.end(), context.time);
        } else if (arguments_of(term.operation) == 0) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] = value_in_cell(term, context, context.cell[0] + static_cast<std::int64_t>(i));
            }
        } else {
            // What an operation has no argument for, it does not read.
            const std::vector<double> &a = values_[term.arguments[0]];
            const std::vector<double> &b = term.arguments[1] < 0 ? a : values_[term.arguments[1]];
            const std::vector<double> &c = term.arguments[2] < 0 ? a : values_[term.arguments[2]];
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] = apply(term.operation, a[i], b[i], c[i]);
            }
        }
    }

    const std::vector<Term> &terms_;
    std::vector<char> needed_;
    int term_;
    std::vector<std::vector<double>> values_;  // of each term
};

}  // namespace

std::vector<double> values_of_terms(const Graph &graph, const CellContext &context) {
    std::vector<double> values;
    for (const Term &term : graph.terms()) {
        const auto argument = [&](int k) { return values[std::max(term.arguments[k], 0)]; };
        values.push_back(term.operation == Operation::NUMBER      ? term.number
                         : term.operation == Operation::PARAMETER ? context.parameters[term.index]
                         : term.operation == Operation::TIME      ? context.time
                         : arguments_of(term.operation) == 0
                             ? value_in_cell(term, context, context.cell[0])
                             : apply(term.operation, argument(0), argument(1), argument(2)));
    }
    return values;
}

double evaluate(const Graph &graph, int term, const CellContext &context) {
    return RowEvaluator(graph, term).row(context, 1)[0];
}

void evaluate_in_all_cells(const Graph &graph, int term, const CellContext &context,
                           std::span<double> values) {
    const Grid &grid = *context.grid;
    const std::int64_t width = grid.cells[0];
    in_parallel(grid.cells[1] * grid.cells[2], grid.count(), [&](std::int64_t begin, std::int64_t end) {
        RowEvaluator evaluator(graph, term);
        CellContext at = context;
        for (std::int64_t line = begin; line < end; ++line) {
            at.cell = {0, line % grid.cells[1], line / grid.cells[1]};
            const std::vector<double> &row = evaluator.row(at, width);
            std::copy(row.begin(), row.end(), values.begin() + line * width);
        }
    });
}

std::vector<double> evaluate_in_all_cells(const Graph &graph, int term, const CellContext &context) {
    std::vector<double> values(static_cast<std::size_t>(context.grid->count()));
    evaluate_in_all_cells(graph, term, context, values);
    return values;
}

}  // namespace perdure::systems
