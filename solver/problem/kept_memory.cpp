#include "solver/problem/kept_memory.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <vector>

namespace perdure {
namespace {

struct Block {
    void *memory;
    std::size_t bytes;
};

struct Store {
    Store() { blocks.reserve(most_blocks); }

    static constexpr std::size_t most_blocks = 64;
    std::mutex mutex;
    std::vector<Block> blocks;
    std::size_t bytes = 0, most_bytes = 0;
    std::atomic<bool> is_open = false;  // relaxed: who sees an older value allocates and frees as ever
};

/// Lives as long as the process: vectors may be freed after all else.
Store &store() {
    static Store &only = *new Store;
    return only;
}

}  // namespace

KeptMemory::KeptMemory(std::size_t most_bytes) : most_bytes_(most_bytes) {
    const std::lock_guard lock(store().mutex);
    store().most_bytes += most_bytes_;
    store().is_open.store(true, std::memory_order_relaxed);
}

KeptMemory::~KeptMemory() {
    Store &all = store();
    const std::lock_guard lock(all.mutex);
    all.most_bytes -= most_bytes_;
    while (all.bytes > all.most_bytes) {
        all.bytes -= all.blocks.back().bytes;
        free_huge_pages(all.blocks.back().memory);
        all.blocks.pop_back();
    }
    all.is_open.store(all.most_bytes > 0, std::memory_order_relaxed);
}

void *KeptMemory::take(std::size_t bytes) noexcept {
    Store &all = store();
    if (!all.is_open.load(std::memory_order_relaxed)) {
        return nullptr;
    }
    const std::lock_guard lock(all.mutex);
    const auto found = std::ranges::find(all.blocks, bytes, &Block::bytes);
    if (found == all.blocks.end()) {
        return nullptr;
    }
    void *const memory = found->memory;
    all.bytes -= bytes;
    all.blocks.erase(found);
    return memory;
}

bool KeptMemory::keep(void *memory, std::size_t bytes) noexcept {
    Store &all = store();
    if (!all.is_open.load(std::memory_order_relaxed)) {
        return false;
    }
    const std::lock_guard lock(all.mutex);
    if (all.bytes + bytes > all.most_bytes || all.blocks.size() == Store::most_blocks) {
        return false;
    }
    all.blocks.push_back({memory, bytes});
    all.bytes += bytes;
    return true;
}

void keep_heap() {
#ifdef __GLIBC__
    constexpr int largest_kept_array = 1 << 22, kept_at_the_end = 1 << 26, fetched_at_once = 1 << 20;
    (void)mallopt(M_MMAP_THRESHOLD, largest_kept_array);
    (void)mallopt(M_TRIM_THRESHOLD, kept_at_the_end);
    (void)mallopt(M_TOP_PAD, fetched_at_once);
#endif
}

void *allocate_in_huge_pages(std::size_t bytes) {
    void *const memory = ::operator new (bytes, std::align_val_t{huge_page_bytes});
    (void)madvise(memory, bytes / huge_page_bytes * huge_page_bytes, MADV_HUGEPAGE);
    return memory;
}

void free_huge_pages(void *memory) noexcept {
    ::operator delete (memory, std::align_val_t{huge_page_bytes});
}

}  // namespace perdure
