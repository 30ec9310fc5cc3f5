// A folder in memory for the files that a target hands to the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace perdure::fuzz {

/// /dev/shm/perdure-fuzz-PID, made on the first call and removed when the process exits.
const std::filesystem::path &scratch_folder();

/// Replaces the contents of the file `name` in the scratch folder; returns its path.
std::filesystem::path put_file(const std::string &name, std::span<const std::uint8_t> bytes);

}  // namespace perdure::fuzz
