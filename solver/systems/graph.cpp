#include "solver/systems/graph.hpp"

#include <algorithm>
#include <bit>

#include "solver/systems/apply.hpp"

namespace perdure::systems {
Graph::Key Graph::key_of(Term term) {
    if (commutes(term.operation) && term.arguments[1] < term.arguments[0]) {
        std::swap(term.arguments[0], term.arguments[1]);
    }
    const auto whole = [](int value) { return static_cast<std::int64_t>(value); };
    return {whole(static_cast<int>(term.operation)),
            whole(term.arguments[0]),
            whole(term.arguments[1]),
            whole(term.arguments[2]),
            whole(term.index),
            whole(term.offset[0]),
            whole(term.offset[1]),
            whole(term.offset[2]),
            std::bit_cast<std::int64_t>(term.number)};
}

int arguments_of(Operation operation) {
    static constexpr std::array<int, SYSTEM_OPERATION_COUNT> counts{
#define PERDURE_ARGUMENTS(name, arguments) arguments,
        SYSTEM_OPERATIONS(PERDURE_ARGUMENTS)
#undef PERDURE_ARGUMENTS
    };
    return counts[static_cast<unsigned>(operation)];
}

int Graph::simpler(const Term &term) const {
    const auto number = [&](int argument, double value) {
        const Term &of = terms_[term.arguments[argument]];
        return of.operation == Operation::NUMBER && of.number == value;
    };
    switch (term.operation) {
        case Operation::ADD:
            return number(1, 0.0) ? term.arguments[0] : number(0, 0.0) ? term.arguments[1] : -1;
        case Operation::SUBTRACT:
            return number(1, 0.0) ? term.arguments[0] : -1;
        case Operation::MULTIPLY:
            return number(1, 1.0) ? term.arguments[0] : number(0, 1.0) ? term.arguments[1] : -1;
        case Operation::DIVIDE:
            return number(1, 1.0) ? term.arguments[0] : -1;
        case Operation::SELECT:
            if (terms_[term.arguments[0]].operation == Operation::NUMBER) {
                return terms_[term.arguments[0]].number != 0.0 ? term.arguments[1] : term.arguments[2];
            }
            return term.arguments[1] == term.arguments[2] ? term.arguments[1] : -1;
        default:
            return -1;
    }
}

int Graph::add(const Term &term) {
    const int count = arguments_of(term.operation);
    if (count > 0 && term.operation != Operation::RATE) {
        std::array<double, 3> values{};
        bool constant = true;
        for (int k = 0; k < count; ++k) {
            const Term &argument = terms_[term.arguments[k]];
            constant = constant && argument.operation == Operation::NUMBER;
            values[k] = argument.number;
        }
        if (constant) {
            Term number;
            number.number = apply(term.operation, values[0], values[1], values[2]);
            return add(number);
        }
        const int same = simpler(term);
        if (same >= 0) {
            return same;
        }
    }
    const auto [place, is_new] = places_.emplace(key_of(term), static_cast<int>(terms_.size()));
    if (is_new) {
        terms_.push_back(term);
    }
    return place->second;
}

}  // namespace perdure::systems
