// The data that a device needs before the steps of a launch.
#pragma once

#include <span>
#include <vector>

#include "solver/run/run_memory.hpp"
#include "solver/time_spent.hpp"

namespace perdure {

/// The factors of time in the steps of a launch, as far as the kernel takes them, and what a system's steps begin with. `pause_step`: of a
/// run that chooses its steps, the one behind which the launch ends at the latest. Throws Failure.
template <typename Real>
void upload_segments(const RunMemory<Real> &memory, std::span<const TimeSegment> segments,
                     std::uint32_t pause_step, const KernelCall &call, DeviceRun &run) {
    const TimeSpent::Scope uploading(Activity::upload);
    const std::vector<Real> table = memory.factor_table(segments);
    if (!table.empty()) {
        run.write(call.place_of("factor_table"), table.data(), table.size() * sizeof(Real));
    }
    if (memory.system() != nullptr) {
        const system_setup_t setup = memory.system()->setup(segments.front(), pause_step);
        run.write(call.place_of("setup"), &setup, sizeof setup);
    }
}

}  // namespace perdure
