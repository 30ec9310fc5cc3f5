// Collects the errors in the formulas of a system, so that all of them are reported at once.
#pragma once

#include <string>
#include <vector>

#include "solver/failure.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::systems {

class FormulaFindings {
  public:
    /// About the characters of the formula from `begin` on.
    void error(const FormulaText &formula, int begin, const std::string &message);
    void warn(const FormulaText &formula, int begin, const std::string &message);
    /// About a place in the case file.
    void error(const TextPosition &position, const std::string &message);

    [[nodiscard]] std::size_t errors() const { return errors_.size(); }
    [[nodiscard]] const std::vector<Diagnostic> &warnings() const { return warnings_; }

    /// Throws Failure(case_or_usage) with every error, in the order of the file and each once, if there is any.
    void throw_if_any() const;

  private:
    std::vector<Diagnostic> errors_, warnings_;
};

}  // namespace perdure::systems
