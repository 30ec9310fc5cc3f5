// kernels/experiments/atomics_check.h on every device: the words must hold what the plain meaning predicts.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "kernels/experiments/atomics_check_words.h"
#include "sync/atomic_float.h"
#include "tests/kernels/run_problem.hpp"

namespace perdure::tests::atomics_on_devices_test {
namespace {

/// The items of a launch and how often each goes round.
struct Work {
    LaunchShape shape;
    uint32 rounds;
    [[nodiscard]] uint64 groups() const { return static_cast<uint64>(shape.groups); }
    [[nodiscard]] uint64 group_size() const { return static_cast<uint64>(shape.group_size); }

    /// `use(n)` for each application on row 0 (all groups) or on the row of group `row - 1`.
    template <typename Use>
    void for_each(uint64 row, const Use &use) const {
        for (uint64 application = 0; application < rounds * groups() * group_size(); ++application) {
            const uint64 item = application % (groups() * group_size());
            if (row == 0 || item / group_size() == row - 1) {
                for (uint64 k = row == 0 ? 0 : 8; k < (row == 0 ? 8 : CHECK_APPLICATIONS); ++k) {
                    use(application * CHECK_APPLICATIONS + k);
                }
            }
        }
    }
};

template <typename Word>
std::vector<Word> starting_row() {
    std::vector<Word> row(CHECK_COLUMNS, 0);
    for (const int column : {CHECK_FETCH_AND, CHECK_AND, CHECK_FETCH_MIN, CHECK_MIN}) {
        row[static_cast<std::size_t>(column)] = std::numeric_limits<Word>::max();
    }
    row[CHECK_COMPARE_EXCHANGE] = 1;
    return row;
}

template <typename Word>
std::vector<Word> starting_rows(const Work &work) {
    std::vector<Word> rows;
    for (uint64 row = 0; row <= work.groups(); ++row) {
        const std::vector<Word> start = starting_row<Word>();
        rows.insert(rows.end(), start.begin(), start.end());
    }
    return rows;
}

/// CHECK_EXCHANGE, which is anybody's, is added to CHECK_TAKEN.
template <typename Word>
std::vector<Word> expected_row(const Work &work, uint64 row) {
    std::vector<Word> words = starting_row<Word>();
    Word applications = 0;
    work.for_each(row, [&](uint64 n) {
        const auto value = static_cast<Word>(check_value(n));
        const auto bit = static_cast<Word>(Word{1} << (n % (sizeof(Word) * 8)));
        words[CHECK_TICKETS_UP] += applications;
        words[CHECK_TICKETS_DOWN] -= applications;
        ++applications;
        words[CHECK_ADD] += value;
        words[CHECK_SUB] -= value;
        words[CHECK_AND] &= static_cast<Word>(~bit);
        words[CHECK_OR] |= bit;
        words[CHECK_XOR] ^= value;
        words[CHECK_MIN] = std::min(words[CHECK_MIN], value);
        words[CHECK_MAX] = std::max(words[CHECK_MAX], value);
        words[CHECK_TAKEN] += value;
        if (n / CHECK_APPLICATIONS % work.group_size() == 0) {
            words[CHECK_COMPARE_EXCHANGE] *= 5;
        }
    });
    words[CHECK_FETCH_ADD] = applications;
    words[CHECK_FETCH_SUB] = static_cast<Word>(0 - applications);
    for (const int operation :
         {CHECK_FETCH_AND, CHECK_FETCH_OR, CHECK_FETCH_XOR, CHECK_FETCH_MIN, CHECK_FETCH_MAX}) {
        words[static_cast<std::size_t>(operation)] = words[static_cast<std::size_t>(operation) + 1];
    }
    return words;
}

template <typename Word>
void expect_rows(const Work &work, std::vector<Word> words) {
    for (uint64 row = 0; row <= work.groups(); ++row) {
        Word *const found = words.data() + row * CHECK_COLUMNS;
        found[CHECK_TAKEN] += found[CHECK_EXCHANGE];
        found[CHECK_EXCHANGE] = 0;
        const std::vector<Word> expected = expected_row<Word>(work, row);
        for (std::size_t column = 0; column < CHECK_COLUMNS; ++column) {
            EXPECT_EQ(found[column], expected[column]) << "row " << row << ", column " << column;
        }
    }
}

/// The buffers of one run, as they start and as they come back.
struct Buffers {
    explicit Buffers(const Work &work)
        : words(starting_rows<uint32>(work)), long_words(starting_rows<uint64>(work)) {}

