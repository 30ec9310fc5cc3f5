// Which data files a case reads, and as what they stand there now.
#pragma once

#include <string>

#include "solver/case_file/config.hpp"

namespace perdure {

/// A line for each data file: absolute path, bytes, time of its last change in ns, and the XXH3 hash (128 bits) of its bytes.
/// Throws Failure(bad_input) where a file changes while it is hashed.
std::string describe_data_files(const Config &config);

/// Whether the files that a run recorded (as describe_data_files() writes them, or without hashes as perdure 0.1 did) hold what
/// those of the case hold now. A file whose size and time have not changed is not read; one that cannot be read is another.
bool are_same_data_files(const std::string &recorded, const Config &config);

}  // namespace perdure
