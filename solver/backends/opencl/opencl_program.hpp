// The OpenCL C program that is compiled for a kernel, put together from the embedded kernel text.
#pragma once

#include <string>

#include "solver/backends/kernel_variant.hpp"

namespace perdure::opencl {

struct OpenclProgram {
    std::string kernel;  // as the text names it
    std::string title;   // with its precision and form, for people
    std::string
        text;  // of this kernel alone, with `#line` so that compiler messages name the files of the source tree
    std::string options;  // of the compiler (opencl_build.hpp)
};

/// Throws Failure(differs_or_internal) where OpenCL has no such kernel.
OpenclProgram make_program(const KernelVariant &variant, const std::string &options);

bool is_experiment(const std::string &kernel);

}  // namespace perdure::opencl