    std::vector<uint32> words;
    std::vector<uint64> long_words;
    std::vector<int64> ordered{ORDERED_PLUS_INFINITY, ORDERED_MINUS_INFINITY, ORDERED_PLUS_INFINITY,
                               ORDERED_MINUS_INFINITY};
    std::vector<int32> float_ordered{ORDERED_FLOAT_PLUS_INFINITY, ORDERED_FLOAT_MINUS_INFINITY,
                                     ORDERED_FLOAT_PLUS_INFINITY, ORDERED_FLOAT_MINUS_INFINITY};
    std::vector<double> sums = std::vector<double>(CHECK_SUM_WORDS, 0.0);
    std::vector<float> float_sums = std::vector<float>(CHECK_SUM_WORDS, 0.0F);
    run_state_t state{};
};

template <typename Value>
KernelBuffer filled(const char *name, const std::vector<Value> &values) {
    return {name, values.size() * sizeof(Value), values.data()};
}
template <typename Value>
void read_back(DeviceRun &run, std::size_t buffer, std::vector<Value> &values) {
    run.read(buffer, values.data(), values.size() * sizeof(Value));
}

Buffers run_check(Device &device, const Work &work) {
    Buffers buffers(work);
    const std::size_t flags = sizeof(uint32) * CHECK_MESSAGE_FORMS * work.groups();
    KernelCall call{"atomics_check", Precision::float64, {}};
    call.buffers = {{"control", sizeof(control_t), nullptr},
                    {"sync", grid_sync_bytes(static_cast<uint32>(work.groups())), nullptr},
                    {"state", sizeof(run_state_t), nullptr},
                    filled("words", buffers.words),
                    filled("long_words", buffers.long_words),
                    filled("ordered", buffers.ordered),
                    filled("float_ordered", buffers.float_ordered),
                    filled("sums", buffers.sums),
                    filled("float_sums", buffers.float_sums),
                    {"flags", flags, nullptr},
                    {"texts", flags * work.rounds, nullptr}};
    const std::unique_ptr<DeviceRun> run = device.prepare(call, work.shape);
    run_parameters_t parameters{};
    parameters.rounds = work.rounds;
    run->launch(parameters, false);
    while (!run->finished(std::chrono::milliseconds(100))) {
    }
    run->read(2, &buffers.state, sizeof buffers.state);
    read_back(*run, 3, buffers.words);
    read_back(*run, 4, buffers.long_words);
    read_back(*run, 5, buffers.ordered);
    read_back(*run, 6, buffers.float_ordered);
    read_back(*run, 7, buffers.sums);
    read_back(*run, 8, buffers.float_sums);
    return buffers;
}

void expect_numbers(const Work &work, const Buffers &buffers) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    uint64 applications = 0;
    work.for_each(0, [&](uint64 n) {
        const auto value = static_cast<double>(static_cast<int64>(check_value(n)));
        least = std::min(least, value);
        most = std::max(most, value);
        ++applications;
    });
    const std::vector<int64> ordered{ordered_bits(least), ordered_bits(most), ORDERED_MINUS_INFINITY,
                                     ORDERED_PLUS_INFINITY};
    EXPECT_EQ(buffers.ordered, ordered);
    const std::vector<int32> float_ordered{ordered_float_bits(static_cast<float>(least)),
                                           ordered_float_bits(static_cast<float>(most)),
                                           ORDERED_FLOAT_MINUS_INFINITY, ORDERED_FLOAT_PLUS_INFINITY};
    EXPECT_EQ(buffers.float_ordered, float_ordered);
    ASSERT_LT(2 * applications, uint64{1} << 24) << "more than a float can count";
    const auto sum = static_cast<double>(applications);
    EXPECT_EQ(buffers.sums, (std::vector<double>{sum, 2.0 * sum}));
    EXPECT_EQ(buffers.float_sums,
              (std::vector<float>{static_cast<float>(sum), static_cast<float>(2.0 * sum)}));
}

class AtomicsOnDevices : public OnEachBackEnd {};

TEST_P(AtomicsOnDevices, EveryOperationInEveryOrderAndScopeDoesWhatItSays) {
    for (const std::unique_ptr<Device> &device : devices()) {
        SCOPED_TRACE(device->description().name);
        Work work{{}, device->description().gpu ? 4U : 200U};
        const int largest = device->largest_group_size({"atomics_check", Precision::float64});
        for (const int group_size : {1, 32, 256}) {
            const bool part_of_a_warp =
                device->description().backend == BackendChoice::cuda && group_size < 32;
            if (group_size > largest || part_of_a_warp) {
                continue;
            }
            work.shape.group_size = group_size;
            work.shape.groups = std::min(
                64, std::max(2, device->resident_groups({"atomics_check", Precision::float64}, group_size)));
            SCOPED_TRACE(testing::Message() << work.shape.groups << " groups of " << group_size);
            const Buffers buffers = run_check(*device, work);
            EXPECT_EQ(buffers.state.control.stop, static_cast<uint32>(STOP_COMPLETE));
            EXPECT_EQ(buffers.state.control.wrong, 0U) << "wrong values seen inside";
            expect_rows(work, buffers.words);
            expect_rows(work, buffers.long_words);
            expect_numbers(work, buffers);
        }
    }
}

PERDURE_ON_EACH_BACK_END(AtomicsOnDevices);

}  // namespace
}  // namespace perdure::tests::atomics_on_devices_test
