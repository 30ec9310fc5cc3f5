// Checks that the names and functions of a formula are known and allowed there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/formulas/tree.hpp"

namespace perdure::formulas {

/// What may stand in a formula besides pointwise functions, random(), x, y, z, pi and e.
struct AllowedNames {
    std::string place = "this formula";  // for messages: "an initial value"
    std::vector<std::string> names;      // fields, parameters, parts, coefficients
    /// Names of the case file that may not stand here, each with what it is: {"u", "a field"}.
    std::vector<std::pair<std::string, std::string>> elsewhere;
    bool time = true;
    bool places = true;  // x, y, z and random()
    bool derivatives = true;
    bool noise = true;
    int dimensions = 3;  // of the grid: with 2 there is no z, dz() and dzz()
};

/// What is wrong with the names, functions and numbers of arguments, in the order of the text; each unknown name once. Whether values
/// are scalars or vectors is not looked at.
std::vector<FormulaError> check_names(const Node &tree, const AllowedNames &allowed);

/// The option of a call: the last name behind the semicolon where it is the word that the function knows, else a null pointer.
const Node *option_of(const Node &call);
/// Arguments of a call before the semicolon, and behind it without the option.
int arguments_before_semicolon(const Node &call);
int arguments_behind_semicolon(const Node &call);

inline constexpr std::size_t longest_name = 64;

/// Why a field, parameter or part cannot have this name; empty: it can.
std::string why_not_a_name(const std::string &name);

}  // namespace perdure::formulas
