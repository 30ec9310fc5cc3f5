// The words of CUDA C++ that resident conjugate gradients and relays are written in, on the host: a group is a thread, its items
// are fibers that take turns between barriers and exchanges of a warp. To be included before any kernel text.
#pragma once

#include <ucontext.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace perdure::emulated {

enum class State { runs, at_group_barrier, at_relay_barrier, at_warp_barrier, ended };

struct Item {
    ucontext_t context{};
    State state = State::runs;
    double value = 0.0;  // what it offers its warp
    std::vector<char> stack;
};

struct Group {
    std::uint32_t index = 0;
    std::uint32_t count = 0;
    std::uint32_t item = 0;  // the one that runs
    std::uint32_t all = 1;   // of a vote
    std::size_t relay = 0;   // its items, once one has met
    std::vector<Item> items;
    std::vector<double> shared;
    ucontext_t scheduler{};
    std::function<void()> kernel;
};

inline thread_local Group *group = nullptr;

inline void wait(State state) {
    Item &item = group->items[group->item];
    item.state = state;
    swapcontext(&item.context, &group->scheduler);
}

inline void group_barrier() {
    wait(State::at_group_barrier);
}

inline std::uint32_t vote(std::uint32_t passed) {
    group->all &= passed != 0 ? 1U : 0U;
    group_barrier();
    const std::uint32_t all = group->all;
    group_barrier();
    group->all = 1;
    group_barrier();
    return all;
}

/// The value that the lane of this item's warp offers.
inline double exchange(double value, std::uint32_t lane) {
    const std::uint32_t first = group->item / 32 * 32;
    group->items[group->item].value = value;
    wait(State::at_warp_barrier);
    const double offered = group->items[first + lane % 32].value;
    wait(State::at_warp_barrier);
    return offered;
}

/// Of the lane `distance` before or behind this one; its own where there is none.
inline double shuffle(double value, int distance) {
    const int lane = static_cast<int>(group->item % 32);
    const int other = lane + distance;
    return exchange(value, static_cast<std::uint32_t>(other >= 0 && other < 32 ? other : lane));
}

inline void run_item() {
    group->kernel();
    group->items[group->item].state = State::ended;
}

/// Lets items `first` to `last` go on when all of them that have not ended wait in that state.
inline bool release(std::size_t first, std::size_t last, State state) {
    bool waits = false;
    for (std::size_t i = first; i < last; ++i) {
        const State now = group->items[i].state;
        if (now != state && now != State::ended) {
            return false;
        }
        waits = waits || now == state;
    }
    for (std::size_t i = first; waits && i < last; ++i) {
        Item &item = group->items[i];
        item.state = item.state == state ? State::runs : item.state;
    }
    return waits;
}

/// One group of a launch; returns when all its items have ended.
inline void run_group(std::uint32_t index, std::uint32_t count, std::size_t items, std::size_t shared_bytes,
                      const std::function<void()> &kernel) {
    constexpr std::size_t stack_bytes = 128 * 1024;
    Group mine;
    mine.index = index;
    mine.count = count;
    mine.items.resize(items);
    mine.shared.resize(shared_bytes / sizeof(double) + 1);
    mine.kernel = kernel;
    group = &mine;
    for (Item &item : mine.items) {
        item.stack.resize(stack_bytes);
        getcontext(&item.context);
        item.context.uc_stack.ss_sp = item.stack.data();
        item.context.uc_stack.ss_size = item.stack.size();
        item.context.uc_link = &mine.scheduler;
        makecontext(&item.context, run_item, 0);
    }
    for (bool going = true; going;) {
        going = false;
        for (std::size_t i = 0; i < items; ++i) {
            if (mine.items[i].state == State::runs) {
                mine.item = static_cast<std::uint32_t>(i);
                swapcontext(&mine.scheduler, &mine.items[i].context);
                going = true;
            }
        }
        going = release(0, items, State::at_group_barrier) || going;
        for (std::size_t first = 0; mine.relay > 0 && first < items; first += mine.relay) {
            going = release(first, first + mine.relay, State::at_relay_barrier) || going;
        }
        for (std::size_t warp = 0; warp < items; warp += 32) {
            going = release(warp, warp + 32, State::at_warp_barrier) || going;
        }
    }
    for (const Item &item : mine.items) {
        if (item.state != State::ended) {
            std::fprintf(stderr, "emulated CUDA: items wait for each other in different places\n");
            std::abort();
        }
    }
    group = nullptr;
}

}  // namespace perdure::emulated

