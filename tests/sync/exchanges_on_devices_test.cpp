// Halo exchange and the spin lock of a group on every back end: halo_check.h and group_lock_check.h of
// kernels/experiments.
#include <algorithm>
#include <numeric>

#include "kernels/experiments/check_words.h"
#include "sync/halo_exchange.h"
#include "tests/sync/launch_check.hpp"

namespace perdure::tests::exchanges_on_devices_test {
namespace {

constexpr std::uint32_t rounds = 40;
/// Epochs wrap around in the middle of the run.
constexpr std::uint32_t epoch_before = 0U - rounds / 2;

run_parameters_t parameters_of(std::uint32_t variant, std::uint32_t missing) {
    run_parameters_t parameters{};
    parameters.variant = variant;
    parameters.rounds = rounds;
    parameters.first_phase = epoch_before;
    parameters.delay = missing;
    return parameters;
}

Launched exchange_words(Device &device, LaunchShape shape, std::uint32_t variant, std::uint32_t missing,
                        double long_limit) {
    const std::size_t words =
        std::size_t{2} * RING_EDGES * RING_WORDS * static_cast<std::size_t>(shape.groups);
    return {device,
            "halo_words_check",
            shape,
            parameters_of(variant, missing),
            {{"floats", sizeof(std::uint64_t) * words, nullptr},
             {"doubles", sizeof(epoch_word_t) * words, nullptr},
             {"passed", sizeof(std::uint32_t) * static_cast<std::size_t>(shape.groups), nullptr}},
            long_limit};
}

Launched exchange_flags(Device &device, LaunchShape shape, std::uint32_t missing, double long_limit) {
    const auto groups = static_cast<std::uint32_t>(shape.groups);
    std::vector<std::uint32_t> flags(halo_flags_bytes(groups, RING_EDGES) / sizeof(std::uint32_t),
                                     epoch_before);
    std::fill_n(flags.begin(), halo_choice_words(groups, RING_EDGES), 0U);
    return {
        device,
        "halo_flags_check",
        shape,
        parameters_of(0, missing),
        {{"halos", sizeof(std::uint32_t) * 2 * groups * static_cast<std::size_t>(shape.group_size), nullptr},
         filled("flags", flags),
         {"passed", sizeof(std::uint32_t) * groups, nullptr}},
        long_limit};
}

class ExchangesOnDevices : public OnEachBackEnd {
  protected:
    template <typename Check>
    void in_every_shape(const std::string &kernel, const Check &check) {
        for (const std::unique_ptr<Device> &device : devices()) {
            for (const LaunchShape &shape : shapes_to_try(*device, kernel, 132)) {
                SCOPED_TRACE(testing::Message() << device->description().name << ", " << kernel << ", "
                                                << shape.groups << " groups of " << shape.group_size);
                check(*device, shape);
            }
        }
    }
};

TEST_P(ExchangesOnDevices, WordsCarryTheirValues) {
    in_every_shape("halo_words_check", [](Device &device, LaunchShape shape) {
        const auto groups = static_cast<std::size_t>(shape.groups);
        for (const std::uint32_t variant : {RING_FLOATS, RING_DOUBLES}) {
            Launched launched = exchange_words(device, shape, variant, NO_GROUP, 10.0);
            EXPECT_EQ(launched.sync.abandoned, 0U);
            EXPECT_EQ(launched.state.control.wrong, 0U) << "wrong values, variant " << variant;
            const auto all = static_cast<std::uint32_t>(shape.group_size) * rounds;
            EXPECT_EQ(launched.read<std::uint32_t>(2, groups), std::vector<std::uint32_t>(groups, all));
        }
    });
}

TEST_P(ExchangesOnDevices, FlagsMakePlainMemoryVisible) {
    in_every_shape("halo_flags_check", [](Device &device, LaunchShape shape) {
        const auto groups = static_cast<std::size_t>(shape.groups);
        Launched launched = exchange_flags(device, shape, NO_GROUP, 10.0);
        EXPECT_EQ(launched.sync.abandoned, 0U);
        EXPECT_EQ(launched.state.control.wrong, 0U) << "wrong values";
        EXPECT_EQ(launched.read<std::uint32_t>(2, groups), std::vector<std::uint32_t>(groups, rounds));
    });
}

/// Every group leaves; those beside the missing one have not passed, the others no more rounds than their
/// distance allows.
TEST_P(ExchangesOnDevices, AnExchangeWithAGroupMissingIsGivenUp) {
    in_every_shape("halo_flags_check", [](Device &device, LaunchShape shape) {
        const int missing = shape.groups / 2;
        if (shape.groups < 2) {
            return;
        }
        Launched flags = exchange_flags(device, shape, static_cast<std::uint32_t>(missing), 0.1);
        EXPECT_EQ(flags.sync.abandoned, 1U);
        EXPECT_EQ(flags.state.control.wrong, 0U) << "wrong values";
        const auto passed = flags.read<std::uint32_t>(2, static_cast<std::size_t>(shape.groups));
        for (int group = 0; group < shape.groups; ++group) {
            const int apart = std::abs(group - missing);
            const int distance = std::min(apart, shape.groups - apart);
            EXPECT_LE(passed[static_cast<std::size_t>(group)],
                      static_cast<std::uint32_t>(std::max(distance - 1, 0)))
                << "group " << group;
        }
        for (const std::uint32_t variant : {RING_FLOATS, RING_DOUBLES}) {
            Launched words = exchange_words(device, shape, variant, static_cast<std::uint32_t>(missing), 0.1);
            EXPECT_EQ(words.sync.abandoned, 1U) << "variant " << variant;
            EXPECT_EQ(words.state.control.wrong, 0U) << "wrong values";
            const auto done = words.read<std::uint32_t>(2, static_cast<std::size_t>(shape.groups));
            EXPECT_EQ(done[static_cast<std::size_t>(missing)], 0U);
            EXPECT_LT(done[static_cast<std::size_t>(missing - 1)],
                      static_cast<std::uint32_t>(shape.group_size) * rounds);
        }
    });
}

TEST_P(ExchangesOnDevices, TheLockOfAGroupKeepsTwoWordsTogether) {
    in_every_shape("group_lock_check", [](Device &device, LaunchShape shape) {
        const auto groups = static_cast<std::size_t>(shape.groups);
        run_parameters_t parameters = parameters_of(0, NO_GROUP);
        parameters.rounds = device.description().gpu ? 10 : 1000;
        Launched launched(device, "group_lock_check", shape, parameters,
                          {{"words", sizeof(std::uint32_t) * 2 * WORDS_PER_LINE * groups, nullptr}});
        EXPECT_EQ(launched.state.control.wrong, 0U) << "waits given up";
        const auto words = launched.read<std::uint32_t>(0, std::size_t{2} * WORDS_PER_LINE * groups);
        const auto changes = static_cast<std::uint32_t>(shape.group_size) * parameters.rounds;
        for (std::size_t group = 0; group < groups; ++group) {
            const std::uint32_t *const changed = words.data() + (2 * group + 1) * WORDS_PER_LINE;
            EXPECT_EQ(changed[0], changes) << "group " << group;
            EXPECT_EQ(changed[1], changes * (changes + 1) / 2) << "group " << group;
        }
    });
}

PERDURE_ON_EACH_BACK_END(ExchangesOnDevices);

}  // namespace
}  // namespace perdure::tests::exchanges_on_devices_test
