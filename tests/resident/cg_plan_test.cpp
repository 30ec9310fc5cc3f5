// Boxes of resident conjugate gradients on devices that need not exist.
#include "solver/resident/cg_plan.hpp"

#include <gtest/gtest.h>

#include <random>

namespace perdure {
namespace {

constexpr std::int64_t h100_shared = 232448 - 8192;

void expect_sound(const cg_plan_t &plan, const std::array<std::int64_t, 3> &cells, int dimensions,
                  std::int64_t real_bytes, const ChipCapacity &chip) {
    std::int64_t groups = 1;
    for (int axis = 0; axis < 3; ++axis) {
        groups *= plan.boxes[axis];
        EXPECT_LE(plan.boxes[axis], cells[axis]) << "no box is empty";
        EXPECT_GE(std::int64_t{plan.box[axis]} * plan.boxes[axis], cells[axis]) << "no cell is left over";
    }
    EXPECT_LE(groups, chip.groups);
    EXPECT_LE(plan.items, RESIDENT_ITEMS);
    EXPECT_EQ(plan.items % 32, 0U);
    EXPECT_LE(plan.shared_bytes, chip.shared_bytes);
    const std::int64_t face = plan.box[0] * (dimensions == 3 ? plan.box[1] : 1);
    const std::int64_t height = plan.box[dimensions - 1];
    EXPECT_GE(plan.items / face * plan.column, height) << "every cell of a box has an item";
    const std::int64_t tile =
        (plan.box[0] + 2) * (plan.box[1] + 2) * (dimensions == 3 ? std::int64_t{plan.box[2]} + 2 : 1);
    EXPECT_GE(plan.tile, tile);
    EXPECT_LE(plan.tile, 65536U) << "ghosts name slots by 16 bits";
    EXPECT_EQ(plan.x_on_chip, plan.column <= 16 ? 1U : 0U);
    const std::int64_t x = plan.x_on_chip != 0 ? std::int64_t{plan.column} * plan.items : 0;
    EXPECT_GE(plan.shared_bytes, 4 * plan.ghosts + (tile + x) * real_bytes);
}

TEST(ResidentCgPlan, FitsWhatTheGoalsName) {
    const ChipCapacity h100{132, h100_shared};
    for (const auto &cells : std::vector<std::array<std::int64_t, 3>>{
             {512, 512, 1}, {1024, 1024, 1}, {1400, 1400, 1}, {64, 64, 64}, {128, 128, 128}}) {
        const int dimensions = cells[2] == 1 ? 2 : 3;
        const auto plan = cut_into_boxes(cells, dimensions, 8, h100);
        ASSERT_TRUE(plan);
        expect_sound(*plan, cells, dimensions, 8, h100);
        EXPECT_GE(plan->boxes[0] * plan->boxes[1] * plan->boxes[2], 116U) << "most multiprocessors work";
    }
}

TEST(ResidentCgPlan, IsSoundOrRefusesForAnyShapeAndDevice) {
    std::mt19937_64 random(5);
    const auto below = [&](std::int64_t n) {
        return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random);
    };
    int planned = 0;
    for (int i = 0; i < 400; ++i) {
        const int dimensions = 2 + static_cast<int>(below(2));
        const std::int64_t most = dimensions == 2 ? 1500 : 150;
        const std::array<std::int64_t, 3> cells{1 + below(below(3) == 0 ? 5 : most),
                                                1 + below(below(3) == 0 ? 5 : most),
                                                dimensions == 3 ? 1 + below(most) : 1};
        const ChipCapacity chip{static_cast<int>(1 + below(140)), 10000 + below(230000)};
        const std::int64_t real_bytes = below(2) == 0 ? 4 : 8;
        if (const auto plan = cut_into_boxes(cells, dimensions, real_bytes, chip)) {
            expect_sound(*plan, cells, dimensions, real_bytes, chip);
            ++planned;
        }
    }
    EXPECT_GT(planned, 100);
}

TEST(ResidentCgPlan, SaysWhyNot) {
    Config config;
    config.grid.cells = {512, 512, 512};
    config.grid.dimensions = 3;
    const ResidentDevice h100{132, 65536, 2048, 232448, ""};
    EXPECT_EQ(
        plan_resident(config, h100).refused,
        "512 x 512 x 512 cells do not fit on the chip: 132 groups of 512 items with at most 32 cells an "
        "item and 224256 bytes of shared memory a group");
    ResidentDevice none = h100;
    none.missing = "only CUDA devices have kernels that hold fields on the chip";
    EXPECT_EQ(plan_resident(config, none).refused, none.missing);
}

TEST(ResidentCgPlan, TakesNoMoreGroupsThanTheCaseSays) {
    Config config;
    config.grid.cells = {100, 80, 1};
    config.grid.dimensions = 2;
    config.execution.groups = 7;
    const ResidentPlan plan = plan_resident(config, {132, 65536, 2048, 232448, ""});
    EXPECT_EQ(plan.refused, "");
    EXPECT_EQ(plan.kernel, "cg_resident_2d");
    EXPECT_LE(plan.groups, 7);
}

}  // namespace
}  // namespace perdure
