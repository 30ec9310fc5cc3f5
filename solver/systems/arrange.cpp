#include "solver/systems/arrange.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "solver/systems/term_builder.hpp"

namespace perdure::systems {
namespace {

/// Copies a graph, products fused with sums.
class Fusing {
  public:
    Fusing(const Graph &graph, const std::vector<int> &roots)
        : terms_(graph.terms()), uses_(terms_.size(), 0), places_(terms_.size(), -1) {
        const std::vector<char> needed = needed_terms(graph, roots);
        for (std::size_t i = 0; i < terms_.size(); ++i) {
            for (int k = 0; needed[i] != 0 && k < arguments_of(terms_[i].operation); ++k) {
                ++uses_[terms_[i].arguments[k]];
            }
        }
        for (const int root : roots) {
            ++uses_[root];
        }
        for (std::size_t i = 0; i < terms_.size(); ++i) {
            places_[i] = needed[i] != 0 ? copy(terms_[i]) : -1;
        }
    }

    [[nodiscard]] int place(int term) const { return places_[term]; }
    [[nodiscard]] const Graph &graph() const { return to_.graph(); }

  private:
    [[nodiscard]] bool is_product(int term) const {
        return terms_[term].operation == Operation::MULTIPLY && uses_[term] == 1;
    }

    /// A product and what is added to it, which is a place in the copy.
    int fused(const Term &product, int added, bool negative) {
        const int first = product.arguments[0], second = product.arguments[1];
        if (!negative) {
            return to_.apply(Operation::FUSED_PRODUCT, places_[first], places_[second], added);
        }
        return cost_of_negating(second) < cost_of_negating(first)
                   ? to_.apply(Operation::FUSED_PRODUCT, negated(second), places_[first], added)
                   : to_.apply(Operation::FUSED_PRODUCT, negated(first), places_[second], added);
    }

    [[nodiscard]] bool is_difference_used_once(int term) const {
        return uses_[term] == 1 && to_.term(places_[term]).operation == Operation::SUBTRACT;
    }

    [[nodiscard]] int cost_of_negating(int term) const {
        const Operation operation = to_.term(places_[term]).operation;
        return operation == Operation::NUMBER || operation == Operation::NEGATE ||
                       is_difference_used_once(term)
                   ? 0
               : operation == Operation::PARAMETER ? 1
                                                   : 2;
    }

    int negated(int term) {
        if (is_difference_used_once(term)) {
            const std::array<int, 3> of = to_.term(places_[term]).arguments;
            return to_.apply(Operation::SUBTRACT, of[1], of[0]);
        }
        return to_.negate(places_[term]);
    }

    int copy(const Term &term) {
        const auto [first, second, third] = term.arguments;
        if (term.operation == Operation::ADD && is_product(second)) {
            return fused(terms_[second], places_[first], false);
        }
        if (term.operation == Operation::ADD && is_product(first)) {
            return fused(terms_[first], places_[second], false);
        }
        if (term.operation == Operation::SUBTRACT && is_product(second)) {
            return fused(terms_[second], places_[first], true);
        }
        if (term.operation == Operation::SUBTRACT && is_product(first)) {
            return fused(terms_[first], to_.negate(places_[second]), false);
        }
        if (arguments_of(term.operation) == 0) {
            return to_.add_term(term);
        }
        return to_.apply(term.operation, places_[first], second < 0 ? -1 : places_[second],
                         third < 0 ? -1 : places_[third]);
    }

    const std::vector<Term> &terms_;
    std::vector<int> uses_, places_;
    TermBuilder to_;
};

/// Arguments, the one that keeps most values first.
using Order = std::vector<std::array<int, 3>>;

Order order_of_arguments(const std::vector<Term> &terms) {
    std::vector<int> kept(terms.size(), 1);
    Order order(terms.size());
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const int count = arguments_of(terms[i].operation);
        order[i] = terms[i].arguments;
        const auto end = order[i].begin() + count;
        std::stable_sort(order[i].begin(), end, [&](int a, int b) { return kept[a] > kept[b]; });
        for (int k = 0; k < count; ++k) {
            kept[i] = std::max(kept[i], kept[order[i][k]] + k);
        }
    }
    return order;
}

/// Copies what a term needs, then the term. `places`: of terms in the copy, -1: not there yet.
void copy_behind_arguments(const std::vector<Term> &terms, const Order &order, int root,
                           std::vector<int> &places, TermBuilder &to) {
    std::vector<std::pair<int, int>> open{{root, 0}};  // term, its next argument
    while (!open.empty()) {
        auto &[term, next] = open.back();
        if (places[term] < 0 && next < arguments_of(terms[term].operation)) {
            const int argument = order[term][next++];
            open.emplace_back(argument, 0);
            continue;
        }
        if (places[term] < 0) {
            Term copy = terms[term];
            for (int k = 0; k < arguments_of(copy.operation); ++k) {
                copy.arguments[k] = places[copy.arguments[k]];
            }
            places[term] = to.add_term(copy);
        }
        open.pop_back();
    }
}

}  // namespace

std::vector<char> needed_terms(const Graph &graph, const std::vector<int> &roots,
                               const std::vector<int> &known) {
    const std::vector<Term> &terms = graph.terms();
    std::vector<char> needed(terms.size(), 0), is_known(terms.size(), 0);
    for (const int term : known) {
        is_known[term] = 1;
    }
    for (const int root : roots) {
        needed[root] = 1;
    }
    for (int i = static_cast<int>(terms.size()) - 1; i >= 0; --i) {
        needed[i] = is_known[i] != 0 ? 0 : needed[i];
        for (int k = 0; needed[i] != 0 && k < arguments_of(terms[i].operation); ++k) {
            needed[terms[i].arguments[k]] = 1;
        }
    }
    return needed;
}

std::array<int, 3> reach_of(const Graph &graph, const std::vector<int> &roots) {
    std::array<int, 3> reach{0, 0, 0};
    const std::vector<char> needed = needed_terms(graph, roots);
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const Term &term = graph.terms()[i];
        if (needed[i] != 0 &&
            (term.operation == Operation::FIELD || term.operation == Operation::COEFFICIENT ||
             term.operation == Operation::RANDOM || term.operation == Operation::NOISE)) {
            for (int axis = 0; axis < 3; ++axis) {
                reach[axis] = std::max(reach[axis], std::abs(term.offset[axis]));
            }
        }
    }
    return reach;
}

Arranged arrange(const Graph &graph, const std::vector<int> &roots) {
    const Fusing fused(graph, roots);
    const std::vector<Term> &terms = fused.graph().terms();
    const Order order = order_of_arguments(terms);
    std::vector<int> places(terms.size(), -1);
    TermBuilder to;
    Arranged arranged;
    for (const int root : roots) {
        copy_behind_arguments(terms, order, fused.place(root), places, to);
        arranged.roots.push_back(places[fused.place(root)]);
    }
    arranged.graph = to.graph();
    return arranged;
}

}  // namespace perdure::systems
