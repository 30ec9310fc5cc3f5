#include "solver/hdf5/hdf5.hpp"

#include <fmt/format.h>

namespace perdure::hdf5 {
namespace {

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

}  // namespace

void fail(const std::string &action) {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_description, &reason);
    H5Eclear2(H5E_DEFAULT);
    throw Error(reason.empty() ? fmt::format("cannot {}", action)
                               : fmt::format("cannot {}: {}", action, essence(reason)));
}

Handle::~Handle() {
    if (id_ >= 0) {
        close_(id_);
    }
}

void Handle::close(const std::string &action) {
    check(close_(std::exchange(id_, H5I_INVALID_HID)), action);
}

void prepare_library() {
    [[maybe_unused]] static const herr_t at_exit = H5dont_atexit();
    check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "silence HDF5's own messages");
}

}  // namespace perdure::hdf5
