// `perdure plot`: pictures of results, drawn by the Python package solver/python/perdure/plotting.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// Adds the command for help, manual page and completion, with its options where the first word of the command line, `asked`, needs them.
void add_plot(CLI::App &program, std::function<ExitCode()> &chosen, const std::string &asked);

/// What stands behind `plot` on a command line that asks for a picture and not for help: Python reads it.
std::optional<std::vector<std::string>> words_for_plot(int argc, char **argv);

/// Becomes the Python process that draws. Throws Failure where the package or Python cannot be found.
[[noreturn]] void plot(const std::vector<std::string> &words);

}  // namespace perdure::commands
