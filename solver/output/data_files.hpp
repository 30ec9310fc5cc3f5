// Which data files a case reads, and as what they stand there now.
#pragma once

#include <string>

#include "solver/case_file/config.hpp"

namespace perdure {

/// A line for each data file: absolute path, bytes, time of its last change in ns. Two runs of one case text read the same
/// data when these are equal.
std::string describe_data_files(const Config &config);

}  // namespace perdure
