// Looks into files of snapshots that a run goes on from: whether they are whole, and where those without compression have their values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "solver/output/snapshot.hpp"
#include "solver/problem/problem.hpp"

namespace perdure::hdf5 {

/// Offsets of a field's values in the file: of the snapshots that are asked for, in their order, and of the others.
struct FieldPlaces {
    std::string field;
    std::vector<std::uint64_t> kept, others;
};

/// Reads them from a file that GrowingFile has written. `kept`: snapshots, told by their steps. Throws Error where one is not there.
std::vector<FieldPlaces> read_places(const std::filesystem::path &file, std::span<const Snapshot> kept);

/// Throws Error where the file cannot be opened, one of the snapshots, told by their steps, is not in it, or a field of these names is missing,
/// has another shape than the grid, or has no values.
void expect_snapshots(const std::filesystem::path &file, std::span<const Snapshot> snapshots,
                      const Grid &grid, const std::vector<std::string> &fields);

}  // namespace perdure::hdf5
