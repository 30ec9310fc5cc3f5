// Writes the results of one run. A file gets its final name only when it is complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "solver/output/run_folder.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/solution.hpp"
#include "solver/output/solution_parts.hpp"
#include "solver/output/temporal_result.hpp"

namespace perdure {

namespace hdf5 {
class GrowingFile;
}

/// Writes snapshots as VTKHDF and CF/xarray files (see solver/hdf5) into `name.partial/`, which this process has claimed (check_output.hpp).
/// Those of a series without compression go into one file, `name.partial/name.vtkhdf`, which has all that are written (hdf5::GrowingFile);
/// others are a file each. finish() makes the result of them and gives it its name:
///   one snapshot                       name.vtkhdf, that file
///   several                            name.vtkhdf, one temporal file
///   and what was watched               name.csv
///   heat with `output.series: files`   name.snapshots/, the files and their list name.vtkhdf.series
/// A process that is killed leaves the earlier result or the new one, and at most `name.partial/` besides.
class ResultWriter {
  public:
    /// Empties `name.partial/`, but for what is `kept`: the snapshots of a run that goes on, by their names, which are of this run from
    /// then on, and its checkpoints up to step `kept_until`. `replace`: results of the name that are there are replaced by finish(), and
    /// only there. Throws Failure(bad_input) where a snapshot that is to be kept is not there.
    ResultWriter(const Config &config, const Grid &grid, bool replace, const std::vector<Snapshot> &kept = {},
                 std::int64_t kept_until = -1);
    ResultWriter(const ResultWriter &) = delete;
    ResultWriter &operator=(const ResultWriter &) = delete;
    ~ResultWriter();

    /// Writes one snapshot, synced to disk, and returns the path of the file that it is in. `is_last`: no other follows. Throws
    /// Failure(input_output).
    std::filesystem::path write(const Solution &solution, bool is_last = false);

    /// The same of a run that makes one field after the other. The path is known at the end.
    std::filesystem::path write(FieldStream &fields);

    /// Throws Failure(differs_or_internal) where a field has not one value per cell and component.
    void expect_size(const FieldResult &field) const;

    /// Whether `last` is of a run that was stopped, and a result is there: finish() is not for it, because a result is replaced by a
    /// finished one alone.
    [[nodiscard]] bool keeps_earlier_result(const Solution &last) const;

    /// Puts the result in place and removes the snapshots that went into it. `last`: the last solution written. Returns
    /// the path of the result: of the file, or of the folder. Throws Failure(input_output); snapshots then stay in
    /// `name.partial/`.
    std::filesystem::path finish(const Solution &last);

    [[nodiscard]] const std::vector<Snapshot> &snapshots() const { return written_; }
    /// How many the file has that was written last.
    [[nodiscard]] std::size_t snapshots_in_file() const { return growing_ != nullptr ? written_.size() : 1; }

  private:
    void take_up(const std::vector<Snapshot> &kept);
    std::filesystem::path write(SolutionParts &parts, const std::string &shown, double megabytes);
    std::filesystem::path grow(const Solution &solution);
    /// Runs an action that writes the file `shown` of `name.partial/`. Throws Failure(input_output).
    void attempt_to_write(const std::filesystem::path &shown, double megabytes,
                          const std::function<void()> &action) const;
    void leave_out_earlier(std::int64_t step);
    /// The result before it has its name.
    std::filesystem::path make_file(const Solution &last);
    std::filesystem::path make_folder();
    /// What kept the action from writing the table of what was watched, which the result does without.
    [[nodiscard]] std::optional<Failure> try_table(const std::filesystem::path &result,
                                                   const std::function<void()> &action) const;

    Config config_;
    Grid grid_;
    bool replace_;
    RunFolder folder_;
    std::vector<Snapshot> written_;
    std::unique_ptr<hdf5::GrowingFile> growing_;  // else:
    TemporalResult temporal_;
};

}  // namespace perdure
