// The wide tiles that a resident plan can choose from.
#pragma once

#include <cstdint>
#include <span>

#include "solver/case_file/config.hpp"

namespace perdure {

/// Wide tiles: kernels/resident/wide_2d.h.
struct WideVariant {
    const char *size;
    std::int64_t rows_of_warp;
    std::int64_t shared_bytes, values_in_memory;  // of a group
    double single_seconds, paired_seconds;  // of a step, with one and with two groups on a multiprocessor
};
/// Returns the wide tiles of both sizes for the terms of a problem; none where sources change in time, where coefficients vary and
/// sources or sigma occur away from sides, or where they vary in Jacobi, whose scale varies with them.
std::span<const WideVariant> wide_variants_of(const Config &config);

}  // namespace perdure
