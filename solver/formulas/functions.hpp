// The functions, operators and constants that every formula can use.
#pragma once

#include <climits>
#include <optional>
#include <span>
#include <string_view>

namespace perdure::formulas {

enum class FunctionRole {
    operation,     // an operator of the grammar
    pointwise,     // of values in the cell
    differential,  // of fields in the cell and its neighbours
    random,        // of the cell's place and a seed
    noise,         // of these and the step
};

inline constexpr int any_number = INT_MAX;

struct Function {
    std::string_view name;  // of a call in a tree
    FunctionRole role = FunctionRole::pointwise;
    int fewest = 1, most = 1;                // arguments before a semicolon; most: any_number when it is open
    int fewest_behind = 0, most_behind = 0;  // arguments behind it
    std::string_view word = {};              // that may stand behind those: no name, an option
    std::string_view usage = {};             // "lap(u)"
    std::string_view meaning = {};           // "the Laplacian"
};

/// In the order of the documentation.
std::span<const Function> functions();

/// The function or operator of that name in a tree, a null pointer when there is none.
const Function *find_function(std::string_view name);

/// The function that has this word as an option, a null pointer when there is none.
const Function *find_function_with_word(std::string_view word);

/// A name that stands for the same in every formula.
struct BuiltIn {
    std::string_view name;
    std::string_view meaning;
    std::optional<double> value;  // of a constant
};

/// The coordinates, the time and the constants.
std::span<const BuiltIn> built_ins();

/// A null pointer when there is none of that name.
const BuiltIn *find_built_in(std::string_view name);

}  // namespace perdure::formulas
