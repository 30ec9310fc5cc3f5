// Plans of resident conjugate gradients, on imaginary devices.
#include "solver/resident/cg_plan.hpp"

#include <random>

#include "tests/resident/plan_cases.hpp"

namespace perdure::cg_plan_test {
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
    const bool solid = dimensions == 3;
    EXPECT_LE(plan.box[0], WIDEST_BOX(solid ? 3U : 2U)) << "kernels know how far apart rows lie";
    EXPECT_LE(solid ? plan.box[1] : 1U, DEEPEST_BOX) << "and layers";
    const std::int64_t rows = RESIDENT_COLUMNS(dimensions, plan.cells), levels = plan.cells / rows;
    const std::int64_t face = plan.box[0] * (solid ? (plan.box[1] + rows - 1) / rows : 1);
    const std::int64_t height = plan.box[dimensions - 1];
    EXPECT_LE(plan.items, RESIDENT_ITEMS_WITH(plan.cells));
    EXPECT_GE(plan.items, 256U) << "eight warps look for the sums";
    EXPECT_GE(plan.items / face * levels, height) << "every cell of a box has an item";
    const std::int64_t segment = (height - 1) / levels * levels;  // where the last segment begins
    const std::int64_t batch = RESIDENT_BATCH(plan.cells) / rows;
    const std::int64_t looked_at = segment + (height - segment + batch - 1) / batch * batch;
    const std::int64_t tile = (solid ? TILE_LAYER : TILE_ROW(2U)) * (looked_at + 2);
    EXPECT_GE(plan.tile, tile) << "items look at whole batches of cells";
    EXPECT_LE(plan.tile, 65536U) << "ghosts name slots by 16 bits";
    EXPECT_TRUE(plan.x_on_chip != 0 ? plan.cells * real_bytes <= 256 : plan.cells > 16);
    const bool no_item_lacks_cells = groups * plan.items * plan.cells == cells[0] * cells[1] * cells[2];
    EXPECT_EQ(plan.full != 0, solid && plan.cells >= 16 && no_item_lacks_cells);
    const std::int64_t x = plan.x_on_chip != 0 ? std::int64_t{plan.cells} * plan.items : 0;
    const std::int64_t rim = solid ? 2 * (16 + 32) * plan.box[2] : 2 * plan.box[1];
    EXPECT_GE(plan.ghosts, rim + 2 * plan.box[0] * (solid ? plan.box[1] : 1U));
    EXPECT_GE(plan.shared_bytes, (tile + plan.ghosts + rim + x) * real_bytes);
}

TEST(ResidentCgPlan, FitsWhatTheGoalsName) {
    const ChipCapacity h100{132, h100_shared};
    for (const auto &cells : std::vector<std::array<std::int64_t, 3>>{
             {512, 512, 1}, {1024, 1024, 1}, {1400, 1400, 1}, {64, 64, 64}, {96, 96, 96}, {128, 128, 128}}) {
        const int dimensions = cells[2] == 1 ? 2 : 3;
        for (const std::int64_t real_bytes : {4, 8}) {
            const auto plan = cut_into_boxes(cells, dimensions, real_bytes, h100, true);
            ASSERT_TRUE(plan);
            expect_sound(*plan, cells, dimensions, real_bytes, h100);
            EXPECT_GE(plan->boxes[0] * plan->boxes[1] * plan->boxes[2], 108U) << "most multiprocessors work";
            EXPECT_EQ(plan->x_on_chip != 0, real_bytes == 4 || plan->cells <= 16);
            EXPECT_EQ(plan->full != 0, cells[2] >= 96) << "whose items have 16 or 64 cells each";
            EXPECT_EQ(cut_into_boxes(cells, dimensions, real_bytes, h100, false)->full, 0U);
        }
    }
}

// If shared memory has no room for x beside p, items of 64 cells leave x in global memory, also in float32.
TEST(ResidentCgPlan, LeavesXInMemoryWhereSharedMemoryIsSmall) {
    const ChipCapacity desktop{128, 99 * 1024 - 8192};
    for (const auto &[side, kept] : {std::pair{1000, true}, {1300, false}}) {
        const auto plan = cut_into_boxes({side, side, 1}, 2, 4, desktop, true);
        ASSERT_TRUE(plan);
        expect_sound(*plan, {side, side, 1}, 2, 4, desktop);
        EXPECT_EQ(plan->x_on_chip != 0, kept) << plan->cells;
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
        if (const auto plan = cut_into_boxes(cells, dimensions, real_bytes, chip, true)) {
            expect_sound(*plan, cells, dimensions, real_bytes, chip);
            ++planned;
        }
    }
    EXPECT_GT(planned, 100);
}

