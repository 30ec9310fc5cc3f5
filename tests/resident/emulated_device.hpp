// A device on the host whose launches are emulated items (emulated_cuda.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/backends/backend.hpp"

namespace perdure::tests {

/// The buffers of a launch, in their order.
class EmulatedMemory {
  public:
    explicit EmulatedMemory(const KernelCall &call);

    /// Null where the call has no such buffer.
    template <typename Type>
    Type *at(std::size_t buffer) {
        return buffer < buffers_.size() ? reinterpret_cast<Type *>(buffers_[buffer].data()) : nullptr;
    }

  private:
    struct alignas(128) Line {
        unsigned char bytes[128];
    };
    std::vector<std::vector<Line>> buffers_;
};

/// What every item of a launch does; made before the launch, whose arguments outlive it.
using EmulatedKernel =
    std::function<std::function<void()>(const KernelCall &, const run_parameters_t &, EmulatedMemory &)>;

struct EmulatedUnits {
    int count;
    std::int64_t shared_bytes;
    std::int64_t registers;
};

std::unique_ptr<Device> emulated_device(const EmulatedUnits &units, EmulatedKernel kernel);

}  // namespace perdure::tests
