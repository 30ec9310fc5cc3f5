// Formulas without derivatives, evaluated by muParser at all points of arrays.
#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

namespace perdure::reference {

using Arrays = std::map<std::string, Eigen::ArrayXd>;  // [points] each
using Numbers = std::map<std::string, double>;

/// Values of `text` at `points` points for those variables. Beyond muParser's own functions it knows if(c, a, b), pow, mod (of the sign
/// of its divisor), floor, ceil, round (half away from zero), and ! that binds less tightly than comparisons.
/// Throws Failure(differs_or_internal) where muParser refuses the text.
Eigen::ArrayXd evaluate_pointwise(const std::string &text, const Arrays &variables, const Numbers &constants,
                                  Eigen::Index points);

}  // namespace perdure::reference
