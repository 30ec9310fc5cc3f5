// Errors in formulas, shown at their position in the case file.
#pragma once

#include "solver/failure.hpp"
#include "solver/formulas/tree.hpp"

namespace perdure::formulas {

/// The finding at its character, for a formula on one line of a file, without quotes and escapes before that character. Where line or
/// column are not known, the message tells the character of the formula. `start_of_text`: of the formula's first character. The line
/// of the file is for the caller to add, as Findings does.
Diagnostic to_diagnostic(const FormulaError &error, const TextPosition &start_of_text);

}  // namespace perdure::formulas
