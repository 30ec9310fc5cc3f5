// Emulated items: a group is a thread; its items are fibers that take turns at barriers and at exchanges within a warp.
#pragma once

#include <ucontext.h>

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace perdure::emulated {

enum class State { runs, at_group_barrier, at_pipeline_barrier, at_warp_barrier, ended };

/// An asynchronous copy that an item has not waited for yet.
struct Copy {
    char *to;
    const char *from;
    int bytes;
};
using Batch = std::vector<Copy>;

struct Item {
    ucontext_t begin{};  // until it has begun
    std::jmp_buf resume{};
    bool has_begun = false;
    State state = State::runs;
    double value = 0.0;          // the value that it offers to its warp
    std::vector<Batch> batches;  // the last one is open
    std::unique_ptr<char[]> stack;
};

struct Group {
    std::uint32_t index = 0;
    std::uint32_t count = 0;
    std::uint32_t item = 0;    // the item that runs now
    std::uint32_t all = 1;     // of a vote
    std::size_t pipeline = 0;  // items of a pipeline, once one of them has arrived
    std::vector<Item> items;
    std::vector<double> shared;
    std::jmp_buf scheduler{};
    std::function<void()> kernel;
};

inline thread_local Group *group = nullptr;

/// The fiber of `item` runs until it waits or ends. swapcontext only begins it: each call of it is a system call for the signal
/// mask, which _setjmp and _longjmp leave alone.
inline void resume(Item &item) {
    if (_setjmp(group->scheduler) == 0) {
        if (item.has_begun) {
            _longjmp(item.resume, 1);
        }
        item.has_begun = true;
        setcontext(&item.begin);
    }
}

inline void wait(State state) {
    Item &item = group->items[group->item];
    item.state = state;
    if (_setjmp(item.resume) == 0) {
        _longjmp(group->scheduler, 1);
    }
}

inline Item &this_item() {
    return group->items[group->item];
}

/// Lets the other items run; ends the program if none can proceed.
inline void go_on_later(std::uint64_t polls) {
    if (polls > 10'000'000) {
        std::fprintf(stderr, "emulated CUDA: an item waits for ever\n");
        std::abort();
    }
    wait(State::runs);
}

/// Copies arrive at once instead of when they are waited for. Set it before items run.
inline bool copies_arrive_at_once = false;

inline void arrive(const Copy &copy) {
    for (int i = 0; i < copy.bytes; ++i) {
        copy.to[i] = copy.from == nullptr ? '\0' : copy.from[i];
    }
}

/// Completes all closed batches of copies except the last `left`.
inline void await_batches(std::size_t left) {
    std::vector<Batch> &batches = this_item().batches;
    while (batches.size() > left + 1) {
        for (const Copy &copy : batches.front()) {
            arrive(copy);
        }
        batches.erase(batches.begin());
    }
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

/// Returns the value that a lane of this item's warp offers.
inline double exchange(double value, std::uint32_t lane) {
    const std::uint32_t first = group->item / 32 * 32;
    group->items[group->item].value = value;
    wait(State::at_warp_barrier);
    const double offered = group->items[first + lane % 32].value;
    wait(State::at_warp_barrier);
    return offered;
}

/// Returns the value of the lane at `distance`; this item's own value if there is no such lane among its `width` lanes.
inline double shuffle(double value, int distance, int width) {
    const int lane = static_cast<int>(group->item % 32);
    const int other = lane + distance;
    const bool there = other >= 0 && other / width == lane / width;
    return exchange(value, static_cast<std::uint32_t>(there ? other : lane));
}

inline void run_item() {
    group->kernel();
    group->items[group->item].state = State::ended;
    _longjmp(group->scheduler, 1);
}

/// Releases items `first` to `last` when all of them that have not ended wait in that state.
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

/// Runs one group of a launch; returns when all its items have ended.
inline void run_group(std::uint32_t index, std::uint32_t count, std::size_t items, std::size_t shared_bytes,
                      const std::function<void()> &kernel) {
    constexpr std::size_t stack_bytes = 128 * 1024;
    Group mine;
    mine.index = index;
    mine.count = count;
    mine.items.resize(items);
    // memory that has not been written is NaN
    mine.shared.assign(shared_bytes / sizeof(double) + 1, std::numeric_limits<double>::quiet_NaN());
    mine.kernel = kernel;
    group = &mine;
    for (Item &item : mine.items) {
        item.stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
        getcontext(&item.begin);
        item.begin.uc_stack.ss_sp = item.stack.get();
        item.begin.uc_stack.ss_size = stack_bytes;
        makecontext(&item.begin, run_item, 0);
    }
    for (bool going = true; going;) {
        going = false;
        for (std::size_t i = 0; i < items; ++i) {
            if (mine.items[i].state == State::runs) {
                mine.item = static_cast<std::uint32_t>(i);
                resume(mine.items[i]);
                going = true;
            }
        }
        going = release(0, items, State::at_group_barrier) || going;
        for (std::size_t first = 0; mine.pipeline > 0 && first < items; first += mine.pipeline) {
            going = release(first, first + mine.pipeline, State::at_pipeline_barrier) || going;
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
