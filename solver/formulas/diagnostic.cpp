#include "solver/formulas/diagnostic.hpp"

#include <fmt/format.h>

namespace perdure::formulas {

Diagnostic to_diagnostic(const FormulaError &error, const TextPosition &start_of_text) {
    Diagnostic diagnostic{Diagnostic::Severity::error, start_of_text, error.what(), {}};
    if (start_of_text.line > 0 && start_of_text.column > 0) {
        diagnostic.position.column += error.begin();
    } else {
        diagnostic.message += fmt::format(" (at character {} of the formula)", error.begin() + 1);
    }
    return diagnostic;
}

}  // namespace perdure::formulas
