// Things that several threads make before it is their turn.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace perdure::commands {

/// Threads that are worth their start to make so many cases ahead.
inline std::size_t threads_to_make(std::size_t cases) {
    constexpr std::size_t cases_of_thread = 8, most_threads = 16;
    const std::size_t cores = std::max<std::size_t>(1, std::thread::hardware_concurrency());
    return std::min({cases / cases_of_thread, cores, most_threads});
}

/// Makes the things from 0 to `count` - 1 in threads of its own and hands them over in their order. No more than twice as many as there are
/// threads wait to be taken. Without threads, and where they come too late, the thread that takes a thing makes it.
///
/// Publishes: a thing, or what making it has thrown, from the thread that made it to the one that takes it. The edge is the mutex, under
/// which it is put away and found. Needs progress of the threads that make things.
template <class Made>
class MadeAhead {
  public:
    /// `make`: gets the number of a thing; called by several threads at the same time.
    MadeAhead(std::size_t count, std::function<Made(std::size_t)> make)
        : make_(std::move(make)), count_(count), most_ahead_(2 * threads_to_make(count)) {
        try {
            while (threads_.size() < threads_to_make(count)) {
                threads_.emplace_back([this] { make_all(); });
            }
        } catch (const std::system_error &) {  // a limit of the system: fewer do it
        }
    }
    MadeAhead(const MadeAhead &) = delete;
    MadeAhead &operator=(const MadeAhead &) = delete;
    /// What has been begun is made to its end.
    ~MadeAhead() {
        const std::scoped_lock lock(mutex_);
        count_ = 0;
        has_room_.notify_all();
    }

    /// The next thing. Throws what making it has thrown.
    Made take() {
        std::unique_lock lock(mutex_);
        const std::size_t index = taken_++;
        if (begun_ == index) {
            ++begun_;
            lock.unlock();
            has_room_.notify_one();
            return make_(index);
        }
        is_there_.wait(lock, [&] { return there_.contains(index); });
        Thing thing = std::move(there_.extract(index).mapped());
        lock.unlock();
        has_room_.notify_one();
        if (thing.error) {
            std::rethrow_exception(thing.error);
        }
        return std::move(*thing.made);
    }

  private:
    struct Thing {
        std::optional<Made> made;
        std::exception_ptr error;
    };

    void make_all() {
        std::unique_lock lock(mutex_);
        for (;;) {
            has_room_.wait(lock, [this] { return begun_ >= count_ || begun_ < taken_ + most_ahead_; });
            if (begun_ >= count_) {
                return;
            }
            const std::size_t index = begun_++;
            lock.unlock();
            Thing thing;
            try {
                thing.made = make_(index);
            } catch (...) {
                thing.error = std::current_exception();
            }
            lock.lock();
            there_.emplace(index, std::move(thing));
            if (index + 1 == taken_) {  // the one that is waited for
                is_there_.notify_one();
            }
        }
    }

    std::function<Made(std::size_t)> make_;
    std::size_t count_, most_ahead_;
    std::size_t begun_ = 0, taken_ = 0;
    std::map<std::size_t, Thing> there_;
    std::mutex mutex_;
    std::condition_variable has_room_;   // for the threads below
    std::condition_variable is_there_;   // for the thread that takes
    std::vector<std::jthread> threads_;  // last: they end before what they use
};

}  // namespace perdure::commands
