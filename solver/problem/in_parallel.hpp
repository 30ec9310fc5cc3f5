// Loops over cells in several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace perdure {

/// Calls work(part) for each part from 0 to parts - 1, each in a thread of its own, and waits for all. What one of them throws is thrown
/// again, of several the one of the first part. Where the system gives no more threads, the calling one does what is left.
template <class Work>
void in_threads(std::int64_t parts, const Work &work) {
    if (parts == 1) {
        work(std::int64_t{0});
        return;
    }
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(parts));
    const auto do_part = [&](std::int64_t part) noexcept {
        try {
            work(part);
        } catch (...) {
            thrown[static_cast<std::size_t>(part)] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        others.reserve(static_cast<std::size_t>(parts));
        std::int64_t begun = 1;
        try {
            for (; begun < parts; ++begun) {
                others.emplace_back(do_part, begun);
            }
        } catch (const std::system_error &) {  // a limit of the system
        }
        do_part(0);
        for (; begun < parts; ++begun) {
            do_part(begun);
        }
    }
    for (const std::exception_ptr &error : thrown) {
        if (error) {
            std::rethrow_exception(error);
        }
    }
}

/// Asked once: the answer comes from a file of the system, and small problems ask for each of their loops.
inline std::int64_t cores() {
    static const std::int64_t known = std::max<std::int64_t>(1, std::thread::hardware_concurrency());
    return known;
}

/// Threads that are worth their start for so many cells.
inline std::int64_t threads_for(std::int64_t cells) {
    constexpr std::int64_t least_a_thread = 1 << 16;
    return std::clamp<std::int64_t>(cells / least_a_thread, 1, cores());
}

/// Calls work(begin, end) for parts of [0, count) that cover it, in several threads. `cells`: how many all of them are, where a part is
/// one of rows.
template <class Work>
void in_parallel(std::int64_t count, std::int64_t cells, const Work &work) {
    const std::int64_t parts = std::clamp<std::int64_t>(count, 1, threads_for(cells));
    in_threads(parts, [&](std::int64_t part) { work(count * part / parts, count * (part + 1) / parts); });
}
template <class Work>
void in_parallel(std::int64_t count, const Work &work) {
    in_parallel(count, count, work);
}

/// Calls work(task, thread) for the tasks from 0 to count - 1: each thread takes the next one that nobody has. `threads` are numbered from
/// 0. Behind an exception no further task begins.
template <class Work>
void share_out(std::int64_t count, std::int64_t threads, const Work &work) {
    std::atomic<std::int64_t> next = 0;  // relaxed: it orders nothing but itself
    in_threads(std::clamp<std::int64_t>(count, 1, threads), [&](std::int64_t thread) {
        try {
            for (std::int64_t task = 0; (task = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
                work(task, thread);
            }
        } catch (...) {
            next.store(count, std::memory_order_relaxed);
            throw;
        }
    });
}

}  // namespace perdure
