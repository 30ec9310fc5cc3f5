// Memory of large vectors that a run makes again and again, such as those of its snapshots.
#pragma once

#include <cstddef>

namespace perdure {

/// While it lives, memory that large vectors give back is kept for the next of the same size, so many bytes at most: memory fresh from the
/// system is fetched page by page, which takes as long as a third of writing it to a file. Several add up. For any thread.
class KeptMemory {
  public:
    explicit KeptMemory(std::size_t most_bytes);
    KeptMemory(const KeptMemory &) = delete;
    KeptMemory &operator=(const KeptMemory &) = delete;
    ~KeptMemory();

    /// Begins at a huge page; null where none of that size is kept.
    static void *take(std::size_t bytes) noexcept;
    /// Whether it is kept; else it is the caller's to free. `memory`: of allocate_in_huge_pages().
    static bool keep(void *memory, std::size_t bytes) noexcept;

  private:
    std::size_t most_bytes_;
};

/// From now on the heap keeps what is freed, as far as it is no huge block, for what is allocated next: of cases in several threads, each with
/// arrays of some 100 KiB, every array would be mapped and unmapped, which stops all threads. For the rest of the process.
void keep_heap();

constexpr std::size_t huge_page_bytes = std::size_t{1} << 21U;

/// Huge pages are a wish. Throws std::bad_alloc.
void *allocate_in_huge_pages(std::size_t bytes);
void free_huge_pages(void *memory) noexcept;

}  // namespace perdure
