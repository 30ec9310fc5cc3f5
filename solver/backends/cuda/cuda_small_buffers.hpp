// The small buffers of a member of an ensemble.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_memory.hpp"

namespace perdure::cuda {

/// Buffers of up to 64 KiB, which lie in one block of the device, and a copy of the block in pinned memory of the host: one copy fills all of
/// them, and one brings back those that the host reads behind each launch. While a thread has the driver start a copy or wait for one,
/// those of other members wait for the driver.
///
/// Publishes: what a launch has written, to the thread of the member that reads it. The edge is the end of the stream of the launch, behind
/// which the copy lies, and the mutex of the ensemble, under which that end is told. Needs progress of the copy engine.
class SmallBuffers {
  public:
    /// Whether the buffer of a call is one of them.
    [[nodiscard]] static bool contain(const KernelCall &call, std::size_t buffer);

    /// Of a call of a member, with their first values in the copy of the host. Throws Failure(device).
    explicit SmallBuffers(const KernelCall &call);

    /// Null of a buffer that is none of them.
    [[nodiscard]] DeviceMemory memory(std::size_t buffer) const;
    /// Starts the copy to the device.
    void begin_filling(cudaStream_t stream) const;
    /// Starts the copy of what the host reads, behind a launch that is under way in the stream. No read may come before its end is known.
    void begin_reading(cudaStream_t stream);
    /// Other values have been written to the device: it alone knows all until the next launch.
    void note_change() { has_come_back_ = false; }

    /// The values of a buffer behind a launch; null where they have to be asked of the device.
    [[nodiscard]] const std::byte *find(std::size_t buffer) const;

  private:
    static constexpr std::size_t not_here = ~std::size_t{0};

    void place(const KernelCall &call, bool is_read);

    std::vector<std::size_t> begins_;   // of each buffer of the call in the block; not_here of others
    std::size_t bytes_ = 0, read_ = 0;  // of the block, and of its beginning, which is what the host reads
    DeviceMemory block_;
    MappedMemory copy_;
    bool has_come_back_ = false;
};

}  // namespace perdure::cuda
