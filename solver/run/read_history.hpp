// Reads the history of a run from the device.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/output/solution.hpp"
#include "solver/time_spent.hpp"

namespace perdure {

/// The first `length` entries of the kernel's history. `in_launch`: the kernel goes on meanwhile, and these are behind it.
inline std::vector<HistoryEntry> read_history(DeviceRun &run, std::size_t buffer, std::uint32_t length,
                                              bool in_launch) {
    const TimeSpent::Scope downloading(Activity::download);
    std::vector<double> raw(3 * std::size_t{length});
    const std::size_t bytes = raw.size() * sizeof(double);
    if (in_launch) {
        run.read_while_running(buffer, raw.data(), bytes, 0);
    } else {
        run.read(buffer, raw.data(), bytes);
    }
    std::vector<HistoryEntry> history(length);
    for (std::size_t i = 0; i < history.size(); ++i) {
        history[i] = {static_cast<std::int64_t>(raw[3 * i]), raw[3 * i + 1], raw[3 * i + 2] - raw[2]};
    }
    return history;
}

}  // namespace perdure
