// Copies from a CUDA device while a kernel runs there.
#pragma once

#include <array>
#include <cstddef>

#include "solver/backends/cuda/cuda_handles.hpp"
#include "solver/backends/cuda/cuda_memory.hpp"

namespace perdure::cuda {

/// By the copy engine, on a stream of its own, through pinned memory. All of that is allocated beforehand: an allocation would wait for
/// the kernel.
class CopiesDuringLaunch {
  public:
    /// The device must be current, here and in read(). Both throw Failure(device).
    CopiesDuringLaunch();
    void read(void *to, const std::byte *from, std::size_t bytes);

  private:
    struct Piece {
        MappedMemory memory;
        Event is_there;
    };
    void begin(std::size_t piece, const std::byte *from, std::size_t bytes);

    Stream stream_;
    std::array<Piece, 2> pieces_;  // one is filled while the other is emptied
};

}  // namespace perdure::cuda
