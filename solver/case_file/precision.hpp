// Alone in a header: the texts of kernels need it, and what is compiled with them is read slowly.
#pragma once

namespace perdure {

/// mixed: float64, with multigrid cycles in float32.
enum class Precision { float32, float64, mixed };

}  // namespace perdure
