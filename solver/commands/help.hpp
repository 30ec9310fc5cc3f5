// `perdure help`: commands, keys of a case, functions of formulas and exit codes, one topic at a time; and the manual page.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// What the codes of the program mean.
inline constexpr const char *exit_codes =
    "0 converged or complete, 1 verify found a difference or internal error,\n2 error in the case file or on "
    "the command line, 3 iteration or accuracy limit,\n4 diverged, NaN, breakdown or stagnation, 5 bad input "
    "data, 6 file error,\n7 device failed or no progress, 8 computed by another process, 75 stopped";

/// Adds the command, to be called when all others are there; `chosen` runs it.
void add_help(CLI::App &program, std::function<ExitCode()> &chosen);

/// On a topic: a command, a subject (subjects.hpp), a key or a section of case files, the last word of a key, a problem.type, a function, `formulas` or
/// `exit-codes`. Throws Failure(case_or_usage) where there is none of that name.
std::string help_on(const CLI::App &program, const std::string &topic);

/// The words that help_on() takes, but for last words of keys.
std::vector<std::string> help_topics(const CLI::App &program);

/// perdure(1), for man.
std::string manual_page(const CLI::App &program);

}  // namespace perdure::commands
