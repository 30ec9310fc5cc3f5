// Threads that run the groups of a launch, one thread per group.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sync/group_context.h"

namespace perdure::host {

/// Threads that wait for a launch and run one group each. As many as there are processors have one each: two that
/// share one would wait for each other by the time slice. Fewer leave the choice to the system, for another
/// process may have some.
class GroupThreads {
  public:
    /// Throws Failure(device) when the system has no more threads.
    GroupThreads(int groups, std::function<void()> run_group);
    GroupThreads(const GroupThreads &) = delete;
    GroupThreads &operator=(const GroupThreads &) = delete;
    ~GroupThreads() {
        wait_until_idle();
        end();
    }

    void start() {
        {
            const std::lock_guard lock(mutex_);
            ++launch_;
            busy_ = static_cast<int>(threads_.size());
            started_ = std::chrono::steady_clock::now();
        }
        begin_.notify_all();
    }
    void wait_until_idle() {
        std::unique_lock lock(mutex_);
        end_.wait(lock, [this] { return busy_ == 0; });
    }
    bool wait(std::chrono::milliseconds timeout) {
        std::unique_lock lock(mutex_);
        return end_.wait_for(lock, timeout, [this] { return busy_ == 0; });
    }
    double seconds() {
        const std::lock_guard lock(mutex_);
        return std::chrono::duration<double>(ended_ - started_).count();
    }

  private:
    void end() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        begin_.notify_all();
        for (std::thread &thread : threads_) {
            thread.join();
        }
    }
    void serve(int group, int groups) {
        perdure_group = {static_cast<uint32_t>(group), static_cast<uint32_t>(groups)};
        std::uint64_t served = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                begin_.wait(lock, [&] { return ending_ || launch_ != served; });
                if (ending_) {
                    return;
                }
                served = launch_;
            }
            run_group_();
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) {
                ended_ = std::chrono::steady_clock::now();
                end_.notify_all();
            }
        }
    }

    std::function<void()> run_group_;
    std::mutex mutex_;
    std::condition_variable begin_, end_;
    std::uint64_t launch_ = 0;
    int busy_ = 0;
    bool ending_ = false;
    std::chrono::steady_clock::time_point started_, ended_;
    std::vector<std::thread> threads_;
};

}  // namespace perdure::host
