// `perdure bench`: measures the device; each measurement is a subcommand.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// Adds the command and what it offers; `chosen` becomes what the command line asks for. `command_line` goes
/// into reports.
void add_bench(CLI::App &program, std::function<ExitCode()> &chosen, const std::string &command_line);

}  // namespace perdure::commands
