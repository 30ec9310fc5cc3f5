// The text of sync/ and kernels/, embedded when the program is built.
#pragma once

#include <string_view>
#include <vector>

namespace perdure::opencl {

struct KernelSource {
    std::string_view path;  // as #include names it, e.g. kernels/cg.h
    std::string_view text;
};

/// Every file that OpenCL C programs may include.
const std::vector<KernelSource> &kernel_sources();

}  // namespace perdure::opencl
