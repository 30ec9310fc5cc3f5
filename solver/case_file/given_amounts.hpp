// The values of a case that stand in its equation or in the conditions of its sides, with units and without.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/units_of_terms.hpp"
#include "solver/case_file/yaml_tree.hpp"
#include "solver/systems/units.hpp"

namespace perdure {

/// A number with units.
struct GivenAmount {
    YamlNode *node;
    std::string path;
    double number;
    systems::UnitsInDetail units;
    UnitsOfTerm composition;
};

/// A number, formula or dataset without units.
struct PlainValue {
    std::string path, text;
    UnitsOfTerm composition;
};

/// Those with units, and those without that are not 0. Adds findings about units that cannot be read or are none of the value's.
/// `type`: the word of problem.type.
std::pair<std::vector<GivenAmount>, std::vector<PlainValue>> find_given_values(YamlNode &root,
                                                                               std::string_view type,
                                                                               Findings &findings);

}  // namespace perdure
