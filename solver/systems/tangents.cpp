#include "solver/systems/tangents.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "solver/systems/arrange.hpp"

namespace perdure::systems {

Tangents::Tangents(const Graph &graph, TermBuilder &to) : graph_(graph), to_(to) {
    for (Term term : graph.terms()) {
        for (int k = 0; k < arguments_of(term.operation); ++k) {
            term.arguments[k] = places_[term.arguments[k]];
        }
        places_.push_back(to_.add_term(term));
    }
}

std::vector<int> Tangents::along(const Direction &direction, const std::vector<int> &roots) {
    const std::vector<Term> &terms = graph_.terms();
    const std::vector<char> needed = needed_terms(graph_, roots);
    std::vector<int> slopes(terms.size(), -1);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const Term &term = terms[i];
        if (needed[i] == 0) {
            continue;
        }
        if (term.operation == Operation::FIELD) {
            slopes[i] = direction(term, to_);
            continue;
        }
        std::array<int, 3> of_arguments{-1, -1, -1};
        bool any = false;
        for (int k = 0; k < arguments_of(term.operation); ++k) {
            of_arguments[k] = slopes[term.arguments[k]];
            any = any || of_arguments[k] >= 0;
        }
        slopes[i] = any ? derivative(term, places_[i], of_arguments) : -1;
    }
    std::vector<int> found;
    for (const int root : roots) {
        found.push_back(slopes[root] >= 0 ? slopes[root] : to_.number(0.0));
    }
    return found;
}

int Tangents::sum(int a, int b) {
    return a < 0 ? b : (b < 0 ? a : to_.add(a, b));
}

int Tangents::scaled(int slope, int factor) {
    return slope < 0 ? -1 : to_.multiply(factor, slope);
}

int Tangents::chosen(int condition, int a, int b) {
    const int first = a < 0 ? to_.number(0.0) : a, second = b < 0 ? to_.number(0.0) : b;
    return to_.apply(Operation::SELECT, condition, first, second);
}

/// Of a term with that value in the copy from those of its arguments, of which there is one at least.
int Tangents::derivative(const Term &term, int value, const std::array<int, 3> &slopes) {
    const auto [of_a, of_b, of_c] = slopes;
    const int a = place(term.arguments[0]), b = place(term.arguments[1]);
    switch (term.operation) {
        case Operation::ADD:
            return sum(of_a, of_b);
        case Operation::SUBTRACT:
            return sum(of_a, of_b < 0 ? -1 : to_.negate(of_b));
        case Operation::MULTIPLY:
            return sum(scaled(of_a, b), scaled(of_b, a));
        case Operation::FUSED_PRODUCT:
            return sum(sum(scaled(of_a, b), scaled(of_b, a)), of_c);
        case Operation::DIVIDE: {
            const int above = sum(of_a, of_b < 0 ? -1 : to_.negate(scaled(of_b, value)));
            return to_.divide(above, b);
        }
        case Operation::MINIMUM:
            return chosen(to_.apply(Operation::LESS, b, a), of_b, of_a);
        case Operation::MAXIMUM:
            return chosen(to_.apply(Operation::LESS, a, b), of_b, of_a);
        case Operation::POWER: {
            const int by_base =
                of_a < 0 ? -1 : scaled(of_a, to_.multiply(b, to_.power(a, to_.subtract(b, to_.number(1.0)))));
            const int by_exponent =
                of_b < 0 ? -1 : scaled(of_b, to_.multiply(to_.apply(Operation::LOGARITHM, a), value));
            const int positive = to_.apply(Operation::LESS, to_.number(0.0), a);
            return sum(by_base, by_exponent < 0 ? -1 : chosen(positive, by_exponent, -1));
        }
        case Operation::ARC_TANGENT_2: {
            const int above = sum(scaled(of_a, b), of_b < 0 ? -1 : to_.negate(scaled(of_b, a)));
            return to_.divide(above, to_.add(to_.multiply(a, a), to_.multiply(b, b)));
        }
        case Operation::SELECT:
            return of_b < 0 && of_c < 0 ? -1 : chosen(a, of_b, of_c);
        default: {
            const int slope = of_a < 0 ? -1 : derivative_of_function(term.operation, a, value);
            return slope < 0 ? -1 : scaled(of_a, slope);
        }
    }
}

/// d value / d a of a function of one argument; -1: 0.
int Tangents::derivative_of_function(Operation operation, int a, int value) {
    const int one = to_.number(1.0);
    const auto below_one = [&](int of) { return to_.subtract(one, to_.multiply(of, of)); };
    const auto above_one = [&](int of) { return to_.add(one, to_.multiply(of, of)); };
    switch (operation) {
        case Operation::NEGATE:
            return to_.number(-1.0);
        case Operation::ABSOLUTE:
            return chosen(to_.apply(Operation::LESS, a, to_.number(0.0)), to_.number(-1.0), one);
        case Operation::SQUARE_ROOT:
            return to_.divide(to_.number(0.5), value);
        case Operation::EXPONENTIAL:
            return value;
        case Operation::LOGARITHM:
            return to_.divide(one, a);
        case Operation::LOGARITHM_2:
            return to_.divide(to_.number(std::numbers::log2e), a);
        case Operation::LOGARITHM_10:
            return to_.divide(to_.number(std::numbers::log10e), a);
        case Operation::SINE:
            return to_.apply(Operation::COSINE, a);
        case Operation::COSINE:
            return to_.negate(to_.apply(Operation::SINE, a));
        case Operation::TANGENT:
            return above_one(value);
        case Operation::ARC_SINE:
            return to_.divide(one, to_.apply(Operation::SQUARE_ROOT, below_one(a)));
        case Operation::ARC_COSINE:
            return to_.divide(to_.number(-1.0), to_.apply(Operation::SQUARE_ROOT, below_one(a)));
        case Operation::ARC_TANGENT:
            return to_.divide(one, above_one(a));
        case Operation::HYPERBOLIC_SINE:
            return to_.apply(Operation::HYPERBOLIC_COSINE, a);
        case Operation::HYPERBOLIC_COSINE:
            return to_.apply(Operation::HYPERBOLIC_SINE, a);
        case Operation::HYPERBOLIC_TANGENT:
            return below_one(value);
        case Operation::INVERSE_HYPERBOLIC_SINE:
            return to_.divide(one, to_.apply(Operation::SQUARE_ROOT, above_one(a)));
        case Operation::INVERSE_HYPERBOLIC_COSINE:
            return to_.divide(one, to_.apply(Operation::SQUARE_ROOT, to_.negate(below_one(a))));
        case Operation::INVERSE_HYPERBOLIC_TANGENT:
            return to_.divide(one, below_one(a));
        case Operation::ERROR_FUNCTION:
            return to_.multiply(to_.number(2.0 * std::numbers::inv_sqrtpi),
                                to_.apply(Operation::EXPONENTIAL, to_.negate(to_.multiply(a, a))));
        default:
            return -1;  // steps: floor, comparisons and truth values
    }
}

}  // namespace perdure::systems
