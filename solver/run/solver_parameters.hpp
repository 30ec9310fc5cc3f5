// Kernel parameters: of the section solver, and of a uniform operator.
#pragma once

#include <limits>

#include "kernels/grid.h"
#include "solver/case_file/config.hpp"
#include "solver/run/discretise.hpp"

namespace perdure {

inline void set_solver(const Config &config, run_parameters_t &out) {
    out.norm = config.solver.norm == Norm::max ? NORM_MAX : NORM_L2;
    out.max_iterations = static_cast<std::uint32_t>(config.solver.max_iterations);
    out.check_every = static_cast<std::uint32_t>(config.solver.check_every);
    out.weight = config.solver.weight;
    out.rtol = config.solver.rtol;
    out.atol = config.solver.atol;
    const bool single = config.execution.precision == Precision::float32;
    out.epsilon = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

/// What inner cells of a uniform problem have.
template <typename Real>
void set_inner(const Discretisation<Real> &discretisation, run_parameters_t &out) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const LargeVector<Real> &above =
            out.convective != 0 ? discretisation.across[axis] : discretisation.face[axis];
        out.inner_conductance[WEST + 2 * axis] = static_cast<double>(discretisation.face[axis].front());
        out.inner_conductance[EAST + 2 * axis] = static_cast<double>(above.front());
    }
    const std::size_t place = inner_place(out.dimensions);
    out.inner_diagonal = static_cast<double>(discretisation.diagonal.at(place));
    out.inner_inverse_diagonal = static_cast<double>(discretisation.inverse_diagonal.at(place));
}

}  // namespace perdure
