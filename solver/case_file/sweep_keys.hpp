// The keys of `sweep`, which are part of the table of all keys (case_keys.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "solver/case_file/case_keys.hpp"

namespace perdure {

std::span<const CaseKey> sweep_keys();

/// Whether a path leads to a key of a range: sweep.solver.rtol.from, sweep.sample.keys.problem.a.to.
bool is_of_swept_range(const std::vector<std::string> &parts);

}  // namespace perdure
