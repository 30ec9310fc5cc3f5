#include "solver/backends/cuda/cuda_memory.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_handles.hpp"

namespace perdure::cuda {
namespace {

constexpr std::size_t largest_small_block = std::size_t{1} << 20U;
constexpr std::size_t size_step = 512;
constexpr std::size_t bytes_at_once = std::size_t{16} << 20U;  // of a device
constexpr std::size_t mapped_at_once = std::size_t{1} << 20U;
constexpr std::size_t pinned_at_once = std::size_t{8} << 20U;

/// Blocks of equal size that nobody uses at the moment, by device and size. Small ones are cut from larger ones, which are never given
/// back: a program that needed so much once needs it again.
class FreeBlocks {
  public:
    using Allocate = void *(*)(std::size_t);
    FreeBlocks(std::size_t at_once, Allocate allocate) : at_once_(at_once), allocate_(allocate) {}

    void *take(int device, std::size_t bytes) {
        const std::scoped_lock lock(mutex_);
        std::vector<void *> &free = free_[{device, bytes}];
        if (free.empty()) {
            free.push_back(bytes > largest_small_block ? allocate_(bytes) : cut(device, bytes));
        }
        void *const block = free.back();
        free.pop_back();
        return block;
    }
    void give_back(int device, std::size_t bytes, void *block) {
        const std::scoped_lock lock(mutex_);
        free_[{device, bytes}].push_back(block);
    }
    /// Those that were allocated one by one.
    std::vector<void *> take_all_large(int device) {
        const std::scoped_lock lock(mutex_);
        std::vector<void *> taken;
        for (auto &[key, blocks] : free_) {
            if (key.first == device && key.second > largest_small_block) {
                taken.insert(taken.end(), blocks.begin(), blocks.end());
                blocks.clear();
            }
        }
        return taken;
    }

  private:
    struct Rest {
        std::byte *begin = nullptr;
        std::size_t bytes = 0;
    };
    void *cut(int device, std::size_t bytes) {
        Rest &rest = rests_[device];
        if (rest.bytes < bytes) {
            rest = {static_cast<std::byte *>(allocate_(at_once_)), at_once_};
        }
        void *const block = rest.begin;
        rest.begin += bytes;
        rest.bytes -= bytes;
        return block;
    }

    std::size_t at_once_;
    Allocate allocate_;
    std::mutex mutex_;
    std::map<std::pair<int, std::size_t>, std::vector<void *>> free_;
    std::map<int, Rest> rests_;
};

void *allocate_on_device(std::size_t bytes) {
    void *memory = nullptr;
    check(cudaMalloc(&memory, bytes), fmt::format("cudaMalloc of {} bytes", bytes));
    return memory;
}

void *allocate_on_host(std::size_t bytes) {
    void *memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped),
          fmt::format("cudaHostAlloc of {} bytes", bytes));
    return memory;
}

// Never destroyed: memory may be given back until the process ends.
FreeBlocks &device_blocks() {
    static FreeBlocks &blocks = *new FreeBlocks(bytes_at_once, allocate_on_device);
    return blocks;
}
FreeBlocks &mapped_blocks() {
    static FreeBlocks &blocks = *new FreeBlocks(mapped_at_once, allocate_on_host);
    return blocks;
}

FreeBlocks &pinned_blocks_of_members() {
    static FreeBlocks &blocks = *new FreeBlocks(pinned_at_once, allocate_on_host);
    return blocks;
}

/// Sizes differ by no less: so that blocks fit again.
std::size_t rounded(std::size_t bytes) {
    return (bytes + size_step - 1) / size_step * size_step;
}

}  // namespace

DeviceMemory allocate_device(std::size_t bytes) {
    if (bytes > largest_small_block) {
        return {allocate_on_device(bytes), [](void *allocated) { (void)cudaFree(allocated); }};
    }
    return allocate_for_member(bytes);
}

DeviceMemory allocate_for_member(std::size_t bytes) {
    const int device = current_device();
    const std::size_t size = rounded(bytes);
    return {device_blocks().take(device, size),
            [device, size](void *block) { device_blocks().give_back(device, size, block); }};
}

void free_idle_blocks() {
    for (void *const block : device_blocks().take_all_large(current_device())) {
        (void)cudaFree(block);
    }
}

MappedMemory allocate_mapped(std::size_t bytes) {
    if (bytes > mapped_at_once / 16) {
        return {allocate_on_host(bytes), [](void *allocated) { (void)cudaFreeHost(allocated); }};
    }
    const int device = current_device();
    const std::size_t size = rounded(bytes);
    return {mapped_blocks().take(device, size),
            [device, size](void *block) { mapped_blocks().give_back(device, size, block); }};
}

MappedMemory allocate_pinned_for_member(std::size_t bytes) {
    const int device = current_device();
    const std::size_t size = rounded(bytes);
    return {pinned_blocks_of_members().take(device, size),
            [device, size](void *block) { pinned_blocks_of_members().give_back(device, size, block); }};
}

void *device_address(const MappedMemory &memory) {
    void *address = nullptr;
    check(cudaHostGetDevicePointer(&address, memory.get(), 0), "cudaHostGetDevicePointer");
    return address;
}

void zero_by_copies(void *to, std::size_t bytes, cudaStream_t stream) {
    constexpr std::size_t piece = std::size_t{1} << 20U;  // each copy takes some us of the host
    static const MappedMemory &zeros = *[] {
        auto *const memory = new MappedMemory(allocate_mapped(piece));
        std::memset(memory->get(), 0, piece);
        return memory;
    }();
    for (std::size_t done = 0; done < bytes; done += piece) {
        check(cudaMemcpyAsync(static_cast<std::byte *>(to) + done, zeros.get(), std::min(piece, bytes - done),
                              cudaMemcpyHostToDevice, stream),
              "cudaMemcpyAsync (zeros)");
    }
}

}  // namespace perdure::cuda
