// HDF5 handles that close themselves, and calls whose errors become exceptions with a readable reason.
#pragma once

#include <hdf5.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace perdure::hdf5 {

/// An HDF5 call that failed. what(): what was being done and the innermost reason that the library gives.
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string &what, int number = 0) : std::runtime_error(what), number_(number) {}
    /// The errno of the system call that failed; 0 where none did, or it is not known.
    [[nodiscard]] int number() const { return number_; }

  private:
    int number_;
};

/// Throws Error about `action` with the reason on HDF5's error stack, then clears the stack.
[[noreturn]] void fail(const std::string &action);

/// HDF5 of one thread alone: Debian's library is not made for more. Whoever calls the library holds one, or a File, which does.
///
/// Publishes: the state of the library and of its files. Observed by the next thread that locks it; the edge is the mutex of the
/// process. A thread may lock what it has locked.
class LibraryLock {
  public:
    LibraryLock();
    LibraryLock(const LibraryLock &) = delete;
    LibraryLock &operator=(const LibraryLock &) = delete;
    ~LibraryLock();
};

/// Gives the library to other threads while this one, which holds it, waits for something else.
class LibraryUnlock {
  public:
    LibraryUnlock();
    LibraryUnlock(const LibraryUnlock &) = delete;
    LibraryUnlock &operator=(const LibraryUnlock &) = delete;
    ~LibraryUnlock();

  private:
    int locks_;  // of this thread
};

/// Throws std::logic_error where another thread holds the library at this moment: a call without a lock.
void expect_library_is_free();

/// Passes on what an HDF5 call returned; a negative value is thrown as Error. `action` continues "cannot
/// ...".
template <typename Result>
Result check(Result result, const std::string &action) {
    expect_library_is_free();
    if (result < 0) {
        fail(action);
    }
    return result;
}

/// Owns an identifier. close() reports failure; the destructor cannot.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);

    /// Takes an identifier as an HDF5 call returned it; a negative one is thrown as Error about `action`.
    Handle(hid_t id, Close close_call, const std::string &action)
        : id_(check(id, action)), close_(close_call) {}
    Handle(Handle &&other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    Handle &operator=(Handle &&) = delete;
    ~Handle();

    // NOLINTNEXTLINE(google-explicit-constructor): stands wherever the C interface takes an identifier
    operator hid_t() const { return id_; }

    /// Closes now. Throws Error when the library could not write what was still in memory.
    void close(const std::string &action);

  private:
    hid_t id_;
    Close close_;
};

/// An open file. While it lives its thread holds the library, and with it all handles of what is in the file can be used.
class File {
  public:
    /// `open`: an HDF5 call, made once the library is locked and prepared. Throws Error about `action`.
    File(const std::function<hid_t()> &open, const std::string &action);

    // NOLINTNEXTLINE(google-explicit-constructor): as a Handle
    operator hid_t() const { return handle_; }

    void close(const std::string &action) { handle_.close(action); }

  private:
    LibraryLock lock_;  // first: held until the handle is closed
    Handle handle_;
};

/// Stops HDF5 from printing its error stack and from cleaning up at exit, where it crashes after a write that
/// failed (every handle here is closed before). probe_main() and all that opens or creates a file call it
/// first.
void prepare_library();

/// HDF5's native memory type of a C++ number.
template <typename Number>
hid_t native_type() {
    if constexpr (std::is_same_v<Number, float>) {
        return H5T_NATIVE_FLOAT;
    } else if constexpr (std::is_same_v<Number, double>) {
        return H5T_NATIVE_DOUBLE;
    } else {
        static_assert(std::is_integral_v<Number> && std::is_signed_v<Number> && sizeof(Number) == 8);
        return H5T_NATIVE_INT64;
    }
}

}  // namespace perdure::hdf5
