// The streams, kernels and places of a run over several CUDA devices on all but the first of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_handles.hpp"
#include "solver/backends/cuda/cuda_kernels.hpp"
#include "solver/backends/cuda/cuda_shared_memory.hpp"

namespace perdure::cuda {

/// Starts so many groups of a kernel on the current device, all resident where it is `synchronised`. Throws Failure(device).
void start_kernel(const void *kernel, const LaunchShape &shape, void **arguments, bool synchronised,
                  cudaStream_t stream);

/// A launch over several devices is one on each, at the same time; two at once on the same devices would wait for each other. Each waits
/// until all of the launch before have ended. All throw Failure(device).
class Partners {
  public:
    Partners(std::span<const int> devices, const KernelVariant &variant, const LaunchShape &shape);
    Partners(const Partners &) = delete;
    Partners &operator=(const Partners &) = delete;
    ~Partners();

    /// Before the launch of the first device in `stream`, whose last launch ended with `end`: it and the others wait, and are told their
    /// places, unless they know them. `cells`: of the grid that is shared.
    void begin(std::uint32_t cells, cudaStream_t stream, cudaEvent_t end);
    /// Starts the others.
    void start(void **arguments, bool synchronised);
    bool finished(std::chrono::milliseconds timeout) const;
    /// Waits without a look at errors.
    void wait() const;

    /// What device `index` launches.
    [[nodiscard]] LaunchShape part(std::size_t index) const;
    [[nodiscard]] const DeviceParts &parts() const { return parts_; }

  private:
    struct Partner {
        int device;
        const void *kernel;
        void *place;
        Stream stream;
        Event end;
    };
    void tell_place(std::size_t index, std::uint32_t cells, void *where, cudaStream_t stream) const;

    LaunchShape shape_;  // of all
    DeviceParts parts_;
    std::uint32_t told_cells_ = 0;  // of the last launch
    void *first_place_;
    std::vector<Partner> partners_;
};

}  // namespace perdure::cuda
