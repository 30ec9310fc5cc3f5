// Rows of numbers that groups write before a barrier and read behind it, and that the last group adds up.
#pragma once

#include <cstdint>
#include <vector>

#include "sync/grid_barrier.h"
#include "tests/sync/mutants/mutant_program.hpp"

namespace perdure::tests {

class RowsOfGroups {
  public:
    explicit RowsOfGroups(uint32 groups) : rows_(groups, std::vector<uint64>(row_length)) {}

    /// By every group, once all have come.
    void write_own(uint32 round) {
        line_up(&lined_up_);
        for (uint64 &value : rows_[group_index()]) {
            value = round + group_index();
        }
    }
    void expect_those_of_others(uint32 round) const {
        for (uint32 step = 1; step < groups(); ++step) {
            const uint32 other = (group_index() + step) % groups();
            for (const uint64 value : rows_[other]) {
                expect(value == round + other, "wrong value: a group left the barrier early\n");
            }
        }
    }
    /// By the last group of each round.
    void add_up() {
        uint64 sum = 0;
        for (const auto &row : rows_) {
            for (const uint64 value : row) {
                sum += value;
            }
        }
        sum_ += sum;
    }
    /// After so many rounds, the first of number 1.
    void expect_sum(uint32 rounds) const {
        uint64 expected = 0;
        for (uint32 past = 1; past <= rounds; ++past) {
            expected += uint64{row_length} * (groups() * past + groups() * (groups() - 1) / 2);
        }
        expect(sum_ == expected, "wrong sum: not exactly one last group, or it missed a row\n");
    }

  private:
    static constexpr uint32 row_length = 40;
    [[nodiscard]] uint32 groups() const { return static_cast<uint32>(rows_.size()); }

    std::vector<std::vector<uint64>> rows_;
    uint64 sum_ = 0;
    uint32 lined_up_ = 0;
};

inline void meet(grid_barrier_t &barrier, uint32 round) {
    expect(grid_barrier(&barrier, round) == 1, "abandoned: a barrier was not passed\n");
}

}  // namespace perdure::tests
