#include "solver/backends/host/group_threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <system_error>

#include <fmt/format.h>

#include "solver/backends/backend.hpp"

namespace perdure::host {
namespace {

/// Processors that this process may run on.
std::vector<int> allowed_processors() {
    cpu_set_t set;
    std::vector<int> processors;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
            if (CPU_ISSET(static_cast<std::size_t>(processor), &set)) {
                processors.push_back(processor);
            }
        }
    }
    return processors;
}

/// Keeps a thread on one processor; where that is refused it runs wherever it is put.
void keep_on(std::thread &thread, int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(processor), &set);
    (void)pthread_setaffinity_np(thread.native_handle(), sizeof set, &set);
}

}  // namespace

GroupThreads::GroupThreads(int groups, std::function<void()> run_group) : run_group_(std::move(run_group)) {
    try {
        for (int group = 0; group < groups; ++group) {
            threads_.emplace_back([this, group, groups] { serve(group, groups); });
        }
    } catch (const std::system_error &error) {
        const std::size_t started = threads_.size();
        end();
        throw Failure(
            ExitCode::device,
            fmt::format(
                "host: the system started only {} of {} threads ({}); use fewer groups (execution.groups), "
                "or raise the limits (ulimit -u, ulimit -v, the pids limit of the container)",
                started, groups, error.what()));
    }
    const std::vector<int> processors = allowed_processors();
    for (std::size_t i = 0; i < threads_.size() && threads_.size() == processors.size(); ++i) {
        keep_on(threads_[i], processors[i]);
    }
}

}  // namespace perdure::host
