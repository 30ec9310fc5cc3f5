// Where --json FILE goes.
#pragma once

#include <filesystem>
#include <string>

namespace perdure::commands {

/// Before the work: throws Failure(input_output) where the file could not be written, Failure(case_or_usage) where it
/// holds something else than a report. Changes nothing.
void check_json_file(const std::filesystem::path &path);

/// Replaces the file whole or not at all; what is no file (a pipe, /dev/null) is written into. Throws
/// Failure(input_output).
void write_json_file(const std::filesystem::path &path, const std::string &text);

/// The FILE that stands for standard output, where the report then stands alone.
inline constexpr const char *standard_output = "-";

/// As check_json_file, or nothing for standard output.
void check_report_target(const std::string &target);

/// As write_json_file, or to standard output.
void write_report(const std::string &target, const std::string &text);

}  // namespace perdure::commands
