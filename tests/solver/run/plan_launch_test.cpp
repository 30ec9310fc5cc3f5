#include "solver/run/plan_launch.hpp"
#include "solver/run/readable_bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/grid.h"
#include "sync/group_context.h"

namespace perdure::plan_launch_test {
namespace {

/// Describes a GPU; nothing runs on it.
class PaperDevice : public Device {
  public:
    PaperDevice() {
        description_.backend = BackendChoice::cuda;
        description_.name = "paper GPU";
        description_.memory_bytes = std::size_t{4} << 30U;
        description_.free_bytes = std::size_t{1} << 30U;
        description_.shared_control = true;
    }
    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override { return 256; }
    [[nodiscard]] int largest_group_size(const KernelVariant &) override { return 512; }
    [[nodiscard]] int resident_groups(const KernelVariant &, int) override { return resident_; }
    [[nodiscard]] int most_groups(const KernelVariant &, int group_size) override {
        return 51200 / group_size;
    }
    [[nodiscard]] double wait_units_per_second() override { return 1.0; }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &, LaunchShape) override { return nullptr; }

    DeviceDescription description_;
    int resident_ = 100;
};

Config case_of(std::int64_t x, std::int64_t y, std::int64_t z = 1) {
    Config config;
    config.grid.dimensions = z > 1 ? 3 : 2;
    config.grid.cells = {x, y, z};
    return config;
}

void expect_refusal(const Config &config, PaperDevice &device, ExitCode code, const std::string &message) {
    try {
        plan_launch(config, device);
        FAIL() << "accepted; expected " << message;
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), code);
        EXPECT_EQ(failure.what(), message);
    }
}

TEST(PlanLaunch, ChunksDependOnTheGridAlone) {
    PaperDevice device;
    Config config = case_of(1000, 1000);
    const LaunchPlan plan = plan_launch(config, device);
    EXPECT_EQ(plan.chunks, 512U);
    config.execution.groups = 3;
    config.execution.group_size = 64;
    config.execution.precision = Precision::float32;
    const LaunchPlan other = plan_launch(config, device);
    EXPECT_EQ(other.boxes.along, plan.boxes.along);
    EXPECT_EQ(other.boxes.rows, plan.boxes.rows);
    EXPECT_EQ(other.boxes.log2_lanes_x, plan.boxes.log2_lanes_x);
    EXPECT_EQ(other.chunks, plan.chunks);
    EXPECT_EQ(other.shape.groups, 3);
    EXPECT_EQ(other.shape.group_size, 64);
}

TEST(PlanLaunch, GivesEveryGroupTheSameShareOfChunks) {
    PaperDevice device;
    // 512 chunks on at most 100 groups: 6 rounds, which 86 groups finish as soon
    EXPECT_EQ(plan_launch(case_of(1000, 1000), device).shape.groups, 86);
    EXPECT_EQ(plan_launch(case_of(1000, 1000), device).shape.group_size, 256);
    EXPECT_EQ(plan_launch(case_of(16, 17), device).shape.groups, 2);
    EXPECT_EQ(plan_launch(case_of(1, 1), device).shape.groups, 1);
}

TEST(PlanLaunch, GivesSmallGridsFewerGroupsWhereAGroupNeedsCells) {
    PaperDevice device;
    device.description_.least_cells_of_group = 2048;
    EXPECT_EQ(plan_launch(case_of(16, 17), device).shape.groups, 1);
    EXPECT_EQ(plan_launch(case_of(64, 64), device).shape.groups, 2);
    EXPECT_EQ(plan_launch(case_of(64, 63), device).shape.groups, 1);
    EXPECT_EQ(plan_launch(case_of(1000, 1000), device).shape.groups, 86);
    Config config = case_of(16, 17);
    config.execution.groups = 2;
    EXPECT_EQ(plan_launch(config, device).shape.groups, 2);
}

TEST(PlanLaunch, NamesTheKernel) {
    PaperDevice device;
    Config config = case_of(10, 10);
    EXPECT_EQ(plan_launch(config, device).launched, "cg");
    config.solver.method = SolverMethod::jacobi;
    EXPECT_EQ(plan_launch(config, device).launched, "jacobi");
    config.type = ProblemType::heat;
    EXPECT_EQ(plan_launch(config, device).launched, "heat");
}

