#include "solver/backends/cuda/rank_memory.hpp"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/nvshmem.hpp"
#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

/// Handles of memory are those of whole allocations, which are pages of this size.
constexpr std::size_t whole_page = std::size_t{2} << 20U;

/// By rank. All call it.
template <typename Value>
std::vector<Value> of_all_ranks(Ranks &ranks, const Value &here) {
    std::vector<Value> all(static_cast<std::size_t>(ranks.count()));
    all[static_cast<std::size_t>(ranks.index())] = here;
    std::vector<std::size_t> ends;
    for (std::size_t rank = 1; rank <= all.size(); ++rank) {
        ends.push_back(rank * sizeof here);
    }
    ranks.gather(reinterpret_cast<std::byte *>(all.data()), ends);
    return all;
}

/// Kernels that wait for each other make no progress side by side on one GPU, but by turns. PERDURE_RANKS_SHARE_GPUS, in the environment,
/// allows it: a machine with one GPU can test so, at some milliseconds a phase.
void expect_own_gpus(Ranks &ranks) {
    int device = 0;
    cudaDeviceProp properties{};
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    const std::vector<cudaUUID_t> gpus = of_all_ranks(ranks, properties.uuid);
    for (std::size_t one = 0; one < gpus.size(); ++one) {
        for (std::size_t other = one + 1; other < gpus.size(); ++other) {
            if (std::memcmp(&gpus[one], &gpus[other], sizeof gpus[one]) == 0 &&
                std::getenv("PERDURE_RANKS_SHARE_GPUS") == nullptr) {
                throw Failure(ExitCode::device,
                              fmt::format("ranks {} and {} have the same GPU, but each needs its own; start "
                                          "as many processes on a host as it has GPUs, or use "
                                          "execution.backend: host",
                                          one, other));
            }
        }
    }
}

}  // namespace

RankMemory::RankMemory(Ranks &ranks, RanksOfKernel way) : ranks_(ranks), way_(way) {
    expect_own_gpus(ranks);
    if (way_ == RanksOfKernel::nvshmem) {
        nvshmem::start(ranks);
    }
}

std::vector<std::uint64_t> RankMemory::open_those_of_others(void *own) const {
    const auto count = static_cast<std::size_t>(ranks_.count());
    const auto index = static_cast<std::size_t>(ranks_.index());
    cudaIpcMemHandle_t handle{};
    check(cudaIpcGetMemHandle(&handle, own), "cudaIpcGetMemHandle");
    const std::vector<cudaIpcMemHandle_t> handles = of_all_ranks(ranks_, handle);
    std::vector<std::uint64_t> at(count, reinterpret_cast<std::uint64_t>(own));
    for (std::size_t rank = 0; rank < count; ++rank) {
        if (rank != index) {
            void *memory = nullptr;
            check(cudaIpcOpenMemHandle(&memory, handles[rank], cudaIpcMemLazyEnablePeerAccess),
                  fmt::format("the memory of rank {} (cudaIpcOpenMemHandle; a process that does not see the "
                              "other's GPU, as with srun --gpus-per-task, may need --gpu-bind=none, or "
                              "execution.transport: nvshmem)",
                              rank));
            at[rank] = reinterpret_cast<std::uint64_t>(memory);
        }
    }
    return at;
}

RankMemory::Block &RankMemory::new_block(std::size_t bytes) {
    void *own = nullptr;
    auto block = std::make_unique<Block>();
    if (way_ == RanksOfKernel::nvshmem) {
        own = nvshmem::allocate(bytes);
        block->at.assign(static_cast<std::size_t>(ranks_.count()), reinterpret_cast<std::uint64_t>(own));
    } else {
        check(cudaMalloc(&own, bytes), "cudaMalloc");
        block->at = open_those_of_others(own);
    }
    block->begin = reinterpret_cast<std::uint64_t>(own);
    block->bytes = bytes;
    blocks_.push_back(std::move(block));
    return *blocks_.back();
}

DeviceMemory RankMemory::take(Block &block) {
    block.taken = true;
    return {reinterpret_cast<void *>(block.begin), [this, &block](void * /*memory*/) {
                const std::scoped_lock lock(mutex_);
                block.taken = false;
            }};
}

/// Of all blocks. A rank may hold memory for longer than others.
std::vector<bool> RankMemory::taken_in_any_rank() const {
    constexpr std::size_t bits = 64;
    std::vector<std::uint64_t> words(blocks_.size() / bits + 1);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        words[i / bits] |= std::uint64_t{blocks_[i]->taken} << i % bits;
    }
    ranks_.unite(words);
    std::vector<bool> taken(blocks_.size());
    for (std::size_t i = 0; i < taken.size(); ++i) {
        taken[i] = (words[i / bits] >> i % bits & 1U) != 0;
    }
    return taken;
}

DeviceMemory RankMemory::allocate(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    const std::size_t whole = (bytes + whole_page - 1) / whole_page * whole_page;
    const std::vector<bool> taken = taken_in_any_rank();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (!taken[i] && blocks_[i]->bytes == whole) {
            return take(*blocks_[i]);
        }
    }
    return take(new_block(whole));
}

std::uint64_t RankMemory::address_at(int rank, const void *own) const {
    const std::scoped_lock lock(mutex_);
    const auto address = reinterpret_cast<std::uint64_t>(own);
    for (const std::unique_ptr<Block> &block : blocks_) {
        if (address >= block->begin && address - block->begin < block->bytes) {
            return block->at.at(static_cast<std::size_t>(rank)) + (address - block->begin);
        }
    }
    throw Failure(ExitCode::differs_or_internal, "internal error: memory that no other rank has");
}

RankMemory &rank_memory(Ranks &ranks, RanksOfKernel way) {
    static auto &memories = *new std::map<RanksOfKernel, RankMemory>;  // the driver frees it with the process
    return memories.try_emplace(way, ranks, way).first->second;
}

}  // namespace perdure::cuda
