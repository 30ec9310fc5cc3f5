// Names of the files and folders that a run writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "solver/case_file/config.hpp"

namespace perdure {

/// `output.name`, or the case file's stem.
std::string output_name(const Config &config);

/// `output.directory`, or the working directory.
std::filesystem::path output_folder(const Config &config);

/// The name that a member of a sweep gets from what it sets: NAME-problem.a-2-grid.shape-64x64. A value that would not do in a file
/// name is named by a hash, and so is all of it where it is long. A title counts where nothing else is set.
std::string member_name(const std::string &sweep, const decltype(SweepPlace::settings) &settings);

/// `directory/name.vtkhdf`: the answer.
std::filesystem::path result_path(const Config &config);

/// `directory/name.snapshots`: the answer as single files (`output.series: files`), with their list `name.vtkhdf.series`.
std::filesystem::path snapshots_folder(const Config &config);

/// Whether the answer is that folder and not one file.
bool keeps_snapshot_files(const Config &config);

/// `directory/name.partial`: what a run writes before it has an answer.
std::filesystem::path partial_folder(const Config &config);

/// `directory/name.partial/name.vtkhdf`: the snapshots of a series without compression before it has ended.
std::filesystem::path growing_path(const Config &config);

/// The folder in `name.partial/` that becomes `name.snapshots/`.
inline constexpr const char *snapshots_in_partial = "snapshots";

/// `name_000120.vtkhdf`, the step with at least 6 digits.
std::string snapshot_name(const Config &config, std::int64_t step);

/// `directory/name.csv`: what was watched through time.
std::filesystem::path series_path(const Config &config);

/// `name.vtkhdf.series`.
std::string series_name(const Config &config);

/// The step in the name of a snapshot of this case; -1 where the name is another.
std::int64_t step_of_snapshot(const Config &config, const std::string &file);

/// `name_000120.checkpoint`: what a run goes on from.
std::string checkpoint_name(const Config &config, std::int64_t step);

/// The step in the name of a checkpoint of this case; -1 where the name is another.
std::int64_t step_of_checkpoint(const Config &config, const std::string &file);

/// A file's absolute path, whether it exists or not: the same for all its names, with the links in it resolved as far as
/// they lead anywhere.
std::filesystem::path resolved_path(const std::filesystem::path &file);

}  // namespace perdure
