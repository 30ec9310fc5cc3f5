// A value of the problem: a number, an expression, a dataset or a labelled image, perhaps scaled in time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "solver/case_file/config.hpp"
#include "solver/case_file/yaml_reader.hpp"

namespace perdure {

/// How a value may be given.
struct ValueRules {
    std::filesystem::path folder;  // that file names are relative to
    std::string factor_refusal;    // why `factor` may not stand here; empty: it may
    bool labels_by_axis = false;   // a label may have a value for each axis, {x: 5, y: 5, z: 1}, or a tensor
};

/// Reads the value; what is wrong becomes findings and leaves the number 0.
ValueSource read_value_source(const YamlValue &value, const ValueRules &rules);

/// A value that was not given: `number`, with the place of what it belongs to.
ValueSource default_value_source(double number, const TextPosition &position);

}  // namespace perdure
