// Vectors as large as a grid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "solver/problem/in_parallel.hpp"
#include "solver/problem/kept_memory.hpp"

namespace perdure {

/// Numbers that nobody sets stay unset, and memory of some megabytes consists of huge pages where the system gives them: a thread that
/// fetches memory in pages of 4 KiB takes 0.2 to 0.6 s a GB.
template <typename Number>
struct LargeAllocator {
    using value_type = Number;
    LargeAllocator() = default;
    template <typename Other>
    // NOLINTNEXTLINE(google-explicit-constructor): as allocators have it
    LargeAllocator(const LargeAllocator<Other> & /*other*/) noexcept {}

    [[nodiscard]] static bool in_huge_pages(std::size_t count) {
        return count >= 2 * huge_page_bytes / sizeof(Number);
    }

    [[nodiscard]] Number *allocate(std::size_t count) {
        if (!in_huge_pages(count)) {
            return std::allocator<Number>().allocate(count);
        }
        if (count > static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(Number)) {
            throw std::bad_array_new_length();
        }
        void *const kept = KeptMemory::take(count * sizeof(Number));
        return static_cast<Number *>(kept != nullptr ? kept : allocate_in_huge_pages(count * sizeof(Number)));
    }
    void deallocate(Number *memory, std::size_t count) noexcept {
        if (!in_huge_pages(count)) {
            std::allocator<Number>().deallocate(memory, count);
        } else if (!KeptMemory::keep(memory, count * sizeof(Number))) {
            free_huge_pages(memory);
        }
    }
    template <typename Other, typename... Given>
    void construct(Other *place, Given &&...given) {
        if constexpr (sizeof...(Given) == 0) {
            ::new (static_cast<void *>(place)) Other;
        } else {
            ::new (static_cast<void *>(place)) Other(std::forward<Given>(given)...);
        }
    }
    friend bool operator==(const LargeAllocator & /*one*/, const LargeAllocator & /*other*/) { return true; }
};

/// A std::vector, but what LargeVector(count) and resize(count) make has no value yet.
template <typename Number>
class LargeVector : public std::vector<Number, LargeAllocator<Number>> {
  public:
    using Base = std::vector<Number, LargeAllocator<Number>>;
    using Base::Base;

    LargeVector() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): both are lists of numbers
    LargeVector(const std::vector<Number> &values) : Base(values.begin(), values.end()) {}
};

template <typename Number>
bool operator==(const LargeVector<Number> &one, const std::vector<Number> &other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

/// All cores fetch the memory of a vector from the system that is about to be filled by one.
template <typename Number, typename Allocator>
void fetch_memory(std::vector<Number, Allocator> &values) {
    constexpr std::size_t page = 4096;
    auto *memory = reinterpret_cast<std::byte *>(values.data());
    const auto pages = static_cast<std::int64_t>((values.capacity() * sizeof(Number) + page - 1) / page);
    in_parallel(pages, static_cast<std::int64_t>(values.capacity()),
                [=](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end; ++i) {
                        memory[static_cast<std::size_t>(i) * page] = std::byte{0};
                    }
                });
}

/// Zeros, fetched by all cores.
template <typename Number>
std::vector<Number> zeros(std::size_t count) {
    std::vector<Number> values;
    values.reserve(count);
    fetch_memory(values);
    values.resize(count);
    return values;
}

/// Set by all cores.
template <typename Number>
LargeVector<Number> filled_vector(std::size_t count, Number value) {
    LargeVector<Number> values(count);
    in_parallel(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end) {
        std::fill(values.begin() + begin, values.begin() + end, value);
    });
    return values;
}

}  // namespace perdure
