// Files as perdure writes them, and ones that deviate from that in a few places.
#pragma once

#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/damage.hpp"

namespace perdure::fuzz {

inline constexpr const char *case_as_read = "{problem: {type: diffusion, a: 1.0}}";
inline constexpr std::size_t result_recipe_bytes = 20;

/// A result in 2D or 3D of the case `case_as_read`, as perdure 0.1 wrote it, of one time or temporal, with up to four attributes or datasets that are absent, of another type
/// or of another extent, and up to two entries of the report's JSON that hold something else.
Image make_result(Bytes recipe);

}  // namespace perdure::fuzz
