#include "solver/run/run_checkpoint.hpp"

#include <gtest/gtest.h>

namespace perdure {
namespace {

const CheckpointPlan of_one{"cuda", "GPU", "persistent", "cooperative", "heat", 132, 256, 528, 0, "", "", 1};

TEST(RunCheckpoint, ContinuesWithTheSamePlanAlone) {
    EXPECT_NO_THROW(expect_same_plan(of_one, of_one));
    CheckpointPlan other = of_one;
    other.groups = 264;
    EXPECT_THROW(expect_same_plan(other, of_one), Failure);
    other = of_one;
    other.barrier = "group_leader";
    EXPECT_THROW(expect_same_plan(other, of_one), Failure);
}

TEST(RunCheckpoint, ContinuesOnAnotherNumberOfDevicesWithOtherGroups) {
    CheckpointPlan of_two = of_one;
    of_two.device = "2 x GPU";
    of_two.devices = 2;
    of_two.groups = 264;
    of_two.barrier = "group_leader";
    EXPECT_NO_THROW(expect_same_plan(of_two, of_one));
    EXPECT_NO_THROW(expect_same_plan(of_one, of_two));
    of_two.chunks = 2112;  // the sums of a step have another order
    EXPECT_THROW(expect_same_plan(of_two, of_one), Failure);
    of_two = of_one;
    of_two.devices = 2;
    of_two.model = "resident";
    EXPECT_THROW(expect_same_plan(of_two, of_one), Failure);
}

}  // namespace
}  // namespace perdure
