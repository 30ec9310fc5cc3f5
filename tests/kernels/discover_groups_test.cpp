// kernels/experiments/discover_groups.h on every device: the groups that are found meet in barriers of their
// own while the others have left.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "solver/backends/occupancy_discovery.hpp"
#include "tests/kernels/run_problem.hpp"

namespace perdure::tests::discover_groups_test {
namespace {

constexpr std::uint32_t rounds = 50;
constexpr int per_compute_unit = 8;

bool is_pocl(const Device &device) {
    return device.description().driver.find("Portable Computing Language") != std::string::npos;
}

std::vector<int> group_sizes(Device &device) {
    const int largest = device.largest_group_size({"discover_groups", Precision::float64});
    std::vector<int> sizes{1};
    if (device.description().gpu) {
        sizes = {32, static_cast<int>(LANES), 1024};
    }
    std::erase_if(sizes, [&](int size) { return size > largest; });
    return sizes;
}

class DiscoverGroups : public OnEachBackEnd {};

TEST_P(DiscoverGroups, NeverHangsAndFindsNoMoreThanRun) {
    for (const auto &device : devices()) {
        const int launched = per_compute_unit * device->description().compute_units;
        for (const int size : group_sizes(*device)) {
            const Discovery found = discover_groups(*device, launched, size, rounds);
            EXPECT_EQ(found.failure, "") << device->description().name << ", groups of " << size;
            EXPECT_GE(found.groups, 1);
            EXPECT_LE(found.groups, is_pocl(*device) ? device->description().compute_units : launched);
        }
    }
}

/// A late start of a worker thread may leave its group out, not every time; more threads than processors need
/// not run at the same time.
TEST_P(DiscoverGroups, FindsAllThatTheDeviceIsKnownToRun) {
    for (const auto &device : devices()) {
        for (const int size : group_sizes(*device)) {
            const int resident = device->resident_groups({"discover_groups", Precision::float64}, size);
            const auto processors = static_cast<int>(std::thread::hardware_concurrency());
            const int launched = per_compute_unit * device->description().compute_units;
            const int known =
                std::min(launched, device->description().gpu ? resident : std::min(resident, processors));
            int most = 0;
            for (int launch = 0; launch < 50 && most < known; ++launch) {
                most = std::max(most, discover_groups(*device, launched, size, 1).groups);
            }
            EXPECT_GE(most, known) << device->description().name << ", groups of " << size;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(BackEnds, DiscoverGroups,
                         testing::Values(BackendChoice::host, BackendChoice::opencl, BackendChoice::cuda),
                         back_end_name);

TEST(OpenclDevicesThatPromiseNothing, AreUsedWithTheGroupsThatWereFound) {
    setenv("PERDURE_OPENCL_DISCOVER", "1", 1);
    std::string why_none;
    auto devices = opencl_devices(why_none);
    std::erase_if(devices, [](const auto &device) { return !device->description().refused.empty(); });
    for (const auto &device : devices) {
        const int items = device->default_group_size();
        const int groups = device->resident_groups({"cg", Precision::float64}, items);
        EXPECT_GE(groups, 1);
        EXPECT_LE(groups, device->description().compute_units);
        EXPECT_EQ(device->resident_groups({"jacobi", Precision::float32}, items), groups) << "asked once";
        EXPECT_EQ(run_barrier_self_test(*device), "");
        const auto &notes = device->description().notes;
        EXPECT_EQ(std::count_if(notes.begin(), notes.end(),
                                [](const std::string &note) {
                                    return note.find("did so in a test") != std::string::npos;
                                }),
                  1);
    }
    unsetenv("PERDURE_OPENCL_DISCOVER");
    if (devices.empty()) {
        GTEST_SKIP() << why_none;
    }
}

}  // namespace
}  // namespace perdure::tests::discover_groups_test
