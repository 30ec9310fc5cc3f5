// A system of equations as given in the case file: texts with their positions, not yet parsed.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/case_file/given_values.hpp"
#include "solver/systems/watch_config.hpp"

namespace perdure {

/// What holds for a field at a side: kind flux: du/dn = values; value: u = values; exchange: du/dn = coefficient (values - u);
/// periodic. n points outwards. Formulas of x, y, z on the side, t, parameters, parts without derivatives, and fields in the cell
/// beside it.
struct SystemSide {
    SideKind kind = SideKind::flux;
    FormulaText values{"0", {}};
    FormulaText coefficient{"0", {}};
};

/// d name / dt = rate.
struct SystemField {
    std::string name;
    ValueSource initial;
    std::string units;  // empty: not given
    FormulaText rate;
    std::optional<FormulaText> exact;  // solution, of x, y, z, t and parameters
    std::array<SystemSide, 6> sides;   // x-, x+, y-, y+, z-, z+
    std::array<bool, 6> own_sides{};   // given with the field, not for all of them
    TextPosition position;
};

/// Names of parts and fields, and where they stand.
using NamedTerms = std::vector<std::pair<std::string, TextPosition>>;

struct SystemConfig {
    std::vector<SystemField> fields;  // in the order of the case file
    std::vector<std::pair<std::string, double>> parameters;
    std::map<std::string, TextPosition> parameter_positions;  // of their names; tests may leave them out
    std::map<std::string, std::string> parameter_units;       // of those that have them
    std::vector<std::pair<std::string, FormulaText>> parts;   // `let`: each may use those before it
    std::vector<std::pair<std::string, ValueSource>>
        coefficients;  // given in each cell: datasets and label images
    std::string flux;  // what flows where an integral over faces does not say: a vector; empty: nothing
    WatchConfig watch;
    /// Parts, whose terms the implicit rates are, and fields, whose rates are implicit as a whole; empty: rates are not divided.
    NamedTerms implicit_terms;
};

}  // namespace perdure
