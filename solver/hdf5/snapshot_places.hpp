// Where a file without compression has the values of its snapshots.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "solver/output/snapshot.hpp"

namespace perdure::hdf5 {

/// Offsets of a field's values in the file: of the snapshots that are asked for, in their order, and of the others.
struct FieldPlaces {
    std::string field;
    std::vector<std::uint64_t> kept, others;
};

/// Reads them from a file that GrowingFile has written. `kept`: snapshots, told by their steps. Throws Error where one is not there.
std::vector<FieldPlaces> read_places(const std::filesystem::path &file, std::span<const Snapshot> kept);

}  // namespace perdure::hdf5
