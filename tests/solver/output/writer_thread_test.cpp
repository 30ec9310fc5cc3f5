// Order, bound and errors of jobs that are done behind the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <vector>

#include "solver/output/writer_thread.hpp"

namespace perdure::tests::writer_thread_test {
namespace {

TEST(WriterThread, JobsAreDoneInTheirOrderAndSeenAfterTheWait) {
    std::vector<int> done;
    WriterThread thread;
    for (int job = 0; job < 1000; ++job) {
        thread.add([&done, job] { done.push_back(job); });
    }
    thread.wait();
    ASSERT_EQ(done.size(), 1000U);
    EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
    EXPECT_TRUE(thread.is_idle());
}

/// Counts how many of these are alive.
class Snapshot {
  public:
    Snapshot(std::atomic<int> &alive, std::atomic<int> &most) : alive_(alive) {
        const int now = ++alive_;
        int before = most;
        while (before < now && !most.compare_exchange_weak(before, now)) {
        }
    }
    Snapshot(const Snapshot &) = delete;
    Snapshot &operator=(const Snapshot &) = delete;
    ~Snapshot() { --alive_; }

  private:
    std::atomic<int> &alive_;
};

TEST(WriterThread, OneJobIsQueuedWhileAnotherIsDone) {
    std::atomic<int> alive = 0;
    std::atomic<int> most = 0;
    {
        WriterThread thread;
        for (int i = 0; i < 50; ++i) {
            const auto snapshot = std::make_shared<Snapshot>(alive, most);
            thread.add([snapshot] { std::this_thread::sleep_for(std::chrono::microseconds(200)); });
        }
        thread.wait();
    }
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(most, 3) << "one being made, one queued, one being written";
}

TEST(WriterThread, WhoAddsGoesOnWhileAJobIsDone) {
    std::binary_semaphore go_on(0);
    WriterThread thread;
    thread.add([&] { go_on.acquire(); });
    EXPECT_FALSE(thread.is_idle());
    thread.add([] {});  // queued
    go_on.release();
    thread.wait();
    EXPECT_TRUE(thread.is_idle());
}

TEST(WriterThread, AnErrorReachesWhoAddsOrWaitsAndEndsTheJobs) {
    bool done = false;
    WriterThread thread;
    thread.add([] { throw std::runtime_error("disk full"); });
    EXPECT_THROW(
        {
            for (int i = 0; i < 3; ++i) {
                thread.add([&] { done = true; });
            }
        },
        std::runtime_error);
    EXPECT_THROW(thread.wait(), std::runtime_error);
    EXPECT_FALSE(done);
}

TEST(WriterThread, WhatIsQueuedIsDoneBeforeItsEnd) {
    int done = 0;
    {
        WriterThread thread;
        for (int i = 0; i < 2; ++i) {
            thread.add([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                ++done;
            });
        }
    }
    EXPECT_EQ(done, 2);
}

}  // namespace
}  // namespace perdure::tests::writer_thread_test
