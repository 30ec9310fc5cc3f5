// Copies between a CUDA device and memory that is not pinned, through memory that is.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/backends/cuda/cuda_handles.hpp"
#include "solver/backends/cuda/cuda_memory.hpp"

namespace perdure::cuda {

/// Of what is copied in parts of equal size every so many-th: those of one of several threads.
struct PartsOfCopy {
    std::size_t first = 0, stride = 1;
};

/// By the copy engine, on a stream of its own, through two parts of pinned memory: one is filled while the other is emptied. All of that is
/// allocated beforehand, since an allocation would wait for a kernel that runs. The device must be current in every call; all throw
/// Failure(device).
class PinnedCopies {
  public:
    explicit PinnedCopies(std::size_t part_bytes);
    void read(void *to, const std::byte *from, std::size_t bytes, PartsOfCopy parts = {});
    void write(std::byte *to, const void *from, std::size_t bytes, PartsOfCopy parts = {});

  private:
    struct Part {
        MappedMemory memory;
        Event is_done;
    };
    [[nodiscard]] std::size_t size_of(std::size_t part, std::size_t bytes) const;
    void begin_read(const Part &into, std::size_t part, const std::byte *from, std::size_t bytes);

    std::size_t part_bytes_;
    Stream stream_;
    std::array<Part, 2> parts_;
};

/// Copies in several threads: the driver passes what is not pinned through memory of its own in one, at a third of the speed of the bus.
/// What is copied must not be under way on another stream. All throw Failure(device).
class CopyingThreads {
  public:
    /// Copies of fewer bytes are not worth threads.
    static constexpr std::size_t fewest_bytes = std::size_t{2} << 20U;

    explicit CopyingThreads(int device);
    void read(void *to, const std::byte *from, std::size_t bytes);
    void write(std::byte *to, const void *from, std::size_t bytes);

  private:
    template <class Copy>
    void in_each(const Copy &copy);

    int device_;
    std::vector<PinnedCopies> copies_;  // of a thread each
};

}  // namespace perdure::cuda
