// The program's version and what it was built with.
#pragma once

#include <string>

namespace perdure {

/// "0.1.0"
std::string version();

/// "CUDA yes, OpenCL yes": the back ends in this program.
std::string built_with();

}  // namespace perdure
