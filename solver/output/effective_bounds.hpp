// Bounds on an effective conductivity that hold for every structure.
#pragma once

#include <optional>

#include "solver/problem/material_image.hpp"

namespace perdure {

struct Bounds {
    double lower = 0.0;
    double upper = 0.0;
};

/// Harmonic and arithmetic mean (O. Wiener 1912): layers in series and side by side. They hold in every direction of every
/// image, for the discrete problem too.
Bounds wiener_bounds(const MaterialImage &image);

/// Z. Hashin, S. Shtrikman, J. Appl. Phys. 33 (1962) 3125-3131: of isotropic structures of two conductivities, in 2 or 3
/// dimensions; empty where there are more or fewer.
std::optional<Bounds> hashin_shtrikman_bounds(const MaterialImage &image, int dimensions);

}  // namespace perdure
