// Rates of which some terms are implicit: time.method: imex.
#pragma once

#include <set>
#include <string>

#include "solver/systems/lowering.hpp"

namespace perdure::systems {

/// Places in a graph; `names`: those of implicit_terms that the terms have.
struct DividedRate {
    int implicit = -1, others = -1;
    std::set<std::string> names;
};

class ImplicitTerms {
  public:
    /// Of the rate of a field.
    ImplicitTerms(const SystemConfig &config, int field) : config_(config), field_(field) {}

    /// The sums of those terms of a formula, between its outermost + and -, that name one of the implicit parts, or all terms where the field
    /// is among them; and of the others. The tree was lowered without a finding, and must outlive `lowering`.
    [[nodiscard]] DividedRate divide(const formulas::Node &tree, Lowering &lowering) const;

  private:
    [[nodiscard]] std::set<std::string> names_of(const formulas::Node &term) const;

    const SystemConfig &config_;
    int field_;
};

/// A finding for each name that is neither a field nor a part that a term names.
void refuse_names_without_terms(const SystemConfig &config, const std::set<std::string> &found,
                                FormulaFindings &findings);

}  // namespace perdure::systems
