// The kernel parameters of the section solver.
#pragma once

#include <limits>

#include "kernels/parameters.h"
#include "solver/case_file/config.hpp"

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

}  // namespace perdure
