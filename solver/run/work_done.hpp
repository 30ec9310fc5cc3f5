// The progress of a run, with its current solution norm or residual.
#pragma once

#include <cstdint>

#include "kernels/parameters.h"

namespace perdure {

/// Completed time steps or, of a steady run, which makes none, iterations.
inline std::uint32_t work_done(const run_state_t &state) {
    return state.time.step > 0 || state.time.solves != 0 ? state.time.step : state.solve.iteration;
}

/// Norm of the last check: the largest |u| or, of a steady run and of steps that are solves, the true residual.
inline double last_norm(const run_state_t &state) {
    return state.time.step > 0 && state.time.solves == 0 ? state.time.largest : state.solve.residual;
}

}  // namespace perdure
