// Completes the output of a run that ended, or was killed, right behind its result.
#pragma once

#include <filesystem>

#include "solver/case_file/config.hpp"

namespace perdure {

/// Of a case that is finished: removes the `name.partial/` of a process that was killed right behind its result, and sees that the table of
/// what was watched is there, and that of this result: where a process was killed or could not write before it had placed the table, it is
/// made anew from the result, and a message says so. `answer`: the file of the result that holds the last field. Throws
/// Failure(input_output).
void complete_result(const Config &config, const std::filesystem::path &answer);

}  // namespace perdure
