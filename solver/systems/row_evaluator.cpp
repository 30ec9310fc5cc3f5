#include "solver/systems/row_evaluator.hpp"

#include <algorithm>

#include "solver/systems/arrange.hpp"

namespace perdure::systems {

RowEvaluator::RowEvaluator(const Graph &graph, int term)
    : terms_(graph.terms()), row_of_(graph.terms().size()) {
    const std::vector<char> is_needed = needed_terms(graph, {term});
    for (int place = 0; place <= term; ++place) {
        if (is_needed[place] != 0) {
            row_of_[place] = needed_.size();
            needed_.push_back(place);
        }
    }
    values_.resize(needed_.size() * longest_row);
    for (const int place : needed_) {
        if (terms_[place].operation == Operation::NUMBER) {
            std::fill_n(values_of(place), longest_row, terms_[place].number);
        }
    }
}

}  // namespace perdure::systems
