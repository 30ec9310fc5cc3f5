// The directional derivative of a system's rates, for implicit steps.
#pragma once

#include "solver/systems/system.hpp"

namespace perdure::systems {

/// A system of twice as many fields: those of `system`, n of them, and behind them the directions w of a derivative, one for each. Of its
/// results (`rate_of`) the first n are the rates R(u), the next n  dR(u + s w) / ds  at s = 0, and the n behind them the derivatives of each
/// rate by the own field in the own cell, those of the diagonal. Where rates are divided R is what is implicit, and the rest of each follows. Directions continue beyond sides as the derivatives of what fields do there: of a
/// `value` that does not depend on fields by 0. Each term is differentiated by the chain rule, forwards (Griewank and Walther 2008,
/// section 3.1); where a formula jumps, along the branch that it is on.
///
/// A coefficient of exchange that depends on fields is differentiated as the first cell beyond the side has it; of formulas that look
/// further the derivative is then not quite that, and Newton's method is a little slower.
System linearised(const System &system);

/// Whether the derivative that linearised() gives is the same for all u: rates are linear in all fields.
bool has_constant_derivative(const System &linearised);

}  // namespace perdure::systems
