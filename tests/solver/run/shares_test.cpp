// What groups have of a number of things, as on GPUs, where the launch runs on one device or on several.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/shares.h"

namespace perdure::shares_test {
namespace {

/// The group that the calls are made by.
class AsGroup {
  public:
    AsGroup(std::uint32_t group, std::uint32_t groups, std::uint32_t devices) {
        perdure_group = {group, groups};
        perdure_device_count = devices;
    }
    AsGroup(const AsGroup &) = delete;
    AsGroup &operator=(const AsGroup &) = delete;
    ~AsGroup() {
        perdure_group = {0, 1};
        perdure_device_count = 1;
    }
};

using Shares = std::vector<std::vector<std::uint32_t>>;

/// Of each group.
Shares shares_of(std::uint32_t count, std::uint32_t groups, std::uint32_t devices) {
    Shares shares(groups);
    for (std::uint32_t group = 0; group < groups; ++group) {
        const AsGroup as_group(group, groups, devices);
        FOR_EACH_SIDE_BY_SIDE(i, count, group, groups) {
            shares[group].push_back(i);
        }
    }
    return shares;
}

std::vector<std::uint32_t> joined(const Shares &shares, std::size_t first, std::size_t end) {
    std::vector<std::uint32_t> all;
    for (std::size_t group = first; group < end; ++group) {
        all.insert(all.end(), shares[group].begin(), shares[group].end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<std::uint32_t> numbers(std::uint32_t first, std::uint32_t end) {
    std::vector<std::uint32_t> all(end - first);
    std::iota(all.begin(), all.end(), first);
    return all;
}

TEST(Shares, HoldEachThingOnceAndADevicesFollowEachOther) {
    for (const std::uint32_t devices : {1U, 2U, 3U, 5U, 8U}) {
        for (const std::uint32_t groups : {devices, 2 * devices + 1, 17 * devices}) {
            for (const std::uint32_t count : {0U, 1U, 7U, 528U, 2111U}) {
                SCOPED_TRACE(testing::Message() << devices << " devices, " << groups << " groups, " << count);
                const Shares shares = shares_of(count, groups, devices);
                EXPECT_EQ(joined(shares, 0, groups), numbers(0, count));
                for (std::uint32_t device = 0; device < devices; ++device) {
                    const std::vector<std::uint32_t> of_device =
                        joined(shares, first_group_of_device(device, devices, groups),
                               first_group_of_device(device + 1, devices, groups));
                    EXPECT_EQ(of_device, of_device.empty()
                                             ? of_device
                                             : numbers(of_device.front(), of_device.back() + 1));
                }
            }
        }
    }
}

TEST(Shares, AreAsEqualAsCanBe) {
    for (const std::uint32_t devices : {1U, 2U, 3U, 5U}) {
        const Shares shares = shares_of(2112, 40 * devices, devices);
        const auto [least, most] = std::ranges::minmax(
            shares, {}, [](const std::vector<std::uint32_t> &share) { return share.size(); });
        EXPECT_LE(most.size() - least.size(), devices == 1 ? 1U : 2U) << devices;
    }
}

TEST(Shares, OfOneGroupAloneAreAll) {
    for (const std::uint32_t devices : {1U, 4U}) {
        const AsGroup as_group(0, 8, devices);
        std::vector<std::uint32_t> found;
        FOR_EACH_SIDE_BY_SIDE(i, 9U, 0U, 1U) {
            found.push_back(i);
        }
        EXPECT_EQ(found, numbers(0, 9));
    }
}

TEST(Shares, GroupsAreNumberedDeviceAfterDevice) {
    for (const auto &[devices, groups] : {std::pair{2U, 255U}, {3U, 4U}, {5U, 5U}, {4U, 528U}}) {
        for (std::uint32_t group = 0; group < groups; ++group) {
            const AsGroup as_group(group, groups, devices);
            ASSERT_LT(device_index(), devices);
            EXPECT_GE(group, first_group_of(device_index()));
            EXPECT_LT(group, first_group_of(device_index()) + groups_of_own_device());
        }
    }
}

}  // namespace
}  // namespace perdure::shares_test
