// Collects all snapshots of a run in one file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "solver/output/snapshot.hpp"
#include "solver/output/solution.hpp"

namespace perdure {

/// It grows while the run goes on, so that at its end little is left to write. It is a temporary file in `name.partial/`: a killed run
/// leaves its snapshots, from which the file is made again.
class TemporalResult {
  public:
    TemporalResult() = default;
    TemporalResult(const TemporalResult &) = delete;
    TemporalResult &operator=(const TemporalResult &) = delete;
    ~TemporalResult();

    /// Takes over the snapshots that it does not have yet. `solution`: that of the last snapshot. Where that fails, whatever
    /// the reason, the file is removed, which leaves the disk to the snapshots: finish() begins again, and says why where it fails too.
    void grow(const Config &config, const Grid &grid, const std::vector<Snapshot> &snapshots,
              const Solution &solution);

    /// From number `time` on snapshots are others than those it has taken over.
    void take_again_from(std::size_t time);

    /// Takes over what is missing and completes the file, synced to disk; its path. `last`: the solution of the last snapshot, whose
    /// report is that of the run. Throws std::system_error and hdf5::Error; the file then is removed.
    std::filesystem::path finish(const Config &config, const Grid &grid,
                                 const std::vector<Snapshot> &snapshots, const Solution &last);

  private:
    void take_over(const Config &config, const Grid &grid, const std::vector<Snapshot> &snapshots,
                   const Solution &solution);
    void remove();

    std::filesystem::path path_;        // empty: there is none
    std::size_t taken_ = 0;             // snapshots
    std::vector<unsigned char> bytes_;  // on their way
};

}  // namespace perdure
