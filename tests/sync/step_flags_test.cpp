// Groups that wait for all around them, some of them slow, on host threads: grids of groups, periodic and not.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "sync/step_flags.h"
#include "tests/number_of_barriers.hpp"
#include "tests/sync/grid_sync_memory.hpp"
#include "tests/sync/group_threads.hpp"

namespace perdure::tests::step_flags_test {
namespace {

constexpr uint32 steps = number_of_rounds(2'000);
constexpr int32 around_count = 9;

struct Grid {
    int32 rows, columns;
    bool periodic;

    [[nodiscard]] uint32 groups() const { return static_cast<uint32>(rows * columns); }
    /// The group itself, in the middle, and beyond sides: -1.
    [[nodiscard]] std::vector<int32> around(int32 group) const {
        std::vector<int32> found(around_count);
        for (int32 i = 0; i < around_count; ++i) {
            int32 row = group / columns + i / 3 - 1, column = group % columns + i % 3 - 1;
            const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
            row = (row + rows) % rows;
            column = (column + columns) % columns;
            found[static_cast<std::size_t>(i)] = i != 4 && (inside || periodic) ? row * columns + column : -1;
        }
        return found;
    }
};

constexpr Grid grids[] = {{1, 1, true}, {1, 2, true}, {2, 2, false}, {3, 3, true}, {1, 7, false}};

/// Now and then a group stays behind.
void dawdle(std::minstd_rand &generator) {
    if (generator() % 997 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(generator() % 300));
    } else if (generator() % 5 == 0) {
        std::this_thread::yield();
    }
}

double value_of(uint32 group, uint32 step) {
    return 1000.0 * group + step;
}

class StepFlags : public testing::TestWithParam<Grid> {};

/// exchange_step with looks before the waits; 0 when one was abandoned.
uint32 exchange_looked_at(uint32 *flags, const std::vector<int32> &around, uint32 step, grid_sync_t *sync,
                          std::minstd_rand &generator) {
    raise_step_flag(flags, step);
    std::vector<uint32> seen;
    for (const int32 other : around) {
        seen.push_back(other < 0 ? step : look_at_step_flag(flags, other));
    }
    dawdle(generator);
    uint32 passed = 1;
    for (std::size_t i = 0; i < around.size(); ++i) {
        passed &= around[i] < 0 ? 1 : await_seen_step_flag(flags, around[i], step, seen[i], sync, long_limit);
    }
    return passed;
}

/// What is published is plain memory, in two copies: ThreadSanitizer would see a race, the values an early overwrite.
TEST_P(StepFlags, MakeTheWritesOfAllAroundVisible) {
    constexpr std::size_t row = 20;
    const Grid grid = GetParam();
    for (const auto &[before, looks] :
         {std::pair{0U, false}, {0xffffffffU - steps / 2, false}, {0xffffffffU - steps / 2, true}}) {
        GridSyncMemory sync(grid.groups());
        std::vector<uint32> flags(step_flags_bytes(grid.groups()) / sizeof(uint32), before);
        std::vector<std::vector<double>> published(std::size_t{2} * grid.groups(), std::vector<double>(row));
        const auto copy = [&](uint32 group, uint32 step) -> std::vector<double> & {
            return published[step % 2 * std::size_t{grid.groups()} + group];
        };
        std::vector<uint32> wrong(grid.groups());
        run_groups(grid.groups(), [&] {
            const uint32 group = group_index();
            const std::vector<int32> around = grid.around(static_cast<int32>(group));
            std::minstd_rand generator(group + 1);
            uint32 verdict = 1;
            for (uint32 step = 1; step <= steps; ++step) {
                copy(group, step).assign(row, value_of(group, step));
                wrong[group] += 1 - (looks ? exchange_looked_at(flags.data(), around, before + step,
                                                                sync.get(), generator)
                                           : exchange_step(flags.data(), around.data(), around_count,
                                                           before + step, &verdict, sync.get(), long_limit));
                for (const int32 other : around) {
                    for (const double value :
                         other < 0 ? std::vector<double>() : copy(static_cast<uint32>(other), step)) {
                        wrong[group] += value == value_of(static_cast<uint32>(other), step) ? 0 : 1;
                    }
                }
                dawdle(generator);
            }
        });
        EXPECT_EQ(wrong, std::vector<uint32>(grid.groups()));
        EXPECT_EQ(sync->abandoned, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Grids, StepFlags, testing::ValuesIn(grids), [](const auto &test) {
    return std::to_string(test.param.rows) + "x" + std::to_string(test.param.columns) +
           (test.param.periodic ? "periodic" : "");
});

/// The last group of a row never comes: who waits for it ends, and so do those who wait for these.
TEST(StepFlagsAbandoned, EndInEveryGroupOfARowWithoutItsLast) {
    constexpr uint64 short_limit = 2'000'000;
    constexpr Grid row = {1, 4, false};
    GridSyncMemory sync(row.groups());
    std::vector<uint32> flags(step_flags_bytes(row.groups()) / sizeof(uint32));
    std::vector<uint32> steps_passed(row.groups());
    run_groups(row.groups() - 1, [&] {
        perdure_group.count = row.groups();
        const std::vector<int32> around = row.around(static_cast<int32>(group_index()));
        uint32 verdict = 1;
        for (uint32 step = 1; exchange_step(flags.data(), around.data(), around_count, step, &verdict,
                                            sync.get(), short_limit) == 1;
             ++step) {
            steps_passed[group_index()] = step;
        }
    });
    for (uint32 group = 0; group < row.groups(); ++group) {
        EXPECT_LE(steps_passed[group], group < 2 ? 2 - group : 0);
    }
    EXPECT_EQ(sync->abandoned, 1U);
}

}  // namespace
}  // namespace perdure::tests::step_flags_test
