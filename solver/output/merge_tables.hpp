// Reads and merges tables of batches, which are files of comma-separated values.
#pragma once

#include <filesystem>
#include <string>

#include "solver/hdf5/summary_file.hpp"

namespace perdure {

/// Whether the first line of a file names the columns that every table begins with and has.
bool is_table(const std::filesystem::path &csv);

/// A table that write_summary() wrote. Throws Failure(input_output) where the file cannot be read, Failure(bad_input) where it is no table.
SummaryColumns read_table(const std::filesystem::path &csv);

/// The rows of both, each case once, the members of a sweep by their number. A case is known by where its result belongs. Of two rows the newer one
/// counts, unless only the older one has an answer.
SummaryColumns merged(const SummaryColumns &older, const SummaryColumns &newer);

/// As a file of comma-separated values holds it.
std::string csv_text(const SummaryColumns &columns);

}  // namespace perdure
