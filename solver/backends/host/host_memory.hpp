// Arguments of kernels that run on host threads.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "solver/backends/backend.hpp"

namespace perdure::host {

/// Bytes that can be had without swapping: MemAvailable of the kernel, which counts caches as free.
std::size_t available_memory();

/// By all cores, which fetch the memory that way.
void copy(void *to, const void *from, std::size_t bytes);

/// Pages of the system: zero, and fetched by the threads that first use them, so that they lie near their processors; a rank fetches none
/// for planes that it has no use for. As huge pages where the system gives them.
class MappedPages {
  public:
    /// Throws std::bad_alloc.
    explicit MappedPages(std::size_t bytes);
    MappedPages(const MappedPages &) = delete;
    MappedPages &operator=(const MappedPages &) = delete;
    ~MappedPages();

    [[nodiscard]] std::byte *data() const;

  private:
    std::size_t bytes_;
    void *begin_;
};

/// Zero where no initial values are given. Arrays begin at different places of a page: where all begin at the same one, and lines of the grid
/// are multiples of a page, a store to one array looks to the processor like one to what it reads of the others, and it waits.
class HostMemory {
  public:
    /// Throws Failure(device).
    explicit HostMemory(const KernelBuffer &buffer);
    /// `is_new`: nobody has written to it.
    void fill(const KernelBuffer &buffer, bool is_new);
    /// NaN where a rank holds nothing of the buffer.
    void spoil_rest(const KernelBuffer &buffer);
    [[nodiscard]] std::byte *data() {
        return (mapped_ ? mapped_->data() : data_.data()->bytes.data()) + offset_;
    }

  private:
    struct alignas(4096) Page {
        std::array<std::byte, 4096> bytes;
    };
    std::size_t offset_;
    std::vector<Page> data_;
    std::optional<MappedPages> mapped_;  // in place of `data_`
};

}  // namespace perdure::host
