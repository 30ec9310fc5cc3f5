// The table NAME.csv of what a run has watched, in the folder of its result.
#pragma once

#include <filesystem>

#include "solver/case_file/config.hpp"
#include "solver/output/series.hpp"

namespace perdure {

/// Writes the table into `name.partial/`, synced to disk, under a name that says of which result it is: `result`, a file or folder
/// that gets its final name next. Throws std::system_error.
void prepare_series_table(const Config &config, const Series &series, const std::filesystem::path &result);

/// Moves the table that was prepared for `result` to its place, where there is one. `result`: under its final name. Throws
/// std::system_error.
void place_series_table(const Config &config, const std::filesystem::path &result);

/// Whether the table next to `result`, the last file of a finished run of the case, holds what the result has under /series; also where
/// nothing was watched. Throws std::system_error and hdf5::Error where one of the two cannot be read, NotAFile where the table is none.
bool is_series_table_of(const Config &config, const std::filesystem::path &result);

/// Makes the table anew from what `result` has, by way of `name.partial/`, which this process has claimed. Throws as above.
void remake_series_table(const Config &config, const std::filesystem::path &result);

/// Whether a file of `name.partial/` is such a table.
bool is_prepared_series_table(const Config &config, const std::string &file);

}  // namespace perdure
