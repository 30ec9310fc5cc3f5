// `perdure table`: prints and merges tables of batches.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// Adds the command, which sets `chosen`.
void add_table(CLI::App &program, std::function<ExitCode()> &chosen);

}  // namespace perdure::commands
