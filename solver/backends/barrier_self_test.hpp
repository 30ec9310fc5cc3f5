// Tests whether a grid barrier works on a device, and measures how long it takes.
#pragma once

#include <string>

#include "solver/backends/backend.hpp"

namespace perdure {

struct BarrierTrial {
    std::string failure;   // empty: every value read behind a barrier was right
    double seconds = 0.0;  // of one barrier and the exchange of one word
};

/// Runs kernels/barrier_self_test for that many rounds of two barriers; `kind` is a BARRIER_... of
/// sync/grid_barrier.h.
BarrierTrial try_barrier(Device &device, std::uint32_t kind, LaunchShape shape, std::uint32_t rounds);

}  // namespace perdure
