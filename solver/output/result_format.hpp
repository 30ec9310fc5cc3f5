// Checks whether this program can read a result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace perdure {

/// Why a result whose format is later than this program's is not read; empty when it is not later. `contents`: as
/// hdf5::describe_contents() gives them.
std::string later_format(const nlohmann::ordered_json &contents);

}  // namespace perdure
