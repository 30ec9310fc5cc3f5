// What the host writes into the memory of a run, and reads from it.
#include <fmt/format.h>

#include <cstddef>
#include <cstring>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_run.hpp"
#include "solver/problem/large_vector.hpp"

namespace perdure::cuda {

/// Host address within the mapped control block, device address within any other buffer.
std::byte *CudaRun::place(std::size_t buffer, std::size_t bytes, std::size_t offset) const {
    if (buffer >= buffers_.size() || offset > buffers_[buffer].bytes ||
        bytes > buffers_[buffer].bytes - offset) {
        throw Failure(
            ExitCode::differs_or_internal,
            fmt::format("internal error: copy of {} bytes at {} of buffer {}", bytes, offset, buffer));
    }
    void *begin = in_mapped_memory(buffer) ? control_.get() : buffers_[buffer].address;
    return static_cast<std::byte *>(begin) + offset;
}

void CudaRun::read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) {
    const std::byte *from = place(buffer, bytes, offset);
    if (in_mapped_memory(buffer)) {
        std::memcpy(to, from, bytes);
        return;
    }
    if (const std::byte *const here = small_ ? small_->find(buffer) : nullptr) {
        std::memcpy(to, here + offset, bytes);
        return;
    }
    use_device();
    if (ranks_) {
        read_with_ranks(buffer, to, bytes, offset, false);
        return;
    }
    copy_to_host(to, from, bytes);
}

void CudaRun::read_for_first(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) {
    if (!ranks_ || in_mapped_memory(buffer)) {
        read(buffer, to, bytes, offset);
        return;
    }
    use_device();
    read_with_ranks(buffer, to, bytes, offset, true);
}

/// `for_first`: the others may have no place to read it to.
void CudaRun::read_with_ranks(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset,
                              bool for_first) {
    auto *const values = static_cast<std::byte *>(to);
    const auto copy = [&](std::byte *part, std::size_t begin, std::size_t part_bytes) {
        copy_to_host(part, place(buffer, part_bytes, begin), part_bytes);
    };
    if (ranks_->read_parts(buffer, values, bytes, offset, for_first, copy)) {
        return;
    }
    LargeVector<std::byte> unseen(values == nullptr ? bytes : 0);
    std::byte *const read = values == nullptr ? unseen.data() : values;
    copy(read, offset, bytes);
    ranks_->complete_singles(buffer, read, bytes);
}

void CudaRun::copy_to_host(void *to, const std::byte *from, std::size_t bytes) {
    if (copying_threads_ && bytes >= CopyingThreads::fewest_bytes) {
        wait();
        copying_threads_->read(to, from, bytes);
        return;
    }
    const bool in_staging = bytes <= staging_bytes;
    // What is not pinned the driver copies itself, and calls of other members wait meanwhile.
    const bool of_member = variant_.ensemble && !in_staging && bytes <= largest_pinned_for_member;
    const MappedMemory pinned = of_member ? allocate_pinned_for_member(bytes) : nullptr;
    void *const through = in_staging ? staging_.get() : pinned.get();
    check(cudaMemcpyAsync(through != nullptr ? through : to, from, bytes, cudaMemcpyDeviceToHost,
                          stream_.get()),
          "cudaMemcpyAsync (device to host)");
    wait();
    if (through != nullptr) {
        std::memcpy(to, through, bytes);
    }
}

void CudaRun::read_while_running(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) {
    const std::byte *from = place(buffer, bytes, offset);
    use_device();
    copies_.value().read(to, from, bytes);
}

void CudaRun::clear(std::size_t buffer, std::size_t bytes) {
    note_change();
    if (partners_ && buffer == buffer_sync) {
        bytes = buffers_[buffer].bytes;  // the words of every device
    }
    std::byte *to = place(buffer, bytes, 0);
    if (in_mapped_memory(buffer)) {
        std::memset(to, 0, bytes);
        return;
    }
    use_device();
    set_to_zero(buffer, bytes);
    wait();
}

/// What this process holds of the first bytes.
void CudaRun::set_to_zero(std::size_t buffer, std::size_t bytes) {
    for (const ByteRange &range : held_between(buffers_[buffer].asked, 0, bytes)) {
        check(cudaMemsetAsync(place(buffer, range.bytes, range.begin), 0, range.bytes, stream_.get()),
              "cudaMemsetAsync");
    }
}

void CudaRun::write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) {
    note_change();
    std::byte *to = place(buffer, bytes, offset);
    if (in_mapped_memory(buffer)) {
        std::memcpy(to, from, bytes);
        return;
    }
    use_device();
    for (const ByteRange &range : held_between(buffers_[buffer].asked, offset, bytes)) {
        copy_to_device(to + (range.begin - offset),
                       static_cast<const std::byte *>(from) + (range.begin - offset), range.bytes);
    }
}

void CudaRun::copy_to_device(std::byte *to, const std::byte *from, std::size_t bytes) {
    if (copying_threads_ && bytes >= CopyingThreads::fewest_bytes) {
        wait();
        copying_threads_->write(to, from, bytes);
        return;
    }
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_.get()),
          "cudaMemcpyAsync (host to device)");
    wait();
}

}  // namespace perdure::cuda
