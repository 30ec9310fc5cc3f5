// Describes a run, in its first line and in its report.
#pragma once

#include <cstdint>
#include <string>

#include "solver/run/run_case.hpp"

namespace perdure {

struct RunWords {
    std::string in_short;    // one line, which is printed
    std::string start_line;  // with all choices and their reasons, for the report
    std::string choice;      // what the line tells of, without what differs from case to case
};

/// `bytes`: of all buffers on the device.
RunWords describe_choice(const PreparedCase &prepared, const KernelCall &call, std::int64_t bytes);

/// What follows from the case, its plan and the state at the time of `solution`; launches, barriers, bytes, history and seconds are the
/// caller's.
void describe_run(const PreparedCase &prepared, const RunWords &words, const run_parameters_t &parameters,
                  const run_state_t &state, const Solution &solution, Report &report);

}  // namespace perdure
