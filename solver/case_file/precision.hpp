// The precisions, in a small header of their own because the kernel texts include it.
#pragma once

namespace perdure {

/// mixed: float64, with multigrid cycles in float32.
enum class Precision { float32, float64, mixed };

/// Of the run's fields: those of mixed precision are float64.
inline Precision field_precision(Precision precision) {
    return precision == Precision::float32 ? Precision::float32 : Precision::float64;
}

}  // namespace perdure
