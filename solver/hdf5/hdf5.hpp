// HDF5 handles that close themselves, and calls whose failure is an exception with the reason in words.
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace perdure::hdf5 {

/// An HDF5 call that failed. what(): what was being done and the innermost reason that the library gives.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Throws Error about `action` with the reason on HDF5's error stack, then clears the stack.
[[noreturn]] void fail(const std::string &action);

/// Passes on what an HDF5 call returned; a negative value is thrown as Error. `action` continues "cannot
/// ...".
template <typename Result>
Result check(Result result, const std::string &action) {
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
