// inputs/REFERENCE.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/config.hpp"
#include "solver/equations/equation.hpp"
#include "solver/output/text_table.hpp"

namespace perdure {

std::string case_reference() {
    const std::string text = R"(# Keys of a case file

This table is what `perdure keys` prints. `SIDE` is one of x-, x+, y-, y+, z-, z+. `VALUE` is a number, an expression in x, y and z, or a
map with the keys `VALUE.*` below. A key without a default is required, or what it describes is off without it. Every key can be set for one
run: `perdure run case.yaml --set solver.rtol=1e-6`.

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
                       equation.of_case ? "those of the case"
                                        : fmt::format("{}", fmt::join(field_names(config), ", "))});
    }
    return text + equations.markdown() + "\n" + table.markdown();
}

}  // namespace perdure
