// Terms of a graph, and the terms that are their derivatives in a direction.
#pragma once

#include <functional>
#include <vector>

#include "solver/systems/term_builder.hpp"

namespace perdure::systems {

/// The term that a FIELD has for its derivative in `to`; -1: 0.
using Direction = std::function<int(const Term &field, TermBuilder &to)>;

/// Copies a graph to a builder, and differentiates its terms.
class Tangents {
  public:
    Tangents(const Graph &graph, TermBuilder &to);

    /// Where a term stands in the copy; -1 of -1.
    [[nodiscard]] int place(int term) const { return term < 0 ? -1 : places_[term]; }
    /// The derivatives of some terms; the number 0 where one does not depend on what has a direction.
    std::vector<int> along(const Direction &direction, const std::vector<int> &roots);

  private:
    int derivative(const Term &term, int value, const std::array<int, 3> &slopes);
    int derivative_of_function(Operation operation, int a, int value);
    int sum(int a, int b);
    int scaled(int slope, int factor);
    int chosen(int condition, int a, int b);

    const Graph &graph_;
    TermBuilder &to_;
    std::vector<int> places_;
};

}  // namespace perdure::systems
