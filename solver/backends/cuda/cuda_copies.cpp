#include "solver/backends/cuda/cuda_copies.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/problem/in_parallel.hpp"

namespace perdure::cuda {
namespace {

constexpr std::int64_t most_threads = 4;  // of which two nearly fill the bus
constexpr std::size_t part_of_thread = std::size_t{1} << 20U;

}  // namespace

PinnedCopies::PinnedCopies(std::size_t part_bytes) : part_bytes_(part_bytes), stream_(make_stream()) {
    for (Part &part : parts_) {
        part = {allocate_mapped(part_bytes), make_event()};
    }
}

std::size_t PinnedCopies::size_of(std::size_t part, std::size_t bytes) const {
    return std::min(part_bytes_, bytes - part * part_bytes_);
}

void PinnedCopies::begin_read(const Part &into, std::size_t part, const std::byte *from, std::size_t bytes) {
    check(cudaMemcpyAsync(into.memory.get(), from + part * part_bytes_, size_of(part, bytes),
                          cudaMemcpyDeviceToHost, stream_.get()),
          "cudaMemcpyAsync (device to host, through pinned memory)");
    check(cudaEventRecord(into.is_done.get(), stream_.get()), "cudaEventRecord");
}

void PinnedCopies::read(void *to, const std::byte *from, std::size_t bytes, PartsOfCopy parts) {
    const std::size_t count = (bytes + part_bytes_ - 1) / part_bytes_;
    const std::size_t ahead = parts_.size() * parts.stride;
    std::size_t slot = 0;
    for (std::size_t part = parts.first; part < std::min(count, parts.first + ahead); part += parts.stride) {
        begin_read(parts_[slot++], part, from, bytes);
    }
    slot = 0;
    for (std::size_t part = parts.first; part < count; part += parts.stride) {
        const Part &filled = parts_[slot++ % parts_.size()];
        check(cudaEventSynchronize(filled.is_done.get()), "cudaEventSynchronize");
        std::memcpy(static_cast<std::byte *>(to) + part * part_bytes_, filled.memory.get(),
                    size_of(part, bytes));
        if (part + ahead < count) {
            begin_read(filled, part + ahead, from, bytes);
        }
    }
}

void PinnedCopies::write(std::byte *to, const void *from, std::size_t bytes, PartsOfCopy parts) {
    const std::size_t count = (bytes + part_bytes_ - 1) / part_bytes_;
    std::size_t slot = 0;
    for (std::size_t part = parts.first; part < count; part += parts.stride) {
        const Part &into = parts_[slot++ % parts_.size()];
        check(cudaEventSynchronize(into.is_done.get()), "cudaEventSynchronize");
        std::memcpy(into.memory.get(), static_cast<const std::byte *>(from) + part * part_bytes_,
                    size_of(part, bytes));
        check(cudaMemcpyAsync(to + part * part_bytes_, into.memory.get(), size_of(part, bytes),
                              cudaMemcpyHostToDevice, stream_.get()),
              "cudaMemcpyAsync (host to device, through pinned memory)");
        check(cudaEventRecord(into.is_done.get(), stream_.get()), "cudaEventRecord");
    }
    check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
}

CopyingThreads::CopyingThreads(int device) : device_(device) {
    const std::int64_t threads = std::min(most_threads, cores());
    for (std::int64_t thread = 0; thread < threads; ++thread) {
        copies_.emplace_back(part_of_thread);
    }
}

template <class Copy>
void CopyingThreads::in_each(const Copy &copy) {
    in_threads(static_cast<std::int64_t>(copies_.size()), [&](std::int64_t thread) {
        check(cudaSetDevice(device_), "cudaSetDevice");
        const auto number = static_cast<std::size_t>(thread);
        copy(copies_[number], PartsOfCopy{number, copies_.size()});
    });
}

void CopyingThreads::read(void *to, const std::byte *from, std::size_t bytes) {
    in_each([&](PinnedCopies &copies, PartsOfCopy parts) { copies.read(to, from, bytes, parts); });
}

void CopyingThreads::write(std::byte *to, const void *from, std::size_t bytes) {
    in_each([&](PinnedCopies &copies, PartsOfCopy parts) { copies.write(to, from, bytes, parts); });
}

}  // namespace perdure::cuda
