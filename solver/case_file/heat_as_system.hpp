// Writes heat in the formulas of a system: to be stepped by them if it has a velocity, or if its coefficients, source or sides depend on u or
// t; to be watched in them.
#pragma once

#include <optional>

#include "solver/case_file/config.hpp"
#include "solver/case_file/findings.hpp"

namespace perdure {

/// Whether a case of heat has a velocity, or an expression with u, t or the name of a table in it; factors of t alone leave it as it is.
bool needs_formulas(const Config &config);

/// Makes it the system of one equation
///   du/dt = (div(a grad u) - sigma u + f) / capacity - v . grad u
/// with the same sides. Expressions may name u, t, a, sigma and capacity then. Findings: values of sides that are read from files.
void make_system_of_heat(std::optional<int> dimensions, Config &config, Findings &findings);

/// Leaves it heat and writes the same equation as config.watched_as, for what is watched. Findings: the same.
void watch_heat(Config &config, Findings &findings);

}  // namespace perdure
