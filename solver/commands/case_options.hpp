// The options of commands that take cases.
#pragma once

#include <CLI/CLI.hpp>

#include "solver/commands/commands.hpp"

namespace perdure::commands {

/// Those of run, validate and verify. `options` must outlive the command, here and below.
void add_case_options(CLI::App &command, CaseOptions &options);

/// Those of run alone.
void add_options_of_run(CLI::App &run, CaseOptions &options);

}  // namespace perdure::commands
