// The precisions, in a small header of their own because the kernel texts include it.
#pragma once

namespace perdure {

/// mixed: float64, with multigrid cycles in float32.
enum class Precision { float32, float64, mixed };

}  // namespace perdure