// The host's dialect, but for what groups and items are.
#define group_index host_group_index
#define group_count host_group_count
#define item_index host_item_index
#define group_size host_group_size
#define group_barrier host_group_barrier
#define group_verdict host_group_verdict
#define group_all host_group_all
#define lane_barrier host_lane_barrier
#define wait_pause host_wait_pause
#include "sync/dialect_host.h"
#undef group_index
#undef group_count
#undef item_index
#undef group_size
#undef group_barrier
#undef group_verdict
#undef group_all
#undef lane_barrier
#undef wait_pause

inline std::uint32_t group_index() {
    return perdure::emulated::group->index;
}
inline std::uint32_t group_count() {
    return perdure::emulated::group->count;
}
inline std::uint32_t item_index() {
    return perdure::emulated::group->item;
}
inline std::uint32_t group_size() {
    return static_cast<std::uint32_t>(perdure::emulated::group->items.size());
}
inline void group_barrier() {
    perdure::emulated::group_barrier();
}
inline std::uint32_t group_verdict(std::uint32_t *, std::uint32_t passed) {
    return perdure::emulated::vote(passed);
}
inline std::uint32_t group_all(std::uint32_t *, std::uint32_t condition) {
    return perdure::emulated::vote(condition);
}
inline void lane_barrier(std::uint32_t) {
    perdure::emulated::group_barrier();
}
/// What an item waits for may come from another one of its group.
inline void wait_pause(std::uint64_t polls) {
    host_wait_pause(polls);
    perdure::emulated::wait(perdure::emulated::State::runs);
}

#define LANE_SHIFT
inline double shift_lanes(double value, std::uint32_t stride) {
    return perdure::emulated::exchange(value, item_index() % 32 + stride);
}
inline double __shfl_xor_sync(unsigned, double value, std::uint32_t stride) {
    return perdure::emulated::exchange(value, (item_index() % 32) ^ stride);
}
template <typename Value>
Value __shfl_sync(unsigned, Value value, std::uint32_t lane) {
    return static_cast<Value>(perdure::emulated::exchange(static_cast<double>(value), lane));
}
template <typename Real>
Real __shfl_up_sync(unsigned, Real value, int distance) {
    return static_cast<Real>(perdure::emulated::shuffle(static_cast<double>(value), -distance));
}
template <typename Real>
Real __shfl_down_sync(unsigned, Real value, int distance) {
    return static_cast<Real>(perdure::emulated::shuffle(static_cast<double>(value), distance));
}
inline bool __all_sync(unsigned, bool condition) {
    bool all = true;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        all = perdure::emulated::exchange(condition ? 1.0 : 0.0, lane) != 0.0 && all;
    }
    return all;
}
inline int __double2loint(double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value));
}
inline int __double2hiint(double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 32);
}
inline double __hiloint2double(int high, int low) {
    return std::bit_cast<double>(std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                                 static_cast<std::uint32_t>(low));
}
/// The warps of a relay meet.
template <int Items>
void relay_barrier(std::uint32_t) {
    perdure::emulated::group->relay = Items;
    perdure::emulated::wait(perdure::emulated::State::at_relay_barrier);
}
inline void __syncwarp() {
    perdure::emulated::wait(perdure::emulated::State::at_warp_barrier);
}

struct double2 {
    double x, y;
};
inline double2 make_double2(double x, double y) {
    return {x, y};
}
struct float4 {
    float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}

/// Copies arrive at once.
template <int Bytes>
inline void copy_async(void *to, const void *from, bool there) {
    for (int i = 0; i < Bytes; ++i) {
        static_cast<char *>(to)[i] = there ? static_cast<const char *>(from)[i] : '\0';
    }
}
inline void commit_copies() {}
template <int Left>
inline void await_copies() {}

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __shared__ static thread_local
#define SHARED_BYTES(name) \
    auto *name = reinterpret_cast<unsigned char *>(perdure::emulated::group->shared.data())

template <typename Value>
Value pinned(Value value) {
    return value;
}
inline std::uint32_t chip_bytes() {
    return static_cast<std::uint32_t>((perdure::emulated::group->shared.size() - 1) * sizeof(double));
}
