// The initial state of a run, except its fields.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/program.h"
#include "solver/run/time_steps.hpp"

namespace perdure {

/// Of a run that chooses its steps: more than it can make.
inline std::int64_t last_step_of(const std::vector<TimeSegment> &segments, bool chosen) {
    return chosen ? std::numeric_limits<std::uint32_t>::max()
                  : segments.back().first_step + static_cast<std::int64_t>(segments.back().steps);
}

/// The state before the first phase; the program is one solve.
inline run_state_t initial_state() {
    run_state_t state{};
    state.control.bad_cell = NO_CELL;
    state.control.slack = ORDERED_PLUS_INFINITY;
    state.steps.largest[0] = state.steps.largest[1] = ORDERED_MINUS_INFINITY;
    state.steps.bad_field = NO_CELL;
    state.solve.best_residual = std::numeric_limits<double>::infinity();
    state.program[0] = {RUN_SOLVE, 0};
    state.program[1] = {STOP_RUN, STOP_NONE};
    begin_program(&state);
    return state;
}

}  // namespace perdure
