// `perdure kernels`: compiles kernels for CUDA devices, or for an OpenCL device, ahead of the runs that need them.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// Adds the command; `chosen` becomes what the command line asks for.
void add_kernels(CLI::App &program, std::function<ExitCode()> &chosen);

}  // namespace perdure::commands
