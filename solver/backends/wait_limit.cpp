#include "solver/backends/wait_limit.hpp"

#include <algorithm>

namespace perdure {

std::uint64_t wait_limit(Device &device, double seconds) {
    constexpr double most = 9.0e18;
    return static_cast<std::uint64_t>(std::min(seconds * device.wait_units_per_second(), most));
}

std::uint64_t watchdog_limit(Device &device, const ExecutionConfig &execution) {
#ifdef PERDURE_SANITIZED
    constexpr double slowdown = 50.0;
#else
    constexpr double slowdown = 1.0;
#endif
    return wait_limit(device, slowdown * execution.watchdog);
}

}  // namespace perdure
