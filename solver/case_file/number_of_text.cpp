#include "solver/case_file/number_of_text.hpp"

#include <cmath>
#include <string>
#include <unordered_map>

#include "solver/case_file/yaml_scalar.hpp"
#include "solver/failure.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

/// Beyond, not every whole number is a double.
constexpr double largest_whole = 9007199254740992.0;

/// Throws Failure where it is no expression.
std::optional<double> value_of_expression(const std::string &text) {
    const auto [graph, value] =
        systems::make_expression(FormulaText{text, {}}, 3, systems::ExpressionOf::places);
    const systems::Term &term = graph.terms()[value];
    const bool is_number = term.operation == systems::Operation::NUMBER && std::isfinite(term.number);
    return is_number ? std::optional(term.number) : std::nullopt;
}

/// Each text is worked out once: members of a sweep have nearly all of them in common.
std::optional<double> constant_expression(const std::string &text) {
    constexpr std::size_t most_known = 1024;
    static thread_local std::unordered_map<std::string, std::optional<double>> known;
    if (text.empty() || !number_mistake(text).empty()) {
        return std::nullopt;
    }
    if (const auto found = known.find(text); found != known.end()) {
        return found->second;
    }
    std::optional<double> value;
    try {
        value = value_of_expression(text);
    } catch (const Failure &) {
        value.reset();  // the caller says what it expects
    }
    if (known.size() >= most_known) {
        known.clear();
    }
    known.emplace(text, value);
    return value;
}

}  // namespace

std::optional<double> number_of_text(const std::string &text) {
    const std::optional<double> number = parse_number(text);
    return number ? number : constant_expression(text);
}

std::optional<std::int64_t> whole_number_of_text(const std::string &text) {
    if (const auto number = parse_whole_number(text); number || parse_number(text)) {
        return number;
    }
    const std::optional<double> number = constant_expression(text);
    const bool is_whole = number && *number == std::round(*number) && std::abs(*number) <= largest_whole;
    return is_whole ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::string mistake_in_number(const std::string &text) {
    const std::string mistake = number_mistake(text);
    if (!mistake.empty() || text.find('(') == std::string::npos) {
        return mistake;
    }
    try {
        return value_of_expression(text) ? "" : "an expression here is of numbers alone, and finite";
    } catch (const Failure &failure) {
        return failure.diagnostics().empty() ? failure.what() : failure.diagnostics().front().message;
    }
}

}  // namespace perdure
