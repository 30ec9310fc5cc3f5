// Adds terms to a graph by what they mean.
#pragma once

#include <array>

#include "solver/systems/graph.hpp"

namespace perdure::systems {

class TermBuilder {
  public:
    int number(double value);
    /// NUMBER 0 .. of a place in a table: PARAMETER, FIELD, COEFFICIENT, COORDINATE, RANDOM, NOISE, TIME.
    int leaf(Operation operation, int index = 0, const std::array<int, 3> &offset = {0, 0, 0});
    int apply(Operation operation, int a, int b = -1, int c = -1);
    int add_term(const Term &term) { return graph_.add(term); }

    int add(int a, int b);
    int subtract(int a, int b);
    int multiply(int a, int b);
    int divide(int a, int b);
    int negate(int a);
    /// a - b; 0 where both are the same term.
    int difference(int a, int b);
    /// a b; 0 where a is the number 0, whatever b is.
    int scaled(int a, int b);
    int power(int base, int exponent);
    /// 2 a b / (a + b), 0 where a + b = 0; a where both are the same term.
    int harmonic_mean(int a, int b);

    [[nodiscard]] const Term &term(int place) const { return graph_.terms()[place]; }
    [[nodiscard]] bool is_number(int place, double value) const;
    [[nodiscard]] const Graph &graph() const { return graph_; }

  private:
    int whole_power(int base, int exponent);

    Graph graph_;
};

}  // namespace perdure::systems
