// Memory of this rank that the kernels of other ranks write to, each on a device of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "solver/backends/cuda/cuda_memory.hpp"
#include "solver/backends/cuda/mapped_range.hpp"
#include "solver/backends/kernel_variant.hpp"
#include "solver/ranks/rank_descriptors.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure::cuda {

/// What is given back is handed out again, but never freed: that would be a meeting of all ranks, and where one fails it comes to none.
class RankMemory {
  public:
    /// Of the current device, by peer memory of one host or by NVSHMEM. All ranks call it. Throws Failure(device).
    RankMemory(Ranks &ranks, RanksOfKernel way);

    /// All ranks ask for as many bytes, in the same order, each with memory where its `held` says; none: everywhere. By peer memory alone they
    /// hold parts. Throws Failure(device).
    DeviceMemory allocate(std::size_t bytes, std::span<const ByteRange> held = {});
    /// The same place in the memory of `rank`, as put_and_signal() of sync/put_signal.h takes it. Where that rank holds nothing there is none.
    [[nodiscard]] std::uint64_t address_at(int rank, const void *own) const;

  private:
    struct Block {
        std::uint64_t begin = 0;
        std::size_t bytes = 0;
        std::vector<std::uint64_t> at;  // where it begins in the memory of each rank
        bool taken = false;
        std::vector<ByteRange> held = {};                       // in pages; none: all
        std::vector<std::unique_ptr<MappedRange>> ranges = {};  // of each rank, where they hold parts
    };

    [[nodiscard]] std::vector<bool> unfit_in_any_rank(std::size_t bytes,
                                                      std::span<const ByteRange> held) const;
    [[nodiscard]] Block &new_block(std::size_t bytes, std::vector<ByteRange> held);
    void map_parts(Block &block);
    [[nodiscard]] std::vector<std::uint64_t> open_those_of_others(void *own) const;
    [[nodiscard]] DeviceMemory take(Block &block);

    Ranks &ranks_;
    RanksOfKernel way_;
    std::optional<RankDescriptors> descriptors_;  // by which memory in parts is shared
    mutable std::mutex mutex_;
    // In the order in which they were allocated, which is that of all ranks; where they begin is in no such order.
    std::vector<std::unique_ptr<Block>> blocks_;
};

/// That of this process, made when it is first asked for; all ranks ask.
RankMemory &rank_memory(Ranks &ranks, RanksOfKernel way);

}  // namespace perdure::cuda
