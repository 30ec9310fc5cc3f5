// What the values of a case must be: the conditions that check_values() takes.
#pragma once

#include <cmath>

namespace perdure {

inline bool is_finite(double value) {
    return std::isfinite(value);
}

inline bool is_not_negative(double value) {
    return std::isfinite(value) && value >= 0.0;
}

inline bool is_positive(double value) {
    return std::isfinite(value) && value > 0.0;
}

inline bool is_finite_or_nan(double value) {
    return !std::isinf(value);
}

}  // namespace perdure
