#include "solver/backends/host/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include <fmt/format.h>

#include "solver/problem/in_parallel.hpp"

namespace perdure::host {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21U;
constexpr std::size_t least_mapped = 2 * huge_page;

/// In a page: of one array after the other.
std::size_t next_offset() {
    constexpr std::size_t places = 10, distance = 384;  // whole pairs of lines of the cache; together a page
    static std::atomic<std::size_t> next = 0;           // relaxed: it orders nothing but itself
    return next.fetch_add(1, std::memory_order_relaxed) % places * distance;
}

}  // namespace

std::size_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::size_t kibibytes = 0;
    while (file >> key >> kibibytes) {
        if (key == "MemAvailable:") {
            return kibibytes * 1024;
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void copy(void *to, const void *from, std::size_t bytes) {
    constexpr std::int64_t bytes_per_cell = 8;
    const auto count = static_cast<std::int64_t>(bytes);
    in_parallel(count, count / bytes_per_cell, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(static_cast<std::byte *>(to) + begin, static_cast<const std::byte *>(from) + begin,
                    static_cast<std::size_t>(end - begin));
    });
}

namespace {

constexpr int no_number = 0xff;  // in every byte of a float or a double

/// By all cores.
void set(std::byte *to, int byte, std::size_t bytes) {
    in_parallel(static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(bytes / sizeof(double)),
                [&](std::int64_t begin, std::int64_t end) {
                    std::memset(to + begin, byte, static_cast<std::size_t>(end - begin));
                });
}

}  // namespace

MappedPages::MappedPages(std::size_t bytes)
    : bytes_(bytes + huge_page),
      begin_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (begin_ == MAP_FAILED) {
        throw std::bad_alloc();
    }
    (void)madvise(data(), bytes, MADV_HUGEPAGE);  // a wish
}

MappedPages::~MappedPages() {
    (void)munmap(begin_, bytes_);
}

std::byte *MappedPages::data() const {
    void *place = begin_;
    std::size_t space = bytes_;
    return static_cast<std::byte *>(std::align(huge_page, 1, place, space));
}

HostMemory::HostMemory(const KernelBuffer &buffer) : offset_(next_offset()) {
    const std::size_t bytes = offset_ + std::max<std::size_t>(buffer.bytes, 64);
    try {
        if (bytes >= least_mapped) {
            mapped_.emplace(bytes);
        } else {
            data_.resize((bytes + sizeof(Page) - 1) / sizeof(Page));
        }
    } catch (const std::bad_alloc &) {
        throw Failure(ExitCode::device, fmt::format("host: not enough memory for '{}' ({} bytes); use a "
                                                    "smaller grid or execution.precision: float32",
                                                    buffer.name, buffer.bytes));
    }
}

void HostMemory::fill(const KernelBuffer &buffer, bool is_new) {
    const auto *const initial = static_cast<const std::byte *>(buffer.initial);
    for (const ByteRange &range : held_between(buffer, 0, buffer.bytes)) {
        if (initial != nullptr) {
            copy(data() + range.begin, initial + range.begin, range.bytes);
        } else if (!is_new) {
            set(data() + range.begin, 0, range.bytes);
        }
    }
}

void HostMemory::spoil_rest(const KernelBuffer &buffer) {
    std::size_t begin = 0;
    for (const ByteRange &range : buffer.held) {
        set(data() + begin, no_number, range.begin - begin);
        begin = range.begin + range.bytes;
    }
    if (!buffer.held.empty()) {
        set(data() + begin, no_number, buffer.bytes - begin);
    }
}

}  // namespace perdure::host
