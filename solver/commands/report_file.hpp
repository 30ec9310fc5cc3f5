// Where reports go: --json FILE, --markdown FILE.
#pragma once

#include <filesystem>
#include <string>

namespace perdure::commands {

/// The file itself where `path` is a link to it, there or not: a link stays one. Throws Failure(input_output), as all here
/// do; `option` is what messages call the file by.
std::filesystem::path behind_links(const std::filesystem::path &path, const std::string &option = "--json");

/// Before the work: throws where the file could not be written. Changes nothing.
void check_writable(const std::filesystem::path &path, const std::string &option);

/// As check_writable, of --json; throws Failure(case_or_usage) where the file holds something else than a report.
void check_json_file(const std::filesystem::path &path);

/// Replaces the file whole or not at all; what is no file (a pipe, /dev/null) is written into.
void write_report_file(const std::filesystem::path &path, const std::string &text,
                       const std::string &option = "--json");

/// The FILE that stands for standard output, where the report then stands alone.
inline constexpr const char *standard_output = "-";

/// As check_json_file, or nothing for standard output.
void check_report_target(const std::string &target);

/// As write_report_file, or to standard output.
void write_report(const std::string &target, const std::string &text);

}  // namespace perdure::commands
