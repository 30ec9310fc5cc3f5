// Finds the results of earlier runs with the output name of a case.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/output/snapshot.hpp"

namespace perdure {

struct StoredResults {
    /// Files and folders of finished runs: `name.vtkhdf`, `name.snapshots/`, and `name_000120.vtkhdf` and
    /// `name.vtkhdf.series` as perdure 0.1 wrote them.
    std::vector<std::filesystem::path> finished;
    /// The file among them with the last field; of several results (a run that replaced another was killed between the two)
    /// the newest one's. Empty when there is none.
    std::filesystem::path answer;
    /// Files with the snapshots of a run that did not end, in `name.partial/`: one of all, or one of each, by step.
    std::vector<std::filesystem::path> unfinished;
};

/// Throws Failure(input_output) when a folder cannot be listed. A folder that is not there holds nothing.
StoredResults find_stored_results(const Config &config);

/// The names of the files that a ParaView series lists; nothing where the file is no series.
std::optional<std::vector<std::string>> files_of_series(const std::filesystem::path &file);

/// Writes such a list of snapshots, whose files are in its folder. Throws std::system_error.
void write_series_list(const std::filesystem::path &file, const std::vector<Snapshot> &snapshots);

/// Moves the finished results but for `kept` into `name.partial/`, which this process has claimed and empties then: under its
/// own name each is whole until it is gone. Returns what could not be moved, in words; empty when all could.
std::string withdraw_finished_results(const Config &config, const std::filesystem::path &kept);

/// Empties `name.partial/`, which this process has claimed, but for files of snapshots and checkpoints up to step `kept_until`; the file
/// of all snapshots stays where there is such a step.
void remove_unfinished_results(const Config &config, std::int64_t kept_until = -1);

}  // namespace perdure
