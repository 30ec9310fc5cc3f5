// Copies between a CUDA device and memory that is not pinned, through memory that is.
#pragma once

#include <array>
#include <cstddef>

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

/// Copies of so many bytes are worth threads of their own.
constexpr std::size_t large_copy_bytes = std::size_t{128} << 20U;

/// A large copy in several threads: the driver passes what is not pinned through memory of its own in one, at a third of the speed of the
/// bus. Returns when it is done; nothing may be under way there. Throws Failure(device).
void write_in_threads(int device, std::byte *to, const void *from, std::size_t bytes);
void read_in_threads(int device, void *to, const std::byte *from, std::size_t bytes);

}  // namespace perdure::cuda