using tests::h100;

Config cg_case(std::int64_t nx, std::int64_t ny, std::int64_t nz, Precision precision = Precision::float64) {
    Config config;
    config.grid.cells = {nx, ny, nz};
    config.grid.dimensions = nz == 1 ? 2 : 3;
    config.execution.precision = precision;
    return config;
}

TEST(ResidentCgPlan, ExpectsMoreTimeForLargerGrids) {
    tests::expect_longer_steps(
        {cg_case(256, 256, 1), cg_case(512, 512, 1), cg_case(1024, 1024, 1), cg_case(1400, 1400, 1),
         cg_case(2048, 2048, 1), cg_case(4096, 4096, 1), cg_case(8192, 8192, 1)},
        h100);
    tests::expect_longer_steps({cg_case(64, 64, 64), cg_case(96, 96, 96), cg_case(128, 128, 128),
                                cg_case(160, 160, 160), cg_case(256, 256, 256), cg_case(512, 512, 512)},
                               h100);
    Config varied = cg_case(512, 512, 1);
    varied.a.kind = ValueSource::Kind::dataset;
    EXPECT_EQ(plan_resident(varied, h100).step_seconds, 0.0) << "not known";
}

TEST(ResidentCgPlan, KeepsOnTheChipWhatFits) {
    const ResidentPlan plane = plan_resident(cg_case(512, 512, 1), h100);
    EXPECT_EQ(plane.kernel, "cg_on_chip_2d");
    EXPECT_EQ(plane.resident_bytes, 4LL * 512 * 512 * 8) << "p, r, w and x";
    EXPECT_EQ(plane.message_bytes,
              static_cast<std::int64_t>(plane.groups) * plane.cg.ghosts * (2 * 16 + 8 + 4) +
                  static_cast<std::int64_t>(step_flags_bytes(plane.groups)))
        << "of two calls, 1 / diagonal, and where a ghost lies";
    EXPECT_EQ(plan_resident(cg_case(64, 64, 64), h100).kernel, "cg_on_chip_3d");
    const ResidentPlan row = plan_resident(cg_case(5000, 1, 1), h100);
    EXPECT_EQ(row.kernel, "cg_on_chip_2d");
    EXPECT_GE(row.groups, 79) << "no box is wider than 64 cells, however few are left for each";
}

TEST(ResidentCgPlan, StreamsWhatDoesNotFit) {
    for (const Config &config : {cg_case(2048, 2048, 1), cg_case(8192, 8192, 1), cg_case(160, 160, 160),
                                 cg_case(256, 256, 256), cg_case(512, 512, 512)}) {
        for (const Precision precision : {Precision::float64, Precision::float32}) {
            Config asked = config;
            asked.execution.precision = precision;
            const ResidentPlan plan = plan_resident(asked, h100);
            EXPECT_EQ(plan.refused, "");
            EXPECT_EQ(plan.regime, ResidentRegime::through_memory);
            EXPECT_EQ(plan.kernel, config.grid.dimensions == 3 ? "cg_streamed_3d" : "cg_streamed_2d");
            EXPECT_EQ(plan.resident_bytes, 0);
            EXPECT_EQ(plan.message_bytes, 0);
            EXPECT_GE(plan.groups, 118) << "most multiprocessors work";
            EXPECT_LE(plan.groups, 132);
        }
    }
}

