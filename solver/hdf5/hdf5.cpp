#include "solver/hdf5/hdf5.hpp"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <mutex>

namespace perdure::hdf5 {
namespace {

std::mutex library;
std::atomic<bool> library_is_locked = false;  // relaxed: a sign for people who debug, which orders nothing
thread_local int locks_of_this_thread = 0;

void lock_library() {
    library.lock();
    library_is_locked.store(true, std::memory_order_relaxed);
}

void unlock_library() {
    library_is_locked.store(false, std::memory_order_relaxed);
    library.unlock();
}

hid_t opened(const std::function<hid_t()> &open) {
    prepare_library();
    return open();
}

// Called from the innermost entry outwards: the first description is the reason.
herr_t keep_first_description(unsigned /*depth*/, const H5E_error2_t *entry, void *description) noexcept {
    auto *text = static_cast<std::string *>(description);
    if (text->empty() && entry->desc != nullptr) {
        *text = entry->desc;
    }
    return 0;
}

// "..., errno = 28, error message = 'No space left on device', buf = ..." -> No space left on device
std::string essence(const std::string &description) {
    const std::string mark = "error message = '";
    const std::size_t begin = description.find(mark);
    if (begin == std::string::npos) {
        return description;
    }
    const std::size_t first = begin + mark.size();
    return description.substr(first, description.find('\'', first) - first);
}

// "..., errno = 28, error message = ..." -> 28
int number_in(const std::string &description) {
    const std::string mark = "errno = ";
    const std::size_t begin = description.find(mark);
    int number = 0;
    if (begin != std::string::npos) {
        std::from_chars(description.data() + begin + mark.size(), description.data() + description.size(),
                        number);
    }
    return number;
}

}  // namespace

void fail(const std::string &action) {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_description, &reason);
    H5Eclear2(H5E_DEFAULT);
    throw Error(reason.empty() ? fmt::format("cannot {}", action)
                               : fmt::format("cannot {}: {}", action, essence(reason)),
                number_in(reason));
}

LibraryLock::LibraryLock() {
    if (locks_of_this_thread == 0) {
        lock_library();
    }
    ++locks_of_this_thread;
}

LibraryLock::~LibraryLock() {
    if (--locks_of_this_thread == 0) {
        unlock_library();
    }
}

LibraryUnlock::LibraryUnlock() : locks_(std::exchange(locks_of_this_thread, 0)) {
    unlock_library();
}

LibraryUnlock::~LibraryUnlock() {
    lock_library();
    locks_of_this_thread = locks_;
}

void expect_library_is_free() {
    if (locks_of_this_thread == 0 && library_is_locked.load(std::memory_order_relaxed)) {
        throw std::logic_error("internal error: HDF5 was called while another thread used it");
    }
}

Handle::~Handle() {
    if (id_ >= 0) {
        const LibraryLock lock;
        close_(id_);
    }
}

void Handle::close(const std::string &action) {
    check(close_(std::exchange(id_, H5I_INVALID_HID)), action);
}

File::File(const std::function<hid_t()> &open, const std::string &action)
    : handle_(opened(open), H5Fclose, action) {}

void prepare_library() {
    const LibraryLock lock;
    [[maybe_unused]] static const herr_t at_exit = H5dont_atexit();
    check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "silence HDF5's own messages");
}

}  // namespace perdure::hdf5
