#include "solver/backends/cuda/cuda_small_buffers.hpp"

#include <algorithm>
#include <cstring>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/memory_needed.hpp"

namespace perdure::cuda {
namespace {

constexpr std::size_t largest_small_buffer = std::size_t{64} << 10U;
constexpr std::size_t alignment = 256;

}  // namespace

bool SmallBuffers::contain(const KernelCall &call, std::size_t buffer) {
    const KernelBuffer &asked = call.buffers[buffer];
    return call.ensemble && buffer != buffer_control && !asked.as_it_stands &&
           asked.bytes <= largest_small_buffer;
}

SmallBuffers::SmallBuffers(const KernelCall &call) : begins_(call.buffers.size(), not_here) {
    place(call, true);
    read_ = bytes_;
    place(call, false);
    block_ = allocate_for_member(std::max(bytes_, alignment));
    copy_ = allocate_pinned_for_member(std::max(bytes_, alignment));
    auto *const begin = static_cast<std::byte *>(copy_.get());
    std::memset(begin, 0, bytes_);
    for (std::size_t i = 0; i < begins_.size(); ++i) {
        if (begins_[i] != not_here && call.buffers[i].initial != nullptr) {
            std::memcpy(begin + begins_[i], call.buffers[i].initial, call.buffers[i].bytes);
        }
    }
}

void SmallBuffers::place(const KernelCall &call, bool is_read) {
    for (std::size_t i = 0; i < begins_.size(); ++i) {
        if (contain(call, i) && call.buffers[i].read_behind_launch == is_read) {
            begins_[i] = bytes_;
            bytes_ += (allocated_bytes(call.buffers[i], i, 1) + alignment - 1) / alignment * alignment;
        }
    }
}

DeviceMemory SmallBuffers::memory(std::size_t buffer) const {
    return begins_[buffer] == not_here
               ? nullptr
               : DeviceMemory(block_, static_cast<std::byte *>(block_.get()) + begins_[buffer]);
}

void SmallBuffers::begin_filling(cudaStream_t stream) const {
    check(cudaMemcpyAsync(block_.get(), copy_.get(), bytes_, cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync (host to device)");
}

void SmallBuffers::begin_reading(cudaStream_t stream) {
    check(cudaMemcpyAsync(copy_.get(), block_.get(), read_, cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync (device to host)");
    has_come_back_ = true;
}

const std::byte *SmallBuffers::find(std::size_t buffer) const {
    return has_come_back_ && begins_[buffer] < read_
               ? static_cast<const std::byte *>(copy_.get()) + begins_[buffer]
               : nullptr;
}

}  // namespace perdure::cuda
