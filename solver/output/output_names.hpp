// Names of the files that a run writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "solver/case_file/config.hpp"

namespace perdure {

/// `output.name`, or the case file's stem.
std::string output_name(const Config &config);

/// `directory/name.vtkhdf.series`.
std::filesystem::path series_path(const Config &config);

/// `output.directory`, or the working directory.
std::filesystem::path output_folder(const Config &config);

/// Snapshots and series of this case in its folder, by name. Throws Failure(input_output) when it cannot be listed.
std::vector<std::filesystem::directory_entry> earlier_outputs(const Config &config);

/// Where a file lies, there or not: the same for all its names, links in them followed as far as there are any.
std::filesystem::path place_of(const std::filesystem::path &file);

/// Whether `file` (a name without folder) is a snapshot or the series of this case.
bool is_output_of(const Config &config, const std::string &file);

}  // namespace perdure
