// The keys of the section `watch`.
#pragma once

#include <span>

#include "solver/case_file/case_keys.hpp"

namespace perdure {

/// time.stop_when and all of `watch`.
std::span<const CaseKey> watch_keys();

}  // namespace perdure
