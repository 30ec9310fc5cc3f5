// Experiments whose groups happened to run one after the other are launched again, and their tables fit.
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>
#include <vector>

#include "kernels/litmus/counts.h"
#include "solver/measure/litmus/launch_experiment.hpp"
#include "solver/output/wrap_text.hpp"
#include "tests/solver/run/broken_device.hpp"

namespace perdure::litmus::litmus_launches_test {
namespace {

/// Leaves counts behind, one entry a launch, the last again and again.
class CountingDevice : public BrokenDevice {
  public:
    explicit CountingDevice(std::vector<litmus_counts_t> counts)
        : BrokenDevice([](const run_parameters_t &) { return Aftermath{}; }), counts_(std::move(counts)) {}

    std::unique_ptr<DeviceRun> prepare(const KernelCall &, LaunchShape) override {
        class Run : public BrokenRun {
          public:
            Run(const Leave &leave, CountingDevice &device) : BrokenRun(leave), device_(device) {}
            void launch(const run_parameters_t &parameters, bool) override {
                device_.rounds.push_back(parameters.rounds);
            }
            void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t) override {
                std::memset(to, 0, bytes);
                if (buffer == 3) {
                    const std::size_t launch = std::min(device_.rounds.size(), device_.counts_.size()) - 1;
                    std::memcpy(to, &device_.counts_[launch], bytes);
                }
            }

          private:
            CountingDevice &device_;
        };
        return std::make_unique<Run>(leave_, *this);
    }

    std::vector<std::uint32_t> rounds;  // of each launch

  private:
    std::vector<litmus_counts_t> counts_;
    BrokenRun::Leave leave_ = [](const run_parameters_t &) { return Aftermath{}; };
};

litmus_counts_t counts(std::uint32_t trials, std::uint32_t seen, std::uint32_t overlaps,
                       std::uint32_t given_up = 0) {
    litmus_counts_t counts{};
    counts.trials = trials;
    counts.seen = seen;
    counts.overlaps = overlaps;
    counts.given_up = given_up;
    return counts;
}

Outcome launch(CountingDevice &device, std::uint32_t overlaps) {
    Setup setup{{2, 1}};
    setup.rounds = 10;
    setup.overlaps = overlaps;
    return launch_experiment(device, "litmus_torn_store", {0, "a form", Model::may}, setup);
}

TEST(LitmusLaunches, OnceWhereTheGroupsMetOrNeedNot) {
    CountingDevice met({counts(100, 0, 50)});
    EXPECT_EQ(launch(met, 50).note, "");
    EXPECT_EQ(met.rounds, (std::vector<std::uint32_t>{10}));
    CountingDevice seen({counts(100, 50, 0)});
    EXPECT_EQ(launch(seen, 50).note, "") << "what was seen is an overlap";
    CountingDevice handshake({counts(100, 0, 0)});
    EXPECT_EQ(launch(handshake, 0).trials, 100U);
    EXPECT_EQ(handshake.rounds.size(), 1U);
}

TEST(LitmusLaunches, AgainWithMoreRoundsUntilTheyMeet) {
    CountingDevice device({counts(4, 0, 0), counts(8, 0, 1), counts(100, 30, 60)});
    const Outcome outcome = launch(device, 50);
    EXPECT_EQ(device.rounds, (std::vector<std::uint32_t>{10, 20, 40}));
    EXPECT_EQ(outcome.trials, 112U) << "of all launches";
    EXPECT_EQ(outcome.seen, 30U);
    EXPECT_EQ(outcome.note, "");
    EXPECT_NEAR(outcome.seconds, 3.0e-3, 1.0e-9);
}

TEST(LitmusLaunches, AFewTimesAndThenItSaysSo) {
    CountingDevice device({counts(4, 0, 0)});
    const Outcome outcome = launch(device, 50);
    EXPECT_EQ(device.rounds.size(), static_cast<std::size_t>(most_launches));
    EXPECT_EQ(outcome.note, "the groups ran one after the other in 8 launches, so this result says nothing");
    CountingDevice broken({counts(4, 0, 0, 1)});
    EXPECT_EQ(launch(broken, 50).waits_given_up, 1U) << "a wait that ran out is not tried again";
    EXPECT_EQ(broken.rounds.size(), 1U);
}

TEST(LitmusTable, FitsIn100Columns) {
    Result result{"an_experiment",
                  "what is seen, said at length " + std::string(60, 'x') + " and more",
                  {},
                  {},
                  {},
                  "a remark of some length, said at length " + std::string(60, 'x') + " and more"};
    result.shape = "512 groups of 1";
    Outcome outcome{"fence, relaxed ticket, fence (__threadfence)",
                    Model::never,
                    429496729,
                    4294967,
                    3,
                    123.4,
                    "a note of some length, " + std::string(60, 'x') + " " + std::string(60, 'y')};
    result.outcomes = {outcome};
    const std::string text = table(result);
    EXPECT_NE(text.find("BROKEN"), std::string::npos);
    EXPECT_NE(text.find("waits that ran out: 3"), std::string::npos);
    std::istringstream lines(text + model_legend());
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(columns_of(line), text_columns) << line;
    }
    for (const Model model : {Model::never, Model::may, Model::race, Model::no_matter}) {
        EXPECT_NE(model_legend().find(std::string("\n  ") + name(model) + " "), std::string::npos);
    }
}

}  // namespace
}  // namespace perdure::litmus::litmus_launches_test
