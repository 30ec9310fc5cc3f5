// What Runge-Kutta-Legendre steps of second order do to a mode of a linear system.
#pragma once

#include <complex>

namespace perdure {

/// What one step multiplies u by where du/dt = lambda u, z = dt lambda:
///   R(z) = 1 - b + b P_s(1 + w z),   b = (s^2 + s - 2) / (2 s (s + 1)),   w = 4 / (s^2 + s - 2),
/// P_s the Legendre polynomial, s the number of stages, 2 or more.
std::complex<double> rkl2_growth(int stages, std::complex<double> z);

}  // namespace perdure
