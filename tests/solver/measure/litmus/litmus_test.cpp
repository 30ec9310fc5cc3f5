// Every litmus experiment ends on every back end present, and the forms that the memory model guarantees
// never fail. What the others show is counted, not tested: nothing has to go wrong.
#include "solver/measure/litmus/litmus.hpp"

#include <algorithm>
#include <string_view>

#include "tests/kernels/run_problem.hpp"

namespace perdure::tests::litmus_test {
namespace {

class Litmus : public OnEachBackEnd {
  protected:
    void SetUp() override {
#ifdef PERDURE_SANITIZED
        GTEST_SKIP() << "its races are meant";
#else
        OnEachBackEnd::SetUp();
#endif
    }
};

const litmus::Result &result_of(const std::vector<litmus::Result> &results, std::string_view experiment) {
    return *std::find_if(results.begin(), results.end(),
                         [&](const litmus::Result &result) { return result.experiment == experiment; });
}

TEST_P(Litmus, EveryFormEndsAndTheRightOnesNeverFail) {
    for (const std::unique_ptr<Device> &device : devices()) {
        std::vector<litmus::Result> results;
        for (const litmus::Experiment &experiment : litmus::experiments()) {
            results.push_back(experiment.run(*device));
            const litmus::Result &result = results.back();
            EXPECT_EQ(result.experiment, experiment.name);
            EXPECT_EQ(result.skipped.empty(), !result.outcomes.empty()) << experiment.name;
            for (const litmus::Outcome &outcome : result.outcomes) {
                SCOPED_TRACE(experiment.name + ": " + outcome.variant);
                EXPECT_FALSE(litmus::is_broken(outcome)) << outcome.seen << " of " << outcome.trials;
                EXPECT_LE(outcome.seen, outcome.trials);
                EXPECT_EQ(outcome.waits_given_up, 0u);
                EXPECT_GT(outcome.trials, 0u);
            }
        }
        const litmus::Result &too_many = result_of(results, "too_many_groups");
        EXPECT_EQ(too_many.outcomes.at(0).seen, 1u) << too_many.outcomes.at(0).note;
        EXPECT_NE(too_many.outcomes.at(0).note.find("at most"), std::string::npos);
        if (GetParam() == BackendChoice::host) {
            EXPECT_EQ(too_many.outcomes.at(1).seen, 0u) << "host threads take turns";
        }
        EXPECT_EQ(result_of(results, "warp_exchange").skipped.empty(), GetParam() == BackendChoice::cuda);
    }
}

PERDURE_ON_EACH_BACK_END(Litmus);

TEST(LitmusOutcome, IsBrokenOnlyWhereTheModelSaysNever) {
    litmus::Outcome outcome;
    outcome.trials = 10;
    for (const litmus::Model model : {litmus::Model::may, litmus::Model::race, litmus::Model::no_matter}) {
        outcome.model = model;
        outcome.seen = 10;
        EXPECT_FALSE(litmus::is_broken(outcome)) << name(model);
    }
    outcome.model = litmus::Model::never;
    EXPECT_TRUE(litmus::is_broken(outcome));
    outcome.seen = 0;
    EXPECT_FALSE(litmus::is_broken(outcome));
    outcome.waits_given_up = 1;
    EXPECT_TRUE(litmus::is_broken(outcome));
}

}  // namespace
}  // namespace perdure::tests::litmus_test
