// Vectors in formulas, such as a*grad(u) + (vx, vy)/2, as sums of scalar factors times gradients or lists of components.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/reference/formula_tokens.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::reference {

/// Named parts of a system as tokens, in their order; each may use those before it.
using NamedParts = std::vector<std::pair<std::string, Tokens>>;
NamedParts read_parts(const SystemConfig &system);

/// nullptr: there is none of that name.
const Tokens *find_part(const NamedParts &parts, const std::string &name);

/// A factor times the gradient of one formula, or times a vector with those components.
struct VectorTerm {
    Tokens factor;
    bool gradient = false;
    std::vector<Tokens> formulas;
};

/// Whether grad(), a list in brackets or a part that is a vector stands outside the arguments of calls.
bool is_vector(TokenSpan formula, const NamedParts &parts);

/// The terms of a vector: sums, signs and brackets multiplied out; parts that are vectors replaced by their text.
/// Throws Failure(differs_or_internal) for a formula that is no such vector.
std::vector<VectorTerm> vector_terms(TokenSpan formula, const NamedParts &parts);

}  // namespace perdure::reference
