#include <stdexcept>
#include <utility>

#include "solver/output/solution_parts.hpp"

namespace perdure {

bool FieldStream::add(FieldResult field) {
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return !queued_ || !is_read_; });
    if (is_read_) {
        queued_ = std::move(field);
        changed_.notify_all();
    }
    return is_read_;
}

void FieldStream::finish(Solution rest) {
    const std::lock_guard hold(mutex_);
    rest_ = std::move(rest);
    changed_.notify_all();
}

void FieldStream::give_up() {
    const std::lock_guard hold(mutex_);
    is_given_up_ = true;
    changed_.notify_all();
}

void FieldStream::stop_reading() {
    const std::lock_guard hold(mutex_);
    is_read_ = false;
    changed_.notify_all();
}

const FieldResult *FieldStream::next() {
    read_.reset();
    std::unique_lock hold(mutex_);
    changed_.wait(hold, [&] { return queued_ || rest_ || is_given_up_; });
    if (queued_) {
        read_ = std::move(*queued_);
        queued_.reset();
        changed_.notify_all();
        return &*read_;
    }
    if (!rest_) {
        throw std::runtime_error("the run ended without a result");
    }
    return nullptr;
}

const Solution &FieldStream::rest() {
    const std::lock_guard hold(mutex_);
    return rest_.value();
}

}  // namespace perdure
