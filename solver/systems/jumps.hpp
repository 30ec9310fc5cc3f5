// Warns about derivatives of values that jump from cell to cell.
#pragma once

#include "solver/systems/formula_findings.hpp"
#include "solver/systems/symbols.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::systems {

/// Warnings where a derivative is taken of what jumps from cell to cell: a comparison, if(), floor() and the like of what differs from
/// cell to cell, or a coefficient from labels. There a difference is a number / h and not near any derivative. The coefficient in
/// div(a*grad(u)) may jump, and so may what conserve() and upwind() are of. Formulas are sound.
void warn_of_jumps(const SystemConfig &config, const Symbols &symbols, FormulaFindings &findings);

}  // namespace perdure::systems
