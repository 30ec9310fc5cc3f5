// Tests whether a grid barrier works on a device, and measures how long it takes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "solver/backends/backend.hpp"

namespace perdure {

struct BarrierTrial {
    std::string failure;   // empty: every value read behind a barrier was right
    double seconds = 0.0;  // of one barrier and the exchange of one word
};

/// Trials of barriers on a device with one shape of launches. What the device needs for one trial it has for the next.
class BarrierTrials {
  public:
    BarrierTrials(Device &device, LaunchShape shape) : device_(device), shape_(shape) {}

    /// Runs kernels/barrier_self_test for that many rounds of two barriers; `kind` is a BARRIER_... of sync/grid_barrier.h.
    BarrierTrial run(std::uint32_t kind, std::uint32_t rounds);

  private:
    /// Ready for a launch: every buffer holds zeros.
    void prepare(bool cooperative);
    BarrierTrial launch(const run_parameters_t &parameters);

    Device &device_;
    LaunchShape shape_;
    KernelCall call_;
    std::unique_ptr<DeviceRun> run_;  // null: nothing is prepared
};

}  // namespace perdure
