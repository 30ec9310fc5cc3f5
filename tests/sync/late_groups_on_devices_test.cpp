// Barriers and halo exchanges of groups that come late by chance, on every back end and on two GPUs that share a launch.
#include "kernels/experiments/check_words.h"
#include "sync/grid_barrier.h"
#include "sync/halo_exchange.h"
#include "tests/sync/launch_check.hpp"

namespace perdure::tests::late_groups_on_devices_test {
namespace {

constexpr double longest_delay_seconds = 4.0e-6;
constexpr double patience_seconds = 20.0;

/// `groups` hand values on to each other, `rounds` times: none is lost, and none comes too early.
void expect_right_values(Device &device, LaunchShape shape, std::uint32_t rounds) {
    const auto groups = static_cast<std::uint32_t>(shape.groups);
    const std::size_t values = std::size_t{2} * groups * static_cast<std::size_t>(shape.group_size);
    run_parameters_t parameters{};
    parameters.barrier = BARRIER_GROUP_LEADER;
    parameters.rounds = rounds;
    parameters.delay = static_cast<std::uint32_t>(longest_delay_seconds * device.wait_units_per_second()) + 1;
    Launched launched(device, "late_groups_check", shape, parameters,
                      {{"halos", sizeof(std::uint32_t) * values, nullptr},
                       {"far", sizeof(std::uint32_t) * values, nullptr},
                       {"flags", halo_flags_bytes(groups, RING_EDGES), nullptr},
                       {"passed", sizeof(std::uint32_t) * groups, nullptr}},
                      patience_seconds);
    EXPECT_EQ(launched.sync.abandoned, 0U) << device.description().name;
    EXPECT_EQ(launched.state.control.wrong, 0U) << "wrong values on " << device.description().name;
    EXPECT_EQ(launched.read<std::uint32_t>(3, groups), std::vector<std::uint32_t>(groups, rounds));
}

class LateGroups : public OnEachBackEnd {};

TEST_P(LateGroups, ReadWhatOthersWrote) {
    for (const std::unique_ptr<Device> &device : devices()) {
        const std::uint32_t rounds = device->description().gpu ? 20'000 : 100;
        for (const LaunchShape &shape : shapes_to_try(*device, "late_groups_check", 132)) {
            expect_right_values(*device, shape, rounds);
        }
    }
}

class LateGroupsOfTwoGpus : public OnEachBackEnd {};

TEST_P(LateGroupsOfTwoGpus, ReadWhatOthersWroteAMillionTimes) {
    if (devices().size() < 2) {
        GTEST_SKIP() << devices().size() << " GPU";
    }
    const std::unique_ptr<Device> both = cuda_devices_as_one(0, 2);
    expect_right_values(*both, {264, 256}, 1'000'000);
}

PERDURE_ON_EACH_BACK_END(LateGroups);
INSTANTIATE_TEST_SUITE_P(BackEnds, LateGroupsOfTwoGpus, testing::Values(BackendChoice::cuda), back_end_name);

}  // namespace
}  // namespace perdure::tests::late_groups_on_devices_test
