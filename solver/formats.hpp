// Versions of the formats that this program reads and writes.
#pragma once

#include <cstdint>

namespace perdure {

/// Of case files: the largest value of their key `format`. A file without that key has format 1.
inline constexpr std::int64_t case_format = 1;

/// Of results and summaries: attribute `format_version` of an HDF5 file's root. A file without it has format 1.
inline constexpr std::int64_t result_format = 1;

}  // namespace perdure
