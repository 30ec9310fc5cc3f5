#include "solver/run/kept_buffers.hpp"

#include <fmt/format.h>

#include <utility>

namespace perdure {
namespace {

/// What a rank holds of a buffer is all that it has memory for.
std::string key_of(const KernelBuffer &buffer) {
    std::string key = fmt::format("{}, {}", buffer.name, buffer.bytes);
    for (const ByteRange &range : buffer.held) {
        key += fmt::format(", {} at {}", range.bytes, range.begin);
    }
    return key;
}

}  // namespace

std::unique_ptr<DeviceRun> KeptBuffers::prepare(KernelCall call, LaunchShape shape, Device &device) {
    std::map<std::string, SharedMemory> before = std::exchange(memory_, {});
    if (std::exchange(device_, &device) != &device) {
        before.clear();
    }
    for (KernelBuffer &buffer : call.buffers) {
        if (auto kept = before.extract(key_of(buffer))) {
            buffer.taken = std::move(kept.mapped());
        }
    }
    before.clear();
    std::unique_ptr<DeviceRun> run = device.prepare(call, shape);
    bytes_ = 0;
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        bytes_ += call.buffers[i].bytes;
        if (SharedMemory memory = run->memory(i)) {
            memory_[key_of(call.buffers[i])] = std::move(memory);
        }
    }
    return run;
}

void KeptBuffers::give_back_most() {
    constexpr std::size_t part_of_device = 8;
    if (device_ == nullptr || bytes_ > device_->description().memory_bytes / part_of_device) {
        give_back();
    }
}

}  // namespace perdure
