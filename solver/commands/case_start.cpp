#include "solver/commands/case_start.hpp"

#include <memory>
#include <utility>

#include "solver/run/ensemble.hpp"

namespace perdure::commands {

void StartsAhead::allow(const PreparedCase &like, std::size_t cases, std::size_t most) {
    const std::scoped_lock lock(mutex_);
    like_.emplace(Like{like.config.execution, like.ensemble, cases, most});
}

bool StartsAhead::reserve(const Config &config) {
    const std::scoped_lock lock(mutex_);
    if (!like_ || being_made_ + there_.size() >= like_->most) {
        return false;
    }
    const ExecutionConfig &of = config.execution, &those = like_->execution;
    if (of.backend != those.backend || of.device != those.device || of.devices != those.devices) {
        return false;
    }
    try {
        const auto plan = plan_ensemble(config, *like_->ensemble->whole(), like_->cases);
        if (plan != like_->ensemble->plan()) {
            return false;
        }
    } catch (const Failure &) {  // is found again when it is the case's turn
        return false;
    }
    ++being_made_;
    return true;
}

void StartsAhead::make(const Config &config, const std::function<std::optional<CaseStart>()> &make) {
    if (!reserve(config)) {
        return;
    }
    const auto is_made = [this](void *) {
        const std::scoped_lock lock(mutex_);
        --being_made_;
        changed_.notify_all();
    };
    const std::unique_ptr<void, decltype(is_made)> until_then(this, is_made);
    std::optional<CaseStart> start = make();
    if (start) {
        const std::scoped_lock lock(mutex_);
        there_.emplace(&config, *std::move(start));
    }
}

std::optional<CaseStart> StartsAhead::take(const Config &config) {
    const std::scoped_lock lock(mutex_);
    auto found = there_.extract(&config);
    return found ? std::optional(std::move(found.mapped())) : std::nullopt;
}

void StartsAhead::give_up() {
    std::map<const Config *, CaseStart> dropped;  // gives up its names without the lock
    std::unique_lock lock(mutex_);
    like_.reset();
    changed_.wait(lock, [this] { return being_made_ == 0; });
    dropped.swap(there_);
    lock.unlock();
}

}  // namespace perdure::commands
