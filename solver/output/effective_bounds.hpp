// Bounds on an effective conductivity that hold for every structure.
#pragma once

#include <optional>

#include "solver/problem/material_image.hpp"

namespace perdure {

struct Bounds {
    double lower = 0.0;
    double upper = 0.0;
};

/// Harmonic and arithmetic mean of the conductivities along an axis (O. Wiener 1912): layers in series and side by side. Of tensors: entries of
/// the mean, and the inverse of that of the mean inverse. They hold in that direction of every image, for the discrete problem too.
Bounds wiener_bounds(const MaterialImage &image, int axis);

/// Z. Hashin, S. Shtrikman, J. Appl. Phys. 33 (1962) 3125-3131: of isotropic structures of any number of conductivities, in 2 or 3
/// dimensions. Empty where conductivities vary by axis.
std::optional<Bounds> hashin_shtrikman_bounds(const MaterialImage &image, int dimensions);

}  // namespace perdure
