// One OpenCL C program per precision and one of all experiments, put together from the embedded kernel text.
#pragma once

#include <string>

#include "solver/case_file/config.hpp"

namespace perdure::opencl {

/// All kernels of a precision as one text, with `#line` so that compiler messages name the files of the
/// source tree.
std::string program_text(Precision precision);

/// All kernels of kernels/experiments/list.h as one text.
std::string experiments_text();
bool is_experiment(const std::string &kernel);

}  // namespace perdure::opencl
