#include <cstdint>
#include <vector>

#include "kernels/cell_random.h"
#include "solver/systems/apply.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {
namespace {

/// The cell at an offset in a periodic grid.
std::array<std::int64_t, 3> neighbour(const CellContext &context, const std::array<int, 3> &offset) {
    std::array<std::int64_t, 3> cell = context.cell;
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t cells = context.grid->cells[axis];
        cell[axis] = ((cell[axis] + offset[axis]) % cells + cells) % cells;
    }
    return cell;
}

double value_in_cell(const Term &term, const CellContext &context) {
    if (term.operation == Operation::NUMBER) {
        return term.number;
    }
    if (term.operation == Operation::PARAMETER) {
        return context.parameters[term.index];
    }
    if (term.operation == Operation::TIME) {
        return context.time;
    }
    const std::array<std::int64_t, 3> cell = neighbour(context, term.offset);
    if (term.operation == Operation::COORDINATE) {
        return context.grid->centre(term.index, cell[term.index]);
    }
    const std::int64_t index = context.grid->index(cell[0], cell[1], cell[2]);
    if (term.operation == Operation::RANDOM) {
        return cell_random_double(static_cast<std::uint32_t>(term.index), static_cast<std::uint64_t>(index));
    }
    return term.operation == Operation::FIELD ? context.fields[term.index][index]
                                              : context.coefficients[term.index][index];
}

}  // namespace

double evaluate(const Graph &graph, int term, const CellContext &context) {
    const std::vector<Term> &terms = graph.terms();
    std::vector<char> needed(term + 1, 0);
    needed[term] = 1;
    for (int i = term; i >= 0; --i) {
        for (int k = 0; needed[i] != 0 && k < arguments_of(terms[i].operation); ++k) {
            needed[terms[i].arguments[k]] = 1;
        }
    }
    std::vector<double> values(term + 1, 0.0);
    for (int i = 0; i <= term; ++i) {
        if (needed[i] == 0) {
            continue;
        }
        const auto argument = [&](int k) {
            return terms[i].arguments[k] < 0 ? 0.0 : values[terms[i].arguments[k]];
        };
        values[i] = arguments_of(terms[i].operation) == 0
                        ? value_in_cell(terms[i], context)
                        : apply(terms[i].operation, argument(0), argument(1), argument(2));
    }
    return values[term];
}

}  // namespace perdure::systems
