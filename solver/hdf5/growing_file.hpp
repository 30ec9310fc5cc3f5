// A file that takes the snapshots of a run one after the other, and is whole after each system call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "solver/file_descriptor.hpp"
#include "solver/hdf5/encode_file.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {

/// Snapshots without compression. The values of each are written once, where they stay. Then the contents, which are all objects of the
/// file (names, times, the index of the values, the report), are written where no earlier ones in use are, and a single write into the
/// superblock leads from the earlier contents to the new ones. Both times what was written is synced to disk first. A process that is killed
/// at any moment so leaves a file of all snapshots whose add() has returned: a static one of one snapshot, a temporal one of several.
///
/// Contents that several later add() have replaced are overwritten: a reader that has the file open should open it again.
class GrowingFile {
  public:
    /// Whether it can hold such snapshots, and they are large enough to be worth it: the contents are written anew with each.
    static bool can_hold(const Config &config, const Grid &grid, const Solution &solution);

    /// Creates it. It is an HDF5 file from the first add() on. What it is made with must outlive it. Throws std::system_error.
    GrowingFile(const Config &config, const Grid &grid, const std::filesystem::path &path);

    /// Opens one that an earlier process left, to go on behind the snapshots `kept`: the first add() takes the others away. Throws
    /// std::system_error, and Error where a snapshot is not there.
    GrowingFile(const Config &config, const Grid &grid, const std::filesystem::path &path,
                std::span<const Snapshot> kept);

    /// Adds the last of `snapshots`, which are all that the file then has; `solution` is that one. Throws std::system_error and Error; the
    /// file then has the snapshots before and is as long as it was, and is not to be added to.
    void add(const Solution &solution, const std::vector<Snapshot> &snapshots);

    /// The next snapshot that is added replaces the last one.
    void take_again() { take_out(places_.empty() ? 0 : places_.front().times.size() - 1); }

    /// Writes the contents with the report of `last`, the solution of the last snapshot. Throws as add().
    void finish(const Solution &last, const std::vector<Snapshot> &snapshots);

  private:
    /// Of a field: where the values of each time are, and those that no snapshot has any more.
    struct Places {
        std::string field;
        std::vector<std::uint64_t> times, left, free;  // `left`: free once the contents do not tell of them
    };

    void take_out(std::size_t times);
    void place_values(const Solution &solution);
    void write_contents(const Solution &last, const std::vector<Snapshot> &snapshots, std::size_t versions);
    [[nodiscard]] EncodedObjects encode(const Solution &last, const std::vector<Snapshot> &snapshots,
                                        std::uint64_t begin) const;
    void write(std::span<const unsigned char> bytes, std::uint64_t place) const;
    void lengthen() const;
    /// What a write that failed has left behind the end, which the disk may need.
    void give_back_rest() const;
    void sync() const;

    const Config &config_;
    const Grid &grid_;
    FileDescriptor file_;
    std::vector<Places> places_;  // in the order of the fields
    std::uint64_t end_;           // of all that has a place
    std::uint64_t end_in_superblock_ = 0;
    bool is_whole_ = false;
    struct {
        std::uint64_t begin = 0, bytes = 0;  // of room for several versions; of one
        std::size_t versions = 0, next = 0;
    } contents_;
};

}  // namespace perdure::hdf5
