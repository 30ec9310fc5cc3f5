// Describes an error on the command line.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace perdure::commands {

/// Describes the word of the command line that is wrong or missing, and suggests the nearest word that is right. The second line names
/// the help text to read.
std::string usage_error(const CLI::App &program, const CLI::ParseError &error, int argc, char **argv);

}  // namespace perdure::commands
