#include "solver/backends/host/host_ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "sync/group_context.h"

namespace perdure::host {

HostEnsemble::HostEnsemble(std::vector<std::function<void()>> members, int threads)
    : members_(std::move(members)), seconds_(members_.size(), -1.0) {
    const std::size_t count = std::min(static_cast<std::size_t>(threads), members_.size());
    try {
        while (threads_.size() < count) {
            threads_.emplace_back([this] { run_members(); });
        }
    } catch (const std::system_error &) {
        if (threads_.empty()) {  // fewer do the same work, and so does the thread that asks
            run_members();
        }
    }
}

HostEnsemble::~HostEnsemble() = default;

void HostEnsemble::run_members() {
    using Clock = std::chrono::steady_clock;
    perdure_group = {0, 1};
    for (std::size_t member = next_++; member < members_.size(); member = next_++) {
        const Clock::time_point begin = Clock::now();
        members_[member]();
        seconds_[member] = std::chrono::duration<double>(Clock::now() - begin).count();
        const std::scoped_lock lock(mutex_);
        if (++ended_ == members_.size()) {
            all_have_ended_.notify_all();
        }
    }
}

bool HostEnsemble::finished(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    return all_have_ended_.wait_for(lock, timeout, [this] { return ended_ == members_.size(); });
}

}  // namespace perdure::host
