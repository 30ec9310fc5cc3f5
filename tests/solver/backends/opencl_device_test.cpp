#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/failure.hpp"

namespace perdure::opencl_device_test {
namespace {

class OpenclDevices : public testing::Test {
  protected:
    void SetUp() override { find(""); }
    void find(const char *legacy) {
        setenv("PERDURE_OPENCL_LEGACY", legacy, 1);
        std::string why_none;
        devices_ = opencl_devices(why_none);
        std::erase_if(devices_, [](const auto &device) { return !device->description().refused.empty(); });
        if (devices_.empty()) {
            GTEST_SKIP() << why_none;
        }
    }
    std::vector<std::unique_ptr<Device>> devices_;
};

KernelCall self_test_call(int words, const std::vector<std::uint32_t> &ring) {
    return {"barrier_self_test",
            Precision::float64,
            {{"control", sizeof(control_t)},
             {"sync", grid_sync_bytes(static_cast<std::uint32_t>(words))},
             {"state", sizeof(run_state_t)},
             {"ring", sizeof(std::uint32_t) * static_cast<std::size_t>(words),
              ring.empty() ? nullptr : ring.data()}}};
}

void expect_barrier_works(Device &device) {
    const int items = device.default_group_size();
    const int groups = device.resident_groups({"barrier_self_test", Precision::float64}, items);
    run_parameters_t parameters{};
    parameters.rounds = 1000;
    parameters.wait_limit = static_cast<std::uint64_t>(20.0 * device.wait_units_per_second());
    const auto run = device.prepare(self_test_call(groups * items, {}), {groups, items});
    run->launch(parameters, true);
    while (!run->finished(std::chrono::milliseconds(100))) {
    }
    run_state_t state{};
    run->read(2, &state, sizeof state);
    EXPECT_EQ(state.control.stop, static_cast<std::uint32_t>(STOP_COMPLETE));
    EXPECT_EQ(state.control.wrong, 0U);
    std::vector<std::uint32_t> ring(static_cast<std::size_t>(groups * items)), last(ring.size());
    for (std::size_t i = 0; i < last.size(); ++i) {
        last[i] = parameters.rounds + static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(items);
    }
    run->read(3, ring.data(), ring.size() * sizeof(std::uint32_t));
    EXPECT_EQ(ring, last);
    EXPECT_GT(run->launch_seconds(), 0.0);
}

std::string message_of(const auto &work) {
    try {
        work();
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::device);
        return failure.what();
    }
    return "no failure";
}

TEST_F(OpenclDevices, BarrierSelfTestPasses) {
    for (const auto &device : devices_) {
        SCOPED_TRACE(device->description().name);
        expect_barrier_works(*device);
    }
}

TEST_F(OpenclDevices, BarrierSelfTestPassesWithLegacyAtomics) {
    find("1");
    for (const auto &device : devices_) {
        SCOPED_TRACE(device->description().name);
        expect_barrier_works(*device);
    }
}

TEST_F(OpenclDevices, CopiesPartsOfBuffersAndFillsTheRestWithZeros) {
    const std::vector<std::uint32_t> ring{1, 2, 3, 4, 5};
    for (const auto &device : devices_) {
        const auto run = device->prepare(self_test_call(5, ring), {1, 1});
        const std::uint32_t other = 77;
        run->write(3, &other, sizeof other, 2 * sizeof other);
        std::vector<std::uint32_t> part(3);
        run->read(3, part.data(), 3 * sizeof other, sizeof other);
        EXPECT_EQ(part, (std::vector<std::uint32_t>{2, 77, 4}));
        std::vector<std::uint64_t> control(sizeof(control_t) / sizeof(std::uint64_t), 1);
        run->read(0, control.data(), sizeof(control_t));
        EXPECT_EQ(control, std::vector<std::uint64_t>(control.size(), 0));
        EXPECT_EQ(run->control() != nullptr, device->description().shared_control);
        EXPECT_THROW(run->read(3, part.data(), sizeof other, 5 * sizeof other), Failure);
    }
}

TEST_F(OpenclDevices, RefusesGroupsThatCannotAllRun) {
    for (const auto &device : devices_) {
        const int items = device->default_group_size();
        const int most = device->most_groups({"barrier_self_test", Precision::float64}, items);
        const auto run = device->prepare(self_test_call((most + 1) * items, {}), {most + 1, items});
        const std::string expected = "cannot all run at the same time, at most " + std::to_string(most);
        const std::string message = message_of([&] { run->launch({}, true); });
        EXPECT_NE(message.find(expected), std::string::npos) << message;
    }
}

TEST_F(OpenclDevices, RefusesWhatDoesNotFitBeforeAllocatingIt) {
    for (const auto &device : devices_) {
        KernelCall call = self_test_call(1, {});
        call.buffers[3] = {"field", device->description().memory_bytes * 4, nullptr};
        const std::string message = message_of([&] { device->prepare(call, {1, 1}); });
        EXPECT_NE(message.find("'field' needs " + std::to_string(call.buffers[3].bytes) + " bytes"),
                  std::string::npos)
            << message;
        EXPECT_NE(message.find("all buffers need"), std::string::npos) << message;
    }
}

TEST_F(OpenclDevices, RefusesGroupsThatAreTooLarge) {
    for (const auto &device : devices_) {
        const int largest = device->largest_group_size({"cg", Precision::float64});
        KernelCall call = self_test_call(1, {});
        const std::string message = message_of([&] {
            device->prepare(call, {1, 2 * static_cast<int>(LANES)});
        });
        EXPECT_NE(message.find("of 1 to " + std::to_string(largest) + " items"), std::string::npos)
            << message;
    }
}

}  // namespace
}  // namespace perdure::opencl_device_test
