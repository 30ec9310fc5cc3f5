// The meanings of the names in the formulas of a system.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "solver/formulas/tree.hpp"
#include "solver/systems/formula_findings.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::systems {

struct Symbol {
    enum class Kind { number, coordinate, time, field, parameter, coefficient, part };
    Kind kind = Kind::number;
    int index = 0;  // in its table; of a coordinate: the axis
    double number = 0.0;
};

/// A `let` part with its tree.
struct Part {
    std::string name;
    FormulaText text;
    formulas::Node tree;
    bool parsed = false;
    bool usable = false;  // no finding about it; set when it is checked
    bool differentiates = false;
    bool has_noise = false;
    bool needs_run = false;  // has fields, coefficients, time, noise or derivatives
};

/// What a formula is for, which decides what may stand in it.
enum class FormulaUse {
    rate,
    part,
    side,     // no derivatives, no noise
    initial,  // no fields, coefficients, time, noise or derivatives
    watched,
    exact,   // no fields or derivatives
    stop,    // no derivatives
    value,   // of x, y, z and random() alone
    factor,  // of t alone
};

class Symbols {
  public:
    /// Parses the parts. Findings: formulas that do not parse, names that stand for two things.
    Symbols(const SystemConfig &config, int dimensions, FormulaFindings &findings);

    /// Null: there is none.
    [[nodiscard]] const Symbol *find(const std::string &name) const;

    /// Findings about names, functions and numbers of arguments that may not stand there. `part`: which part it is, of a part.
    void check(const FormulaText &text, const formulas::Node &tree, FormulaUse use, FormulaFindings &findings,
               int part = 0) const;
    [[nodiscard]] std::vector<Part> &parts() { return parts_; }
    [[nodiscard]] const std::vector<Part> &parts() const { return parts_; }

  private:
    void add(const std::string &name, const Symbol &symbol, const TextPosition &position,
             FormulaFindings &findings);

    void describe(Part &part) const;
    [[nodiscard]] bool all_known(const formulas::Node &tree) const;
    [[nodiscard]] std::map<std::string, Symbol> symbols_in(const formulas::Node &tree) const;
    [[nodiscard]] std::string why_not(const Symbol &symbol, FormulaUse use, int part) const;

    int dimensions_;
    std::map<std::string, Symbol> symbols_;
    std::vector<Part> parts_;
};

/// Reads the tree of a formula; a finding and false where it cannot be read.
bool parse_formula(const FormulaText &text, formulas::Node &tree, FormulaFindings &findings);

}  // namespace perdure::systems
