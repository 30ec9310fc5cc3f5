// Memory of this rank that the kernels of other ranks write to, each on a device of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "solver/backends/cuda/cuda_memory.hpp"
#include "solver/backends/kernel_variant.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure::cuda {

/// What is given back is handed out again, but never freed: that would be a meeting of all ranks, and where one fails it comes to none.
class RankMemory {
  public:
    /// Of the current device, by peer memory of one host or by NVSHMEM. All ranks call it. Throws Failure(device).
    RankMemory(Ranks &ranks, RanksOfKernel way);

    /// All ranks ask for as many bytes, in the same order. Throws Failure(device).
    DeviceMemory allocate(std::size_t bytes);
    /// The same place in the memory of `rank`, as put_and_signal() of sync/put_signal.h takes it.
    [[nodiscard]] std::uint64_t address_at(int rank, const void *own) const;

  private:
    struct Block {
        std::uint64_t begin = 0;
        std::size_t bytes = 0;
        std::vector<std::uint64_t> at;  // where it begins in the memory of each rank
        bool taken = false;
    };

    [[nodiscard]] std::vector<bool> taken_in_any_rank() const;
    [[nodiscard]] Block &new_block(std::size_t bytes);
    [[nodiscard]] std::vector<std::uint64_t> open_those_of_others(void *own) const;
    [[nodiscard]] DeviceMemory take(Block &block);

    Ranks &ranks_;
    RanksOfKernel way_;
    mutable std::mutex mutex_;
    // In the order in which they were allocated, which is that of all ranks; where they begin is in no such order.
    std::vector<std::unique_ptr<Block>> blocks_;
};

/// That of this process, made when it is first asked for; all ranks ask.
RankMemory &rank_memory(Ranks &ranks, RanksOfKernel way);

}  // namespace perdure::cuda
