// The data files of a case, with their sizes, times and hashes.
#pragma once

#include <future>
#include <string>

#include "solver/case_file/config.hpp"

namespace perdure {

/// A line for each data file: absolute path, bytes, time of its last change in ns, and the XXH3 hash (128 bits) of its bytes.
/// Throws Failure(bad_input) where a file changes while it is hashed.
std::string describe_data_files(const Config &config);

/// The same in a thread of its own, while the files are read; at once where they have been hashed before, as by another member of a sweep.
/// `config` must stay.
std::future<std::string> describe_meanwhile(const Config &config);

/// What describe_meanwhile() began. Throws Failure(bad_input) when a file was changed since.
std::string unchanged(std::future<std::string> &description, const Config &config,
                      const std::string &case_name);

/// The first of the files that a run recorded (as describe_data_files() writes them, or without hashes as perdure 0.1 did) that is not
/// what that of the case is now, e.g. "'image.h5' is not there"; empty where all are. A file whose size and time have not changed is
/// not read; one that cannot be read is another.
std::string difference_of_data_files(const std::string &recorded, const Config &config);

}  // namespace perdure
