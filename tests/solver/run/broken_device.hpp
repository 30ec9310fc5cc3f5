// A device whose barriers fail as a test wants them to; nothing runs on it.
#pragma once

#include <cstring>
#include <functional>
#include <vector>

#include "solver/backends/backend.hpp"
#include "sync/occupancy_discovery.h"

namespace perdure {

/// What a launch leaves in memory.
struct Aftermath {
    std::uint32_t wrong_values = 0;
    bool abandoned = false;
    std::uint32_t waiting_group = 0, waiting_phase = 0;
    std::vector<std::uint32_t> left;   // ROW_LEFT
    std::uint32_t poll = 0;            // of the occupancy discovery
    std::vector<std::uint32_t> ranks;  // likewise
};

class BrokenRun : public DeviceRun {
  public:
    using Leave = std::function<Aftermath(const run_parameters_t &)>;
    explicit BrokenRun(const Leave &leave) : leave_(leave) {}
    void launch(const run_parameters_t &parameters, bool) override { aftermath_ = leave_(parameters); }
    bool finished(std::chrono::milliseconds) override { return true; }
    double launch_seconds() override { return 1.0e-3; }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        std::memset(to, 0, bytes);
        if (buffer == 1 && offset > 0) {
            copy(to, bytes, aftermath_.left.data(), aftermath_.left.size() * sizeof(std::uint32_t));
        } else if (buffer == 1) {
            grid_sync_t sync{};
            sync.abandoned = aftermath_.abandoned ? 1 : 0;
            sync.waiting_group = aftermath_.waiting_group;
            sync.waiting_phase = aftermath_.waiting_phase;
            copy(to, bytes, &sync, sizeof sync);
        } else if (buffer == 2) {
            run_state_t state{};
            state.control.wrong = aftermath_.wrong_values;
            state.control.stop = STOP_COMPLETE;
            copy(to, bytes, &state, sizeof state);
        } else if (buffer == 3) {
            copy(to, bytes, &aftermath_.poll, sizeof aftermath_.poll);
        } else if (buffer == 4) {
            copy(to, bytes, aftermath_.ranks.data(), aftermath_.ranks.size() * sizeof(std::uint32_t));
        }
    }
    void write(std::size_t, const void *, std::size_t, std::size_t) override {}
    control_t *control() override { return nullptr; }

  private:
    static void copy(void *to, std::size_t room, const void *from, std::size_t bytes) {
        if (from != nullptr) {
            std::memcpy(to, from, std::min(room, bytes));
        }
    }

    const Leave &leave_;
    Aftermath aftermath_;
};

class BrokenDevice : public Device {
  public:
    explicit BrokenDevice(BrokenRun::Leave leave) : leave_(std::move(leave)) {
        description_.backend = BackendChoice::opencl;
        description_.name = "paper device";
        description_.memory_bytes = std::size_t{1} << 30U;
        description_.free_bytes = description_.memory_bytes;
    }
    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override { return 32; }
    [[nodiscard]] int largest_group_size(const KernelVariant &) override { return 64; }
    [[nodiscard]] int resident_groups(const KernelVariant &, int) override { return 4; }
    [[nodiscard]] int most_groups(const KernelVariant &, int) override { return 4; }
    [[nodiscard]] double wait_units_per_second() override { return 1.0e9; }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &, LaunchShape) override {
        return std::make_unique<BrokenRun>(leave_);
    }

    DeviceDescription description_;

  private:
    BrokenRun::Leave leave_;
};

}  // namespace perdure