TEST(PlanLaunch, BoundsLaunchesWhereTheHostCouldNotStopThem) {
    PaperDevice device;
    EXPECT_FALSE(plan_launch(case_of(10, 10), device).bounded);
    device.description_.time_limited = true;
    EXPECT_TRUE(plan_launch(case_of(10, 10), device).bounded);
    device.description_.time_limited = false;
    device.description_.shared_control = false;
    EXPECT_TRUE(plan_launch(case_of(10, 10), device).bounded);
}

TEST(PlanLaunch, RefusesGroupsThatCannotAllRun) {
    PaperDevice device;
    Config config = case_of(10, 10);
    config.execution.groups = 201;
    expect_refusal(config, device, ExitCode::case_or_usage,
                   "execution.groups: 201 groups of 256 items cannot all run at the same time on paper GPU, "
                   "at most 200; remove the key to use as many groups as are useful");
    config.execution.groups = 0;
    config.execution.group_size = 513;
    expect_refusal(config, device, ExitCode::case_or_usage,
                   "execution.group_size: 513 items per group are more than paper GPU can run in kernel "
                   "'cg', at most 512; remove the key to "
                   "use 256");
    config.execution.group_size = 0;
    device.resident_ = 0;
    expect_refusal(config, device, ExitCode::device,
                   "paper GPU cannot hold one group of 256 items of kernel 'cg'");
}

// Boxes of conjugate gradients divide the grid among fewer groups than there are, or are asked for.
TEST(PlanLaunch, TakesAsManyGroupsOfResidentConjugateGradientsAsBoxesDivideInto) {
    PaperDevice device;
    device.description_.compute_units = 132;
    device.description_.registers_per_unit = 65536;
    device.description_.items_per_unit = 2048;
    device.description_.shared_bytes_per_group = 232448;
    device.description_.no_resident.clear();
    Config config = case_of(100, 80);
    config.execution.model = ExecutionModel::resident;
    for (const int asked : {7, 132}) {
        config.execution.groups = asked;
        const LaunchPlan plan = plan_launch(config, device);
        EXPECT_EQ(plan.shape.groups, plan.resident.groups);
        EXPECT_LE(plan.shape.groups, asked);
    }
    config.execution.groups = 133;
    expect_refusal(config, device, ExitCode::case_or_usage,
                   "execution.groups: 133 groups of the resident kernel 'cg_on_chip_2d' cannot all run at "
                   "the same time on paper GPU; use at most 132");
}

// Launches of one phase need no group to wait for another.
TEST(PlanLaunch, LetsGroupsOfLaunchesQueue) {
    PaperDevice device;
    Config config = case_of(1000, 1000);
    config.execution.model = ExecutionModel::launches;
    config.execution.groups = 512;
    EXPECT_THROW(plan_launch(config, device), Failure);
    device.description_.groups_queue = true;
    EXPECT_EQ(plan_launch(config, device).shape.groups, 512);
    config.execution.groups = 513;
    expect_refusal(config, device, ExitCode::case_or_usage,
                   "execution.groups: 513 groups of 256 items are more than this grid can keep busy on paper "
                   "GPU, at most 512; remove the key to use as many groups as are useful");
    config.execution.groups = 512;
    config.execution.model = ExecutionModel::persistent;
    EXPECT_THROW(plan_launch(config, device), Failure);
}

TEST(PlanLaunch, CountsTheFieldsBeforeAnythingIsAllocated) {
    PaperDevice device;
    Config config = case_of(1000, 1000);
    EXPECT_EQ(plan_launch(config, device).least_bytes, 5 * 8000000);
    config.a.kind = ValueSource::Kind::dataset;
    EXPECT_EQ(plan_launch(config, device).least_bytes, (5 + 5) * 8000000);
    config.execution.precision = Precision::float32;
    EXPECT_EQ(plan_launch(config, device).least_bytes, (5 + 5) * 4000000);
    config = case_of(256, 256, 256);
    config.solver.method = SolverMethod::jacobi;
    EXPECT_EQ(plan_launch(config, device).least_bytes, 3 * 8 * 16777216);
    config = case_of(600, 500, 100);
    expect_refusal(
        config, device, ExitCode::device,
        "the fields of this case need at least 1.118 GiB in float64, but paper GPU has only 1 GiB free of "
        "4 GiB; use a "
        "smaller grid or precision: float32");
}

