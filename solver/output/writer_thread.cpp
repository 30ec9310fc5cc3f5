#include "solver/output/writer_thread.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "solver/failure.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

/// What a job throws; null: nothing.
std::exception_ptr error_of(const std::function<void()> &job) {
    try {
        const TimeSpent::Scope writing(Activity::write);
        job();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

}  // namespace

WriterThread::~WriterThread() {
    const std::lock_guard hold(mutex_);
    is_over_ = true;
    changed_.notify_all();
}

void WriterThread::wait_for_room() {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return !job_ || error_; });
    throw_error();
}

void WriterThread::add(std::function<void()> job) {
    wait_for_room();
    const std::lock_guard hold(mutex_);
    if (!thread_.joinable()) {
        start();
    }
    job_ = std::move(job);
    changed_.notify_all();
}

void WriterThread::start() {
    try {
        thread_ = std::jthread([this] { do_jobs(); });
    } catch (const std::system_error &error) {
        throw Failure(ExitCode::input_output,
                      fmt::format("cannot start the thread that writes results: {}; stop other programs or "
                                  "raise the limit of threads (ulimit -u)",
                                  error.code().message()));
    }
}

void WriterThread::do_here(const std::function<void()> &job) {
    const std::exception_ptr error = error_of(job);
    const std::lock_guard hold(mutex_);
    error_ = error;
}

void WriterThread::wait() {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return (!job_ && !is_busy_) || error_; });
    throw_error();
}

bool WriterThread::is_idle() {
    const std::lock_guard hold(mutex_);
    return (!job_ && !is_busy_) || error_;
}

void WriterThread::throw_error() const {
    if (error_) {
        std::rethrow_exception(error_);
    }
}

void WriterThread::do_jobs() {
    std::unique_lock hold(mutex_);
    for (;;) {
        changed_.wait(hold, [&] { return job_ || is_over_; });
        if (!job_) {
            return;
        }
        std::function<void()> job = std::exchange(job_, nullptr);
        is_busy_ = true;
        changed_.notify_all();
        hold.unlock();
        const std::exception_ptr error = error_of(job);
        job = nullptr;  // what it holds is free before the next one waits for room
        hold.lock();
        is_busy_ = false;
        error_ = error;
        changed_.notify_all();
        if (error_) {
            return;
        }
    }
}

}  // namespace perdure
