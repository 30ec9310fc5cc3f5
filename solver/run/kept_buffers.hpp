// Device memory that is reused by the next solve of the same shape.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "solver/backends/backend.hpp"

namespace perdure {

class KeptBuffers {
  public:
    /// Device::prepare(), where buffers take the memory that the solve before had under the same name and with as many bytes on the
    /// same device; the rest of that is given back first. What this solve has is kept for the next.
    std::unique_ptr<DeviceRun> prepare(KernelCall call, LaunchShape shape, Device &device);

    /// Nothing stays that takes more than an eighth of the device: plans of other cases count on what is free.
    void give_back_most();
    void give_back() { memory_.clear(); }

  private:
    const Device *device_ = nullptr;
    std::size_t bytes_ = 0;
    std::map<std::string, SharedMemory> memory_;  // by name and bytes
};

}  // namespace perdure
