// inputs/REFERENCE.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/config.hpp"
#include "solver/equations/equation.hpp"
#include "solver/formulas/functions.hpp"
#include "solver/output/text_table.hpp"

namespace perdure {
namespace {

std::string formula_reference() {
    const std::string text = R"(
# Formulas

Values, factors and the formulas of a system share one grammar. A value may use x, y, z, pi, e and random(); a factor may use t, pi
and e; a formula of a system may use all of these, the fields, parameters, coefficients and `let` parts of the case, and derivatives.

)";
    using Align = TextTable::Align;
    TextTable table({{"write", Align::left}, {"meaning", Align::left}});
    for (const formulas::Function &function : formulas::functions()) {
        if (function.role != formulas::FunctionRole::operation) {
            table.add({fmt::format("`{}`", function.usage), std::string(function.meaning)});
        }
    }
    return text + table.markdown() +
           R"(
Operators, from the lowest to the highest precedence: `c ? a : b`, the same as `if(c, a, b)`; `or`; `and`; `not`; comparisons `<` `<=` `>` `>=` `==` `!=`,
which do not chain; `+` `-`; `*` `/`; signs; `^`, which groups to the right. True is 1 and false is 0; every value except 0 counts as true.
)";
}

}  // namespace

std::string case_reference() {
    const std::string text = R"(# Keys of a case file

This table is what `perdure keys` prints. `SIDE` is one of x-, x+, y-, y+, z- and z+; `FIELD` and `NAME` are names that you choose. `VALUE` is
a number, an expression in x, y and z, or a map with the keys `VALUE.*` below; a number may be an expression of numbers, such as 1/64 or 2*pi. A key
without a default turns something on when it is given.
A problem in time requires `time`. Every key can be overridden for one run: `perdure run case.yaml --set solver.rtol=1e-6`.

)";
    using Align = TextTable::Align;
    TextTable table(
        {{"key", Align::left}, {"value", Align::left}, {"default", Align::left}, {"meaning", Align::left}});
    for (const CaseKey &key : case_keys()) {
        table.add({fmt::format("`{}`", key.path), std::string(key.takes), std::string(key.by_default),
                   std::string(key.meaning)});
    }
    TextTable equations({{"problem.type", Align::left}, {"equation", Align::left}, {"fields", Align::left}});
    for (const Equation &equation : all_equations()) {
        Config config;
        config.type = equation.type;
        equations.add({fmt::format("`{}`", name(equation.type)), equation.formula,
                       equation.of_case ? "those named in the case"
                                        : fmt::format("{}", fmt::join(field_names(config), ", "))});
    }
    return text + equations.markdown() + "\n" + table.markdown() + formula_reference();
}

}  // namespace perdure
