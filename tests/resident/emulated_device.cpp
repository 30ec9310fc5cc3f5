#include "tests/resident/emulated_cuda.hpp"

#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "kernels/common.h"
#include "tests/resident/emulated_delays.hpp"
#include "tests/resident/emulated_device.hpp"

namespace perdure::tests {

void delay_at_random() {
    thread_local std::minstd_rand random{emulated::group->index + 1U};
    if (!emulated_delays) {
        return;
    }
    const auto drawn = random();
    if (drawn % 64 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(drawn / 64 % 100));
    }
    if (drawn % 4096 == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

EmulatedMemory::EmulatedMemory(const KernelCall &call) {
    for (const KernelBuffer &buffer : call.buffers) {
        buffers_.emplace_back(buffer.bytes / sizeof(Line) + 1);
        if (buffer.initial != nullptr) {
            std::memcpy(buffers_.back().data(), buffer.initial, buffer.bytes);
        }
        pointers_.push_back(buffers_.back().data());
    }
}

std::function<void()> item_of(KernelWithBuffers kernel, const KernelCall &call,
                              const run_parameters_t &parameters, EmulatedMemory &memory) {
    if (kernel == nullptr) {
        ADD_FAILURE() << "no such kernel: " << call.kernel;
        return [] {};
    }
    return [&memory, &parameters, kernel] { kernel(parameters, memory.pointers()); };
}

namespace {

class EmulatedRun final : public DeviceRun {
  public:
    EmulatedRun(const KernelCall &call, LaunchShape shape, EmulatedKernel kernel)
        : call_(call), shape_(shape), kernel_(std::move(kernel)), memory_(call) {}

    void launch(const run_parameters_t &parameters, bool) override {
        const std::function<void()> item = kernel_(call_, parameters, memory_);
        std::vector<std::thread> groups;
        for (int index = 0; index < shape_.groups; ++index) {
            groups.emplace_back([&, index] {
                emulated::run_group(static_cast<std::uint32_t>(index),
                                    static_cast<std::uint32_t>(shape_.groups),
                                    static_cast<std::size_t>(shape_.group_size), shape_.shared_bytes, item);
            });
        }
        for (std::thread &group : groups) {
            group.join();
        }
    }
    bool finished(std::chrono::milliseconds) override { return true; }
    double launch_seconds() override { return std::numeric_limits<double>::quiet_NaN(); }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        std::memcpy(to, memory_.at<char>(buffer) + offset, bytes);
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        std::memcpy(memory_.at<char>(buffer) + offset, from, bytes);
    }
    control_t *control() override { return memory_.at<control_t>(0); }

  private:
    KernelCall call_;
    LaunchShape shape_;
    EmulatedKernel kernel_;
    EmulatedMemory memory_;
};

class EmulatedDevice final : public Device {
  public:
    EmulatedDevice(const EmulatedUnits &units, EmulatedKernel kernel) : kernel_(std::move(kernel)) {
        description_.name = "emulated CUDA device";
        description_.memory_bytes = description_.free_bytes = description_.largest_allocation = std::size_t{1}
                                                                                                << 32;
        description_.compute_units = units.count;
        description_.shared_control = true;
        description_.no_resident.clear();
        description_.registers_per_unit = units.registers;
        description_.items_per_unit = 2048;
        description_.shared_bytes_per_group = units.shared_bytes;
    }
    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override { return 1; }
    [[nodiscard]] int largest_group_size(const KernelVariant &) override { return 1024; }
    [[nodiscard]] int resident_groups(const KernelVariant &, int) override {
        return description_.compute_units;
    }
    [[nodiscard]] int most_groups(const KernelVariant &, int) override { return description_.compute_units; }
    [[nodiscard]] double wait_units_per_second() override { return 1.0e9; }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override {
        return std::make_unique<EmulatedRun>(call, shape, kernel_);
    }

  private:
    DeviceDescription description_;
    EmulatedKernel kernel_;
};

}  // namespace

std::unique_ptr<Device> emulated_device(const EmulatedUnits &units, EmulatedKernel kernel) {
    return std::make_unique<EmulatedDevice>(units, std::move(kernel));
}

}  // namespace perdure::tests
