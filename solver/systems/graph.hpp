// Formulas of a system as they are computed in a cell: operations on numbers, on fields in the cell and its neighbours, and on each
// other. Derivatives are gone; each value stands once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "kernels/system_instruction.h"

namespace perdure::systems {

enum class Operation : unsigned {
#define PERDURE_OPERATION(name, arguments) name = SYSTEM_##name,
    SYSTEM_OPERATIONS(PERDURE_OPERATION)
#undef PERDURE_OPERATION
};

/// How many arguments it has.
int arguments_of(Operation operation);

/// kernels/system_instruction.h says what each is.
struct Term {
    Operation operation = Operation::NUMBER;
    std::array<int, 3> arguments{-1, -1, -1};  // earlier terms of the graph
    int index = 0;
    std::array<int, 3> offset{0, 0,
                              0};  // of FIELD, COEFFICIENT, COORDINATE, RANDOM, NOISE: cells along x, y, z
    double number = 0.0;           // of NUMBER
};

/// Terms in an order in which each has its arguments before it.
class Graph {
  public:
    /// The place of the term: of an equal one where there is one; a + b is equal to b + a. What has numbers alone for arguments
    /// becomes a number; x + 0, x - 0, x * 1 and x / 1 become x; a choice by a number, or between equal terms, becomes the chosen one.
    int add(const Term &term);
    [[nodiscard]] const std::vector<Term> &terms() const { return terms_; }

    /// All that a term consists of; numbers by their bits, so that -0 is not 0 and NaN is equal to itself.
    using Key = std::array<std::int64_t, 9>;
    static Key key_of(Term term);

  private:
    /// The earlier term that it is equal to by the rules above, or -1.
    [[nodiscard]] int simpler(const Term &term) const;

    std::vector<Term> terms_;
    std::map<Key, int> places_;
};

}  // namespace perdure::systems
