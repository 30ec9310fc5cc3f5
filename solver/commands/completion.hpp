// `perdure completion`: prints scripts for shells, and the candidates for a command line.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// The first word of a command line that asks what its last word may become. Scripts of shells call it.
inline constexpr const char *complete_word = "__complete";

/// What the last word of a command line may become.
struct Completions {
    enum class Files { none, any, cases, folders };
    Files files = Files::none;
    std::vector<std::pair<std::string, std::string>> words;  // each with its meaning, which may be empty
};

/// `words`: the command line behind the program, its last word unfinished or empty. What commands and options take is what the help says
/// of them: {a,b} are words, CASE, FILE and FOLDER files, KEY.PATH=VALUE is a key of a case, EXAMPLE one of inputs/.
Completions complete(const CLI::App &program, const std::vector<std::string> &words);

/// For scripts: the kind of files in the first line, then a word in each, its meaning behind a tab.
std::string to_lines(const Completions &completions);

/// Adds the command, which prints the script for a shell; `chosen` runs it.
void add_completion(CLI::App &program, std::function<ExitCode()> &chosen);

/// Of bash, zsh or fish. Throws Failure for another shell.
std::string completion_script(const std::string &shell);

}  // namespace perdure::commands
