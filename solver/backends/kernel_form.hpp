// Alone in a header: the texts of kernels need it, and what is compiled with them is read slowly.
#pragma once

namespace perdure {

/// What a kernel was compiled for: any problem, or uniform ones alone, of 2 or of 3 dimensions.
enum class KernelForm { any, uniform_2d, uniform_3d };

}  // namespace perdure