TEST(PlanLaunch, AnImageOfABillionVoxelsFitsAnH100InFloat64) {
    PaperDevice device;
    device.description_.gpu = true;
    device.description_.memory_bytes = device.description_.free_bytes = std::size_t{78} << 30U;
    Config config = case_of(1024, 1024, 1024);
    config.type = ProblemType::effective;
    config.effective.emplace();
    config.a.kind = ValueSource::Kind::labels;
    config.a.labels = {{0, 1.0}, {1, 0.0}};
    config.solver.preconditioner = Preconditioner::multigrid;
    const auto bytes_per_cell = [&] {
        return static_cast<double>(plan_launch(config, device).least_bytes) / (1024.0 * 1024.0 * 1024.0);
    };
    EXPECT_NEAR(bytes_per_cell(), 75.0, 0.5);
    device.description_.free_bytes = std::size_t{128} << 30U;
    config.a.labels = {{0, 1.0}, {1, 0.0}, {2, 0.5}, {3, 0.25}};
    EXPECT_NEAR(bytes_per_cell(), 75.0 + 6.0, 0.5) << "inverse diagonals, not kinds of cells";
}

TEST(ReadableBytes, PicksTheUnit) {
    EXPECT_EQ(readable_bytes(0), "0 B");
    EXPECT_EQ(readable_bytes(1023), "1023 B");
    EXPECT_EQ(readable_bytes(1536), "1.5 KiB");
    EXPECT_EQ(readable_bytes(1.5 * (1LL << 30)), "1.5 GiB");
    EXPECT_EQ(readable_bytes(5000.0 * (1LL << 40)), "5000 TiB");
}

TEST(PlanLaunch, RefusesBarriersThatTheDeviceLacks) {
    PaperDevice device;
    Config config = case_of(100, 100);
    config.execution.barrier = BarrierChoice::cooperative;
    expect_refusal(config, device, ExitCode::case_or_usage,
                   "execution.barrier: paper GPU has no cooperative barrier, which only CUDA devices have; "
                   "remove the key to use the fastest of group_leader, lock_free and tree");
    config.execution.barrier = BarrierChoice::all_items;
    expect_refusal(
        config, device, ExitCode::case_or_usage,
        "execution.barrier: all_items needs independent progress of every item, which paper GPU does not "
        "guarantee for groups of 256 items; use execution.group_size: 1 or another barrier");
    device.description_.items_progress = true;
    EXPECT_EQ(plan_launch(config, device).barrier, BarrierChoice::all_items);
    config.execution.barrier = BarrierChoice::automatic;
    EXPECT_EQ(plan_launch(config, device).barrier, BarrierChoice::group_leader);
}

TEST(PlanLaunch, ARingOfSnapshotsIsAsLargeAsThereIsRoomFor) {
    PaperDevice device;
    device.description_.copies_while_running = true;
    Config config = case_of(1000, 1000);
    config.type = ProblemType::heat;
    config.time = TimeConfig{};
    config.time->end = 1.0;
    config.time->snapshot_times = {1.0};
    EXPECT_EQ(plan_launch(config, device).ring_slots, 0U) << "nothing is written before the end";
    config.time->snapshot_times = {0.5, 1.0};
    EXPECT_EQ(plan_launch(config, device).ring_slots, 1U);
    config.time->snapshot_every = 100;
    const LaunchPlan plan = plan_launch(config, device);
    EXPECT_EQ(plan.ring_slots, 4U);
    config.execution.model = ExecutionModel::launches;
    EXPECT_EQ(plan.least_bytes - plan_launch(config, device).least_bytes, 4 * 8'000'000);
    config.execution.model = ExecutionModel::persistent;
    device.description_.free_bytes = 24'000'000 + 50'000'000;  // u twice and b; half of the rest is for slots
    EXPECT_EQ(plan_launch(config, device).ring_slots, 3U);
    device.description_.free_bytes = 24'000'000 + 17'000'000;
    EXPECT_EQ(plan_launch(config, device).ring_slots, 2U);
    device.description_.free_bytes = 24'000'000 + 15'000'000;
    expect_refusal(config, device, ExitCode::device,
                   "2 snapshots of 7.629 MiB are buffered on paper GPU during the run, but only "
                   "14.31 MiB are free after the fields; use a smaller grid or precision: float32, or "
                   "execution.model: launches, which buffers none");
    device.description_.copies_while_running = false;
    EXPECT_EQ(plan_launch(config, device).ring_slots, 0U);
}

}  // namespace
}  // namespace perdure::plan_launch_test
