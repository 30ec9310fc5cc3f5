// `perdure compare CASE`: compares the execution models on one case.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// Adds the command; `chosen` becomes what the command line asks for. `command_line` goes into reports.
void add_compare(CLI::App &program, std::function<ExitCode()> &chosen, const std::string &command_line);

}  // namespace perdure::commands
