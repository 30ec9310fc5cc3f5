// A case at other sizes.
#pragma once

#include <optional>
#include <string>

#include "solver/case_file/config.hpp"

namespace perdure::compare {

/// Cells along the longest side.
std::int64_t own_size(const Config &config);

/// The key whose values come from a dataset of a fixed shape.
std::optional<std::string> fixed_by_dataset(const Config &config);

/// The case with `size` cells along its longest side, in the same box. Throws Failure(case_or_usage) where fields come
/// from datasets of a fixed shape, or there would be 2^31 cells or more.
Config at_size(const Config &config, std::int64_t size);

}  // namespace perdure::compare
