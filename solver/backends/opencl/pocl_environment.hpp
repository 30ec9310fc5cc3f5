// Checks environment variables for values with which PoCL crashes at its start.
#pragma once

#include <string>

namespace perdure::opencl {

/// Whether this process may run on every processor of the machine, numbered from 0.
bool may_use_every_processor();

/// What PoCL's variables hold that it cannot stand, and what was expected; empty where all is well. Call before the OpenCL
/// library loads its drivers.
std::string pocl_environment_fault();

}  // namespace perdure::opencl
