// Alone in a header: the texts of kernels need it, and what is compiled with them is read slowly.
#pragma once

namespace perdure {

enum class Precision { float32, float64 };

}  // namespace perdure