TEST(ResidentCgPlan, StreamsSoundlyOrRefusesOnAnyDevice) {
    std::mt19937_64 random(6);
    const auto below = [&](std::int64_t n) {
        return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random);
    };
    int planned = 0;
    for (int i = 0; i < 600; ++i) {
        const bool solid = below(2) == 0;
        const std::int64_t most = solid ? 400 : 5000;
        const Config config = cg_case(1 + below(most), 1 + below(most), solid ? 2 + below(most) : 1,
                                      below(2) == 0 ? Precision::float32 : Precision::float64);
        const ResidentDevice device{static_cast<int>(1 + below(140)), 65536, 1024 + below(2) * 1024,
                                    8192 + below(230000), ""};
        const ResidentPlan plan = plan_resident(config, device);
        if (!plan.refused.empty() || plan.regime != ResidentRegime::through_memory) {
            continue;
        }
        ++planned;
        EXPECT_LE(plan.groups, device.units);
        EXPECT_GE(plan.groups, 1);
        EXPECT_LE(plan.shared_bytes, device.shared_bytes_per_group - 8192);
        EXPECT_LE(plan.group_size, device.items_per_unit);
        std::int64_t tiles = 1;
        for (int axis = 0; axis < config.grid.dimensions - 1; ++axis) {
            EXPECT_LE(plan.cg.boxes[axis], config.grid.cells[axis]) << "no tile is empty";
            EXPECT_GE(std::int64_t{plan.cg.boxes[axis]} * plan.cg.box[axis], config.grid.cells[axis]);
            tiles *= plan.cg.boxes[axis];
        }
        EXPECT_GE((plan.tile_planes - 4) * plan.groups,
                  tiles * config.grid.cells[config.grid.dimensions - 1]);
        EXPECT_EQ(std::int64_t{plan.cg.tile} * 8 * real_bytes(config), plan.shared_bytes) << "eight layers";
    }
    EXPECT_GT(planned, 60);
}

TEST(ResidentCgPlan, SaysWhyNot) {
    ResidentDevice none = h100;
    none.missing = "only CUDA devices have kernels that keep fields on the chip";
    EXPECT_EQ(plan_resident(cg_case(512, 512, 512), none).refused, none.missing);
    EXPECT_EQ(plan_resident(cg_case(1, 1500000, 1), h100).refused,
              "the grid does not fit on the chip; streamed through memory in tiles of 1 x 1 cells, an "
              "iteration would take about 2.52e+04 us, and with per-phase stepping 46.3 us (on an H100)");
    ResidentDevice desktop = h100;
    desktop.shared_bytes_per_group = 49152;
    EXPECT_EQ(
        plan_resident(cg_case(512, 512, 512), desktop).refused,
        "the grid does not fit on the chip; to stream it through memory a group needs 65536 registers and "
        "164864 bytes of shared memory, but each of the 132 multiprocessors has 65536 registers and 49152 "
        "bytes");
    ResidentDevice few_items = h100;
    few_items.items_per_unit = 511;
    EXPECT_EQ(
        plan_resident(cg_case(512, 512, 1), few_items).refused,
        "a group of 512 items needs 65536 registers, but a multiprocessor has 511 items and 65536 registers");
    ResidentDevice few_registers = h100;
    few_registers.registers_per_unit = 65535;
    EXPECT_EQ(plan_resident(cg_case(512, 512, 1), few_registers).refused,
              "a group of 512 items needs 65536 registers, but a multiprocessor has 2048 items and 65535 "
              "registers");
    Config convective = cg_case(512, 512, 512);
    convective.velocity.emplace();
    EXPECT_EQ(plan_resident(convective, h100).refused, "resident kernels do not support a velocity");
}

TEST(ResidentCgPlan, StreamsWithAsManyGroupsAsTheCaseSays) {
    Config config = cg_case(300, 280, 1);
    config.execution.groups = 2;
    const ResidentPlan plan = plan_resident(config, h100);
    EXPECT_EQ(plan.refused, "");
    EXPECT_EQ(plan.kernel, "cg_streamed_2d");
    EXPECT_EQ(plan.groups, 2);
}

TEST(ResidentCgPlan, TakesNoMoreGroupsThanTheCaseSays) {
    Config config;
    config.grid.cells = {100, 80, 1};
    config.grid.dimensions = 2;
    config.execution.groups = 7;
    const ResidentPlan plan = plan_resident(config, {132, 65536, 2048, 232448, ""});
    EXPECT_EQ(plan.refused, "");
    EXPECT_EQ(plan.kernel, "cg_on_chip_2d");
    EXPECT_LE(plan.groups, 7);
}

}  // namespace
}  // namespace perdure::cg_plan_test
