// The kinds of grid barriers that host threads have, for tests that hold for each of them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>

#include "sync/grid_barrier.h"

namespace perdure::tests {

constexpr std::uint32_t barrier_kinds[] = {BARRIER_GROUP_LEADER, BARRIER_ALL_ITEMS, BARRIER_LOCK_FREE,
                                           BARRIER_TREE};

inline std::string name_of(std::uint32_t kind) {
    static constexpr const char *names[] = {"group_leader", "all_items", "lock_free", "tree"};
    return names[kind];
}

/// Parameter of a test: a kind and a number of groups.
using KindAndGroups = std::tuple<std::uint32_t, std::uint32_t>;

inline std::string name_of_case(const testing::TestParamInfo<KindAndGroups> &info) {
    return name_of(std::get<0>(info.param)) + "_of_" + std::to_string(std::get<1>(info.param));
}

}  // namespace perdure::tests
