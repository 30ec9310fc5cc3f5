#include "solver/measure/compare/watched_run.hpp"

namespace perdure::compare {

bool WatchedRun::wait(std::chrono::milliseconds timeout) {
    if (!awake_) {
        return run_.finished(timeout);
    }
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!run_.finished(std::chrono::milliseconds(0))) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
    }
    return true;
}

void WatchedRun::look_at_the_clock() {
    if (!late_ && deadline_ && std::chrono::steady_clock::now() >= *deadline_) {
        late_ = true;
        if (control_t *control = run_.control(); control != nullptr) {
            __atomic_store_n(&control->stop_request, 1U, __ATOMIC_RELAXED);
        }
    }
}

bool WatchedRun::finished(std::chrono::milliseconds timeout) {
    look_at_the_clock();
    if (!wait(timeout)) {
        return false;
    }
    if (under_way_) {
        under_way_ = false;
        ++looks_;
        if (whole_) {
            device_seconds_ += run_.launch_seconds();
        }
    }
    return true;
}

}  // namespace perdure::compare
