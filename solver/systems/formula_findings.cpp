#include "solver/systems/formula_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "solver/case_file/yaml_tree.hpp"

namespace perdure::systems {
namespace {

constexpr std::size_t most_shown = 100;

/// Positions without a line (of --set) come after those of the file.
auto order_of(const Diagnostic &diagnostic) {
    const TextPosition &position = diagnostic.position;
    return std::tuple(position.line == 0, position.line, position.column, diagnostic.message);
}

/// With the formula as the source line, below the place where it stands in its line of the file.
Diagnostic finding(Diagnostic::Severity severity, const FormulaText &formula, int begin,
                   const std::string &message) {
    Diagnostic result{severity, formula.position, message, {}};
    const auto place = std::min(static_cast<std::size_t>(std::max(begin, 0)), formula.text.size());
    if (formula.position.line == 0) {
        result.message += fmt::format(" (character {} of '{}')", place + 1, shorten(formula.text));
        return result;
    }
    if (!formula.pieces.empty()) {
        const auto behind = std::upper_bound(
            formula.pieces.begin(), formula.pieces.end(), static_cast<int>(place),
            [](int character, const FormulaText::Piece &piece) { return character < piece.begin; });
        const FormulaText::Piece &piece = behind == formula.pieces.begin() ? *behind : *(behind - 1);
        result.position = piece.position;
        result.position.column += std::max(static_cast<int>(place) - piece.begin, 0);
        return result;  // who reads the file knows the line
    }
    const std::string before = formula.text.substr(0, place);
    const std::size_t line_end = before.rfind('\n');
    const std::size_t line_begin = line_end == std::string::npos ? 0 : line_end + 1;
    const int indent = line_begin == 0 ? std::max(formula.position.column, 1) - 1 : 0;
    result.position.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    result.position.column = indent + static_cast<int>(place - line_begin) + 1;
    result.source_line = std::string(indent, ' ') +
                         formula.text.substr(line_begin, formula.text.find('\n', line_begin) - line_begin);
    return result;
}

}  // namespace

void FormulaFindings::error(const FormulaText &formula, int begin, const std::string &message) {
    errors_.push_back(finding(Diagnostic::Severity::error, formula, begin, message));
}

void FormulaFindings::error(const TextPosition &position, const std::string &message) {
    errors_.push_back({Diagnostic::Severity::error, position, message, {}});
}

void FormulaFindings::warn(const FormulaText &formula, int begin, const std::string &message) {
    warnings_.push_back(finding(Diagnostic::Severity::warning, formula, begin, message));
}

void FormulaFindings::throw_if_any() const {
    if (errors_.empty()) {
        return;
    }
    std::vector<Diagnostic> sorted = errors_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Diagnostic &a, const Diagnostic &b) { return order_of(a) < order_of(b); });
    sorted.erase(
        std::unique(sorted.begin(), sorted.end(),
                    [](const Diagnostic &a, const Diagnostic &b) { return order_of(a) == order_of(b); }),
        sorted.end());
    if (sorted.size() > most_shown) {
        const std::size_t left_out = sorted.size() - most_shown;
        sorted.resize(most_shown);
        Diagnostic &last = sorted.emplace_back();
        last.position.file = sorted.front().position.file;
        last.message = fmt::format("{} more errors are not shown", left_out);
    }
    throw Failure(ExitCode::case_or_usage, std::move(sorted));
}

}  // namespace perdure::systems
