// Writes reports to files: --json=FILE, --markdown FILE.
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

/// Replaces the file whole or not at all. Refuses what is no regular file (a pipe, a device).
void write_report_file(const std::filesystem::path &path, const std::string &text,
                       const std::string &option = "--json");

}  // namespace perdure::commands
