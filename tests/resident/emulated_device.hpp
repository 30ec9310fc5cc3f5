// A device on the host whose launches run on emulated items (emulated_cuda.hpp).
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

    /// Returns a pointer to each buffer.
    [[nodiscard]] void *const *pointers() const { return pointers_.data(); }
    template <typename Type>
    Type *at(std::size_t buffer) {
        return static_cast<Type *>(pointers_.at(buffer));
    }

  private:
    struct alignas(128) Line {
        unsigned char bytes[128];
    };
    std::vector<std::vector<Line>> buffers_;
    std::vector<void *> pointers_;
};

/// Makes the function that every item of a launch executes. Called before the launch; its arguments live longer than the launch.
using EmulatedKernel =
    std::function<std::function<void()>(const KernelCall &, const run_parameters_t &, EmulatedMemory &)>;

/// A kernel as host::with_buffers() calls it.
using KernelWithBuffers = void (*)(const run_parameters_t &, void *const *);

/// Used in a function that looks a kernel up by name, with the lists of kernels/resident/list.h: returns the kernel of that name.
#define PERDURE_FIND_EMULATED(kernel, ...)                 \
    if (name == #kernel) {                                 \
        return &perdure::host::with_buffers<&__VA_ARGS__>; \
    }

/// Returns the function that an item executes for a kernel. If the kernel is null, the test fails and the function does nothing.
std::function<void()> item_of(KernelWithBuffers kernel, const KernelCall &call,
                              const run_parameters_t &parameters, EmulatedMemory &memory);

struct EmulatedUnits {
    int count;
    std::int64_t shared_bytes;
    std::int64_t registers;
};

std::unique_ptr<Device> emulated_device(const EmulatedUnits &units, EmulatedKernel kernel);

}  // namespace perdure::tests
