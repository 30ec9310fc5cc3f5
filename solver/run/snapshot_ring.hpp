// The host side of the snapshot ring buffer. sync/host_ring.h describes what is published, who reads it and the memory ordering.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>

#include "solver/backends/backend.hpp"
#include "solver/problem/kept_memory.hpp"

namespace perdure {

/// Takes snapshots out of the slots of a launch, in their order, in the thread that drives the launch. Another thread says to the
/// kernel that the host is alive, and passes on a request to stop: the first one may be waiting for the disk.
class SnapshotRing {
  public:
    /// Copies so many bytes of a snapshot from `offset` on; offsets count from its first value.
    using Read = std::function<void(void *to, std::size_t bytes, std::size_t offset)>;
    /// What is done with snapshot `number` of the launch: it is copied, the slot is given back, then the copy is passed on, which may
    /// take as long as a disk takes. What they throw closes the ring: the kernel then waits for nobody and leaves.
    struct Work {
        std::function<void(std::uint32_t number, const Read &read)> copy;
        std::function<void()> pass_on;
    };

    SnapshotRing(DeviceRun &run, std::size_t buffer, std::size_t slot_bytes, std::uint32_t slots);
    SnapshotRing(const SnapshotRing &) = delete;
    SnapshotRing &operator=(const SnapshotRing &) = delete;
    /// Closes the ring.
    ~SnapshotRing();

    /// Before a launch. `stop_at`: when the run is asked to stop.
    void begin(Work work, std::optional<std::chrono::steady_clock::time_point> stop_at);
    /// During it: those that are whole.
    void drain();
    /// Behind it: the rest of so many that it has made.
    void finish(std::uint32_t made);

  private:
    void take_until(std::uint32_t made);
    void close();

    DeviceRun &run_;
    std::size_t buffer_, slot_bytes_;
    std::uint32_t slots_;
    std::uint32_t taken_ = 0;
    KeptMemory kept_;  // of two snapshots, besides the one that is written
    Work work_;
    std::jthread alive_;
};

}  // namespace perdure
