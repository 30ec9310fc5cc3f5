// A kernel and what it is compiled for.
#pragma once

#include <string>

#include "solver/case_file/precision.hpp"

namespace perdure {

/// The problems that a kernel was compiled for: any, or uniform ones alone, of 2 or of 3 dimensions.
enum class KernelForm { any, uniform_2d, uniform_3d };

struct KernelVariant {
    std::string kernel;  // a name of solver/backends/kernel_catalog.hpp
    Precision precision = Precision::float64;
    KernelForm form = KernelForm::any;
    bool cooperative = false;      // with the grid barrier of the platform
    std::string definitions = {};  // text of a case before it (KernelEntry::of_case)
};

}  // namespace perdure
