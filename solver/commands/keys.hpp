// `perdure keys` and `perdure schema`: print what a case file can contain.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// Adds both commands to the command line; `chosen` runs the one that is given.
void add_keys(CLI::App &program, std::function<ExitCode()> &chosen);

}  // namespace perdure::commands
