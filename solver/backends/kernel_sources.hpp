// The text of sync/ and kernels/, embedded when the program is built.
#pragma once

#include <string_view>
#include <vector>

namespace perdure {

struct KernelSource {
    std::string_view path;  // as #include names it, e.g. kernels/cg.h
    std::string_view text;
};

/// Every header of sync/ and kernels/.
const std::vector<KernelSource> &kernel_sources();

}  // namespace perdure
