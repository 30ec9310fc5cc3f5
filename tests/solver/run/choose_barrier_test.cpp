// A device whose barriers fail is refused with what was seen, where the case names the barrier.
#include "solver/run/choose_barrier.hpp"

#include "solver/backends/occupancy_discovery.hpp"
#include "tests/solver/case_file/case_files.hpp"
#include "tests/solver/run/broken_device.hpp"

namespace perdure::choose_barrier_test {
namespace {

const char *const case_text =
    "problem: {type: diffusion, a: 1.0}\n"
    "grid: {shape: [80, 90]}\n"
    "boundary: {x-: {value: 1.0}}\n";

const char *const way_out =
    "lower execution.groups (1 needs no barrier), use execution.model: launches, or use another device";

/// Fails with as many wrong values as the number of the kind, but not where `holds` is the kind.
BrokenRun::Leave all_but(std::uint32_t holds) {
    return [holds](const run_parameters_t &parameters) {
        Aftermath after;
        after.wrong_values = parameters.barrier == holds ? 0 : 10 + parameters.barrier;
        return after;
    };
}

class ChooseBarrier : public CaseFileTest {
  protected:
    [[nodiscard]] LaunchPlan choose(Device &device, const std::string &execution) const {
        const Config config = load(case_text + execution);
        LaunchPlan plan = plan_launch(config, device);
        choose_barrier(config, device, plan);
        return plan;
    }
    [[nodiscard]] std::string refusal(Device &device, const std::string &execution, ExitCode code) const {
        try {
            (void)choose(device, execution);
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), code);
            EXPECT_EQ(failure.diagnostics().size(), 1U);
            const Diagnostic &found = failure.diagnostics().at(0);
            return fmt::format("{}:{} {}", found.position.line, found.position.column, found.message);
        }
        return "no failure";
    }
};

TEST_F(ChooseBarrier, AutoRefusesADeviceOnWhichNoneHolds) {
    BrokenDevice device(all_but(99));
    const std::string expected =
        std::string(
            "4:1 execution.barrier: no barrier passes its test on paper device with 4 groups of 32 items: "
            "group_leader: 10 wrong values were read after a barrier in 50 rounds with 4 groups; "
            "tree: 13 wrong values were read after a barrier in 50 rounds with 4 groups; "
            "lock_free: 12 wrong values were read after a barrier in 50 rounds with 4 groups; ") +
        way_out;
    EXPECT_EQ(refusal(device, "execution: {backend: opencl}\n", ExitCode::device), expected);
    EXPECT_EQ(refusal(device, "execution: {backend: opencl}\n", ExitCode::device), expected) << "again";
}

TEST_F(ChooseBarrier, AutoTakesTheOneThatHolds) {
    BrokenDevice device(all_but(BARRIER_TREE));
    device.description_.name = "paper device with one barrier";
    const LaunchPlan plan = choose(device, "execution: {backend: opencl}\n");
    EXPECT_EQ(plan.barrier, BarrierChoice::tree);
    EXPECT_EQ(plan.barrier_seconds, 1.0e-5);
}

TEST_F(ChooseBarrier, OneGroupNeedsNone) {
    BrokenDevice device(all_but(99));
    EXPECT_EQ(choose(device, "execution: {backend: opencl, groups: 1}\n").shape.groups, 1);
}

TEST_F(ChooseBarrier, RefusalsStandWhereTheCaseAsks) {
    BrokenDevice device(all_but(BARRIER_TREE));
    EXPECT_EQ(
        refusal(device, "execution: {backend: opencl, barrier: lock_free}\n", ExitCode::device),
        std::string(
            "4:39 execution.barrier: lock_free fails its test on paper device with 4 groups of 32 items: 12 "
            "wrong values were read after a barrier in 50 rounds with 4 groups; use another barrier, or ") +
            way_out);
    EXPECT_EQ(
        refusal(device, "execution: {backend: opencl, barrier: cooperative}\n", ExitCode::case_or_usage),
        "4:39 execution.barrier: paper device has no cooperative barrier, which only CUDA devices have; "
        "remove the key to use the fastest of group_leader, lock_free and tree");
    EXPECT_EQ(
        refusal(device, "execution: {barrier: all_items}\n", ExitCode::case_or_usage),
        "4:22 execution.barrier: all_items needs independent progress of every item, which paper device does "
        "not guarantee for groups of 32 items; use execution.group_size: 1 or another barrier");
    EXPECT_EQ(refusal(device, "execution:\n  groups: 5\n", ExitCode::case_or_usage),
              "5:11 execution.groups: 5 groups of 32 items cannot all run at the same time on paper device, "
              "at most 4; remove the key to use as many groups as are useful");
    EXPECT_EQ(refusal(device, "execution:\n  group_size: 65\n", ExitCode::case_or_usage),
              "5:15 execution.group_size: 65 items per group are more than paper device can run in kernel "
              "'cg', at most 64; remove the key to "
              "use 32");
}

TEST(BarrierSelfTest, SaysWhatToDo) {
    BrokenDevice device(all_but(99));
    EXPECT_EQ(run_barrier_self_test(device),
              "barrier self-test: 10 wrong values were read after a barrier in 50 rounds with 4 groups; stop "
              "other work on the device, update its driver, or use another device");
}

TEST(OccupancyDiscovery, NamesMembersAloneAndTellsWrongValuesFromMissingGroups) {
    Aftermath after;
    after.poll = POLL_CLOSED | 3U;
    after.ranks = {NOT_A_MEMBER, 0, 1, NOT_A_MEMBER, 2};
    after.abandoned = true;
    after.waiting_group = 4;
    after.waiting_phase = 2;
    after.left = {0, LEFT_WAITING, 0, 0, LEFT_WAITING};
    BrokenDevice device([&after](const run_parameters_t &) { return after; });
    const Discovery missing = discover_groups(device, 5, 32, 10);
    EXPECT_EQ(missing.failure,
              "found 3 groups that run at the same time, but group 4 gave up waiting before phase 2; 1 of 3 "
              "groups left no record "
              "(never started or already ended): 2");
    EXPECT_FALSE(missing.wrong);
    after.abandoned = false;
    after.wrong_values = 7;
    const Discovery wrong = discover_groups(device, 5, 32, 10);
    EXPECT_EQ(wrong.failure,
              "7 wrong values were read after a barrier of the 3 groups found to run at the same time");
    EXPECT_TRUE(wrong.wrong);
    EXPECT_EQ(wrong.groups, 0);
}

}  // namespace
}  // namespace perdure::choose_barrier_test
