// How long a kernel waits without progress before it gives up.
#pragma once

#include <cstdint>

#include "solver/backends/backend.hpp"

namespace perdure {

/// So many seconds in units of run_parameters_t::wait_limit; what is more than these hold is for ever.
std::uint64_t wait_limit(Device &device, double seconds);

/// That of a run: execution.watchdog; sanitized host code is given more time.
std::uint64_t watchdog_limit(Device &device, const ExecutionConfig &execution);

}  // namespace perdure
