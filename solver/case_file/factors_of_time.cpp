#include "solver/case_file/factors_of_time.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "solver/case_file/time_tables.hpp"
#include "solver/failure.hpp"
#include "solver/formulas/tokens.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The expression with formulas of t in place of the names of tables. Nothing where it names neither t nor a table.
std::optional<std::string> of_time(const std::string &expression, const std::vector<TimeTable> &tables) {
    std::string text;
    bool varies = false;
    for (std::size_t i = 0; i < expression.size();) {
        std::size_t end = i;
        while (end < expression.size() && is_of_name(expression[end])) {
            ++end;
        }
        end = std::max(end, i + 1);
        const std::string word = expression.substr(i, end - i);
        const auto table = std::ranges::find(tables, word, &TimeTable::name);
        const bool is_table = table != tables.end() && !table->times.empty();
        varies = varies || is_table || word == "t";
        text += is_table ? "(" + formula_of_t(*table) + ")" : word;
        i = end;
    }
    return varies && text.size() <= formulas::longest_formula ? std::optional(text) : std::nullopt;
}

bool is_function_of_time(const std::string &expression) {
    try {
        (void)systems::make_expression(FormulaText{expression, {}}, 3, systems::ExpressionOf::time);
        return true;
    } catch (const Failure &) {
        return false;  // it names something else, or what is wrong is said where it is read as a formula
    }
}

void make_factor(const std::vector<TimeTable> &tables, ValueSource &source) {
    if (source.kind != ValueSource::Kind::expression) {
        return;
    }
    const std::optional<std::string> factor = of_time(source.expression, tables);
    if (!factor || !is_function_of_time(*factor)) {
        return;
    }
    source.kind = ValueSource::Kind::number;
    source.number = 1.0;
    source.expression.clear();
    source.time_factor =
        source.time_factor.empty() ? *factor : fmt::format("({})*({})", *factor, source.time_factor);
}

}  // namespace

void make_factors_of_time(Config &config) {
    make_factor(config.tables, config.f);
    for (SideConfig &side : config.sides) {
        make_factor(config.tables, side.values);
    }
}

}  // namespace perdure
