// Division by a constant in kernels.
#pragma once

#include <cstdint>

#include "kernels/parameters.h"

namespace perdure {

/// Divider of cell indices below 2^31.
divider_t make_divider(std::uint32_t divisor);

}  // namespace perdure
