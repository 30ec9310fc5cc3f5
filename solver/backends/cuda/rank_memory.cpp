#include "solver/backends/cuda/rank_memory.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_handles.hpp"
#include "solver/backends/cuda/nvshmem.hpp"
#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

/// Kernels that wait for each other make no progress side by side on one GPU, but by turns. PERDURE_RANKS_SHARE_GPUS, in the environment,
/// allows it: a machine with one GPU can test so, at some milliseconds a phase.
void expect_own_gpus(Ranks &ranks) {
    int device = 0;
    cudaDeviceProp properties{};
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    const auto gpus = of_all_ranks(ranks, std::span(&std::as_const(properties.uuid), 1));
    for (std::size_t one = 0; one < gpus.size(); ++one) {
        for (std::size_t other = one + 1; other < gpus.size(); ++other) {
            if (std::memcmp(gpus[one].data(), gpus[other].data(), sizeof(cudaUUID_t)) == 0 &&
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
    const auto handles = of_all_ranks(ranks_, std::span(&std::as_const(handle), 1));
    std::vector<std::uint64_t> at(count, reinterpret_cast<std::uint64_t>(own));
    for (std::size_t rank = 0; rank < count; ++rank) {
        if (rank != index) {
            void *memory = nullptr;
            check(cudaIpcOpenMemHandle(&memory, handles[rank].front(), cudaIpcMemLazyEnablePeerAccess),
                  fmt::format("the memory of rank {} (cudaIpcOpenMemHandle; a process that does not see the "
                              "other's GPU, as with srun --gpus-per-task, may need --gpu-bind=none, or "
                              "execution.transport: nvshmem)",
                              rank));
            at[rank] = reinterpret_cast<std::uint64_t>(memory);
        }
    }
    return at;
}

RankMemory::Block &RankMemory::new_block(std::size_t bytes, std::vector<ByteRange> held) {
    void *own = nullptr;
    auto block = std::make_unique<Block>();
    block->bytes = bytes;
    if (!held.empty()) {
        block->held = std::move(held);
        map_parts(*block);
        own = block->ranges.at(static_cast<std::size_t>(ranks_.index()))->begin();
    } else if (way_ == RanksOfKernel::nvshmem) {
        own = nvshmem::allocate(bytes);
        block->at.assign(static_cast<std::size_t>(ranks_.count()), reinterpret_cast<std::uint64_t>(own));
    } else {
        in_all_ranks([&] { check(cudaMalloc(&own, bytes), "cudaMalloc"); });
        block->at = open_those_of_others(own);
    }
    block->begin = reinterpret_cast<std::uint64_t>(own);
    blocks_.push_back(std::move(block));
    return *blocks_.back();
}

/// Each rank reserves as many addresses for itself and for each other one. What a rank holds it maps at the same places among its own, and
/// every other rank does among those that it has for this one, so that kernels count cells through the whole grid.
void RankMemory::map_parts(Block &block) {
    if (!descriptors_) {
        descriptors_.emplace(ranks_);
    }
    const auto count = static_cast<std::size_t>(ranks_.count());
    const auto index = static_cast<std::size_t>(ranks_.index());
    const std::array devices{current_device()};
    std::vector<FileDescriptor> handles;
    in_all_ranks([&] {
        for (std::size_t rank = 0; rank < count; ++rank) {
            block.ranges.push_back(std::make_unique<MappedRange>(block.bytes));
            block.at.push_back(reinterpret_cast<std::uint64_t>(block.ranges.back()->begin()));
        }
        for (const ByteRange &where : block.held) {
            handles.push_back(block.ranges[index]->map_to_share(devices.front(), where));
        }
        block.ranges[index]->open_to(devices);
    });
    const auto held = of_all_ranks(ranks_, std::span(std::as_const(block.held)));
    std::vector<std::size_t> counts;
    std::ranges::transform(held, std::back_inserter(counts), &std::vector<ByteRange>::size);
    const std::vector<std::vector<FileDescriptor>> shared = descriptors_->exchange(handles, counts);
    in_all_ranks([&] {
        for (std::size_t rank = 0; rank < count; ++rank) {
            if (rank == index) {
                continue;
            }
            try {
                for (std::size_t i = 0; i < held[rank].size(); ++i) {
                    block.ranges[rank]->map_shared(shared[rank][i], held[rank][i]);
                }
                block.ranges[rank]->open_to(devices);
            } catch (const Failure &failure) {
                throw Failure(
                    failure.code(),
                    fmt::format("the memory of rank {}: {} (the GPUs of both must be linked; a process "
                                "that does not see the other's GPU, as with srun --gpus-per-task, may "
                                "need --gpu-bind=none, or execution.transport: nvshmem)",
                                rank, failure.what()));
            }
        }
    });
}

DeviceMemory RankMemory::take(Block &block) {
    block.taken = true;
    return {reinterpret_cast<void *>(block.begin), [this, &block](void * /*memory*/) {
                const std::scoped_lock lock(mutex_);
                block.taken = false;
            }};
}

/// Of all blocks. A rank may hold memory for longer than others, and what fits its part may not fit that of another.
std::vector<bool> RankMemory::unfit_in_any_rank(std::size_t bytes, std::span<const ByteRange> held) const {
    constexpr std::size_t bits = 64;
    std::vector<std::uint64_t> words(blocks_.size() / bits + 1);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const Block &block = *blocks_[i];
        const bool is_unfit = block.taken || block.bytes != bytes || !std::ranges::equal(block.held, held);
        words[i / bits] |= std::uint64_t{is_unfit} << i % bits;
    }
    ranks_.unite(words);
    std::vector<bool> unfit(blocks_.size());
    for (std::size_t i = 0; i < unfit.size(); ++i) {
        unfit[i] = (words[i / bits] >> i % bits & 1U) != 0;
    }
    return unfit;
}

DeviceMemory RankMemory::allocate(std::size_t bytes, std::span<const ByteRange> held) {
    const std::scoped_lock lock(mutex_);
    const std::size_t whole = (bytes + page - 1) / page * page;  // handles are those of whole allocations
    std::vector<ByteRange> parts = in_pages(held, page);
    const std::vector<bool> unfit = unfit_in_any_rank(whole, parts);
    const auto found = std::ranges::find(unfit, false);
    return take(found != unfit.end() ? *blocks_[static_cast<std::size_t>(found - unfit.begin())]
                                     : new_block(whole, std::move(parts)));
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
