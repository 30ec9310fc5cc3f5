// Describes the contents of an HDF5 file as JSON. Runs in the helper process.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace perdure::hdf5 {

/// Of a perdure output: title, source, grid, time, step, fields with statistics, report, effective
/// properties, history summary and case text. Of the table of a batch and of another HDF5 file: its datasets with shape and
/// type (at most 1000). Numbers that are not finite become null. Throws Failure(input_output) or Error when it is damaged.
nlohmann::ordered_json describe_contents(const std::filesystem::path &file);

/// Its `kind` alone: "perdure output", "perdure table" or "HDF5". Of an output of a later format, too.
nlohmann::ordered_json describe_origin(const std::filesystem::path &file);

}  // namespace perdure::hdf5
