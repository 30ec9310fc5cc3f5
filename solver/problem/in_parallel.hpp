// Loops over cells in several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace perdure {

/// Calls work(begin, end) for parts of [0, count) that cover it, each in a thread of its own; it must not throw. `cells`:
/// how many all of them are, where a part is one of rows.
template <class Work>
void in_parallel(std::int64_t count, std::int64_t cells, const Work &work) {
    constexpr std::int64_t least_a_thread = 1 << 16;
    const auto parts = std::clamp<std::int64_t>(std::min(count, cells / least_a_thread), 1,
                                                std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::jthread> others;
    for (std::int64_t i = 1; i < parts; ++i) {
        others.emplace_back(
            [&work, begin = count * i / parts, end = count * (i + 1) / parts] { work(begin, end); });
    }
    work(0, count / parts);
}
template <class Work>
void in_parallel(std::int64_t count, const Work &work) {
    in_parallel(count, count, work);
}

}  // namespace perdure
