#include "solver/run/snapshot_ring.hpp"

#include <chrono>
#include <utility>

#include "solver/run/interrupt.hpp"

namespace perdure {
namespace {

/// Between two signs of life, of which a wait sees several within any limit that makes sense.
constexpr std::chrono::milliseconds beat{20};

void ask_to_stop(control_t &control) {
    __atomic_store_n(&control.stop_request, 1U, __ATOMIC_RELAXED);
}

}  // namespace

SnapshotRing::SnapshotRing(DeviceRun &run, std::size_t buffer, std::size_t slot_bytes, std::uint32_t slots)
    : run_(run), buffer_(buffer), slot_bytes_(slot_bytes), slots_(slots), kept_(2 * slot_bytes) {}

SnapshotRing::~SnapshotRing() {
    close();
}

void SnapshotRing::close() {
    close_ring(&run_.control()->ring);
}

void SnapshotRing::begin(Work work, std::optional<std::chrono::steady_clock::time_point> stop_at) {
    work_ = std::move(work);
    taken_ = 0;
    control_t &control = *run_.control();
    open_ring(&control.ring);
    alive_ = std::jthread([&control, stop_at](const std::stop_token &over) {
        while (!over.stop_requested()) {
            keep_ring_alive(&control.ring);
            if (interrupted() || (stop_at && std::chrono::steady_clock::now() >= *stop_at)) {
                ask_to_stop(control);
            }
            std::this_thread::sleep_for(beat);
        }
    });
}

void SnapshotRing::drain() {
    take_until(announced_slots(&run_.control()->ring));
}

void SnapshotRing::finish(std::uint32_t made) {
    take_until(made);
    alive_ = {};
}

void SnapshotRing::take_until(std::uint32_t made) {
    control_t &control = *run_.control();
    try {
        while (taken_ != made) {
            const std::size_t slot = (taken_ % slots_) * slot_bytes_;
            work_.copy(taken_, [&](void *to, std::size_t bytes, std::size_t offset) {
                run_.read_while_running(buffer_, to, bytes, slot + offset);
            });
            ++taken_;
            give_back_slots(&control.ring, taken_);
            work_.pass_on();
        }
    } catch (...) {
        close();
        ask_to_stop(control);
        throw;
    }
}

}  // namespace perdure
