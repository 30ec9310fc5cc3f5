#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/cell_noise.h"
#include "kernels/cell_random.h"
#include "solver/problem/in_parallel.hpp"
#include "solver/systems/apply.hpp"
#include "solver/systems/row_evaluator.hpp"
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
    for (int axis = 0; axis < 3 && !context.is_uniform; ++axis) {
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

/// Values of a term without arguments in cells along x, from the context's on.
void fill(const Term &term, const CellContext &context, double *values, std::size_t count) {
    if (term.operation == Operation::PARAMETER) {
        std::fill_n(values, count, context.parameters[term.index]);
    } else if (term.operation == Operation::TIME) {
        std::fill_n(values, count, context.time);
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = value_in_cell(term, context, context.cell[0] + static_cast<std::int64_t>(i));
        }
    }
}

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
    return *RowEvaluator(graph, term).row(1, [&](const Term &leaf, double *values, std::size_t count) {
        fill(leaf, context, values, count);
    });
}

void evaluate_in_all_cells(const Graph &graph, int term, const CellContext &context,
                           std::span<double> values) {
    const Grid &grid = *context.grid;
    const std::int64_t width = grid.cells[0];
    in_parallel(grid.cells[1] * grid.cells[2], grid.count(), [&](std::int64_t begin, std::int64_t end) {
        RowEvaluator evaluator(graph, term);
        CellContext at = context;
        for (std::int64_t line = begin; line < end; ++line) {
            const auto fill_row = [&](const Term &leaf, std::size_t first, double *of_leaf,
                                      std::size_t count) {
                at.cell = {static_cast<std::int64_t>(first), line % grid.cells[1], line / grid.cells[1]};
                fill(leaf, at, of_leaf, count);
            };
            evaluator.evaluate(static_cast<std::size_t>(width), fill_row, values.data() + line * width);
        }
    });
}

std::vector<double> evaluate_in_all_cells(const Graph &graph, int term, const CellContext &context) {
    std::vector<double> values(static_cast<std::size_t>(context.grid->count()));
    evaluate_in_all_cells(graph, term, context, values);
    return values;
}

}  // namespace perdure::systems
