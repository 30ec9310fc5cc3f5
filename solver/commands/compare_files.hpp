// The files that `perdure compare` goes on with and writes.
#pragma once

#include <filesystem>
#include <string>

#include "solver/compare/compare.hpp"

namespace perdure::commands {

/// Takes over what an earlier call left in the file. Throws Failure(case_or_usage) where it holds something that this
/// comparison cannot be added to, Failure(input_output) where it could not be written.
void resume_comparison(const std::filesystem::path &path, compare::Comparison &comparison);

/// Before the work, as check_json_file does.
void check_markdown_file(const std::filesystem::path &path);

/// Replaces the file whole or not at all. Throws Failure(input_output).
void write_markdown_file(const std::filesystem::path &path, const std::string &text);

}  // namespace perdure::commands
