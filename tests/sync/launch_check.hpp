// One launch of a kernel of kernels/experiments that checks itself, and the shapes it is tried in.
#pragma once

#include <algorithm>
#include <chrono>

#include "solver/backends/wait_limit.hpp"
#include "sync/grid_sync.h"
#include "tests/kernels/run_problem.hpp"

namespace perdure::tests {

template <typename Value>
KernelBuffer filled(const char *name, const std::vector<Value> &values) {
    return {name, values.size() * sizeof(Value), values.data()};
}

/// A launch that has ended. Buffers behind control, sync and state count from 0.
class Launched {
  public:
    Launched(Device &device, const std::string &kernel, LaunchShape shape, run_parameters_t parameters,
             const std::vector<KernelBuffer> &buffers, double patience_seconds = 10.0) {
        KernelCall call{kernel, Precision::float64, {}};
        call.buffers = {{"control", sizeof(control_t), nullptr},
                        {"sync", grid_sync_bytes(static_cast<std::uint32_t>(shape.groups)), nullptr},
                        {"state", sizeof(run_state_t), nullptr}};
        call.buffers.insert(call.buffers.end(), buffers.begin(), buffers.end());
        parameters.wait_limit = wait_limit(device, patience_seconds);
        run_ = device.prepare(call, shape);
        launch(parameters);
    }

    /// Again, on the same memory.
    void launch(const run_parameters_t &parameters) {
        run_->launch(parameters, true);
        while (!run_->finished(std::chrono::milliseconds(100))) {
        }
        run_->read(1, &sync, sizeof sync);
        run_->read(2, &state, sizeof state);
    }

    template <typename Value>
    std::vector<Value> read(std::size_t buffer, std::size_t count) {
        std::vector<Value> values(count);
        run_->read(3 + buffer, values.data(), count * sizeof(Value));
        return values;
    }

    grid_sync_t sync{};
    run_state_t state{};

  private:
    std::unique_ptr<DeviceRun> run_;
};

/// Groups of 32 to 512 items on GPUs, of one and of several elsewhere; at most `most` groups.
inline std::vector<LaunchShape> shapes_to_try(Device &device, const std::string &kernel, int most) {
    const DeviceDescription &description = device.description();
    std::vector<int> sizes{1};
    if (description.gpu) {
        sizes = {32, 96, 256, 512};
    } else if (description.backend == BackendChoice::opencl) {
        sizes = {1, 8};
    }
    const int largest = device.largest_group_size({kernel, Precision::float64});
    const int least = description.backend == BackendChoice::host ? 5 : 1;
    std::vector<LaunchShape> shapes;
    for (const int size : sizes) {
        if (size <= largest) {
            const int resident = device.resident_groups({kernel, Precision::float64}, size);
            shapes.push_back({std::min(most, std::max(least, resident)), size});
        }
    }
    return shapes;
}

}  // namespace perdure::tests
