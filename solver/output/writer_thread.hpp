// A thread that writes files in the background.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace perdure {

/// Does jobs in their order in a thread of its own. One may be queued while another is being done: what they hold in memory is
/// bounded, and who adds jobs waits for a slow disk.
///
/// Publishes: what add() was given, to the job; what the jobs have done and thrown, to whoever wait() has returned to. The edge is
/// the mutex, under which `job_` is given and taken and `is_busy_` and `error_` change. Needs progress of the thread
/// alone: no job waits for the one who adds them. Jobs count as Activity::write.
class WriterThread {
  public:
    WriterThread() = default;
    WriterThread(const WriterThread &) = delete;
    WriterThread &operator=(const WriterThread &) = delete;
    /// Waits until all jobs are done; what they throw is lost.
    ~WriterThread();

    /// Waits while a job is queued. Throws what an earlier job threw.
    void wait_for_room();

    /// Queues a job, once none is queued. Throws what an earlier job threw: from then on no job is done; and Failure(input_output)
    /// where no thread can be started.
    void add(std::function<void()> job);

    /// Does a job in the calling thread, where none was added before. What it throws is kept for wait().
    void do_here(const std::function<void()> &job);

    /// Waits until all jobs are done. Throws what one of them threw.
    void wait();

    [[nodiscard]] bool is_idle();

  private:
    void start();
    void do_jobs();
    void throw_error() const;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> job_;  // the queued one
    bool is_busy_ = false, is_over_ = false;
    std::exception_ptr error_;
    std::jthread thread_;  // from the first job on; last: joined first
};

}  // namespace perdure
