#include "solver/run/boxes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/chunks.h"
#include "solver/run/run_memory.hpp"

namespace perdure::boxes_test {
namespace {

using Cells = std::array<std::int64_t, 3>;

run_parameters_t parameters_of(const Cells &cells, int dimensions) {
    const Boxes boxes = choose_boxes(cells, dimensions);
    run_parameters_t grid{};
    grid.nx = static_cast<std::uint32_t>(cells[0]);
    grid.ny = static_cast<std::uint32_t>(cells[1]);
    grid.nz = static_cast<std::uint32_t>(cells[2]);
    grid.cells = grid.nx * grid.ny * grid.nz;
    grid.dimensions = static_cast<std::uint32_t>(dimensions);
    grid.row = make_divider(grid.nx);
    grid.layer = make_divider(grid.nx * grid.ny);
    set_boxes(boxes, grid);
    return grid;
}

struct Shape {
    Cells cells;
    int dimensions;
};

const std::vector<Shape> shapes{{{1, 1, 1}, 2},       {{16, 17, 1}, 2},     {{131, 67, 1}, 2},
                                {{1009, 1013, 1}, 2}, {{3, 70'001, 1}, 2},  {{70'001, 3, 1}, 2},
                                {{1, 300'000, 1}, 2}, {{2048, 1024, 1}, 2}, {{1, 1, 1}, 3},
                                {{7, 5, 3}, 3},       {{29, 23, 19}, 3},    {{128, 64, 96}, 3},
                                {{101, 103, 107}, 3}, {{1000, 7, 3}, 3},    {{3, 7, 10'000}, 3}};

/// Cells of each chunk's lane in the order in which they come: [chunk * LANES + lane].
using Visits = std::vector<std::vector<std::uint32_t>>;

#define VISITS_OF(loop, parameters, backwards)                          \
    [&] {                                                               \
        Visits visits(std::size_t{(parameters)->chunks} * LANES);       \
        for (std::uint32_t group = 0; group < 3; ++group) {             \
            perdure_group = {group, 3};                                 \
            FOR_EACH_CHUNK (chunk, parameters) {                        \
                loop(cell, lane, chunk, parameters, backwards) {        \
                    visits[chunk * LANES + lane].push_back(cell.index); \
                }                                                       \
            }                                                           \
        }                                                               \
        perdure_group = {0, 1};                                         \
        return visits;                                                  \
    }()

TEST(Boxes, HoldEachCellOnceAndInTheSameOrderByLanesAndByRows) {
    for (const auto &[cells, dimensions] : shapes) {
        SCOPED_TRACE(testing::Message() << cells[0] << " x " << cells[1] << " x " << cells[2]);
        const run_parameters_t grid = parameters_of(cells, dimensions);
        const run_parameters_t *const parameters = &grid;
        EXPECT_LE(grid.chunks, 528U);
        EXPECT_LE(grid.chunks, grid.boxes);
        Visits by_rows = VISITS_OF(FOR_EACH_CELL_BY_ROWS, parameters, 0U);
        std::vector<int> times(grid.cells, 0);
        for (const auto &lane : by_rows) {
            for (const std::uint32_t cell : lane) {
                ++times.at(cell);
            }
        }
        EXPECT_EQ(std::count(times.begin(), times.end(), 1), grid.cells);
        EXPECT_TRUE((by_rows == VISITS_OF(FOR_EACH_CELL_BY_LANES, parameters, 0U)));
        for (auto &lane : by_rows) {
            std::reverse(lane.begin(), lane.end());
        }
        EXPECT_TRUE((by_rows == VISITS_OF(FOR_EACH_CELL_BY_ROWS, parameters, 1U)));
        EXPECT_TRUE((by_rows == VISITS_OF(FOR_EACH_CELL_BY_LANES, parameters, 1U)));
    }
}

TEST(Boxes, TellWhereACellLiesAndWhatIsInTheNextRow) {
    for (const auto &[cells, dimensions] : shapes) {
        SCOPED_TRACE(testing::Message() << cells[0] << " x " << cells[1] << " x " << cells[2]);
        const run_parameters_t grid = parameters_of(cells, dimensions);
        const run_parameters_t *const parameters = &grid;
        FOR_EACH_CHUNK (chunk, parameters) {
            std::vector<std::uint32_t> ahead(LANES, NO_CELL);
            FOR_EACH_CELL_BY_LANES (cell, lane, chunk, parameters, 1U) {
                const cell_t same = cell_at(parameters, cell.index, grid.dimensions);
                ASSERT_TRUE(cell.x == same.x && cell.y == same.y && cell.z == same.z) << cell.index;
                ASSERT_TRUE(ahead[lane] == NO_CELL || ahead[lane] == static_cast<uint32>(cell.index))
                    << cell.index;
                ahead[lane] = cell.rows > 1U ? cell_ahead(parameters, cell, grid.dimensions) : NO_CELL;
                ASSERT_TRUE(cell.rows > 1U || cell_ahead(parameters, cell, grid.dimensions) == cell.index);
            }
        }
    }
}

/// As FOR_EACH_CELL: a cell in each lane, row after row; inner are those alone that are two cells from every side.
TEST(Boxes, AreGoneThroughInStretchesInTheSameOrder) {
    for (const auto &[cells, dimensions] : shapes) {
        SCOPED_TRACE(testing::Message() << cells[0] << " x " << cells[1] << " x " << cells[2]);
        const run_parameters_t grid = parameters_of(cells, dimensions);
        const run_parameters_t *const parameters = &grid;
        std::int64_t inner = 0;
        const auto look_at = [&](const cell_t &cell) {
            const stencil_t known = stencil_of(parameters, cell);
            const stencil_t asked = stencil_at(parameters, static_cast<uint32>(cell.index));
            inner += cell.inner;
            return known.inner == asked.inner && std::equal(known.cell, known.cell + ABOVE, asked.cell);
        };
        for (const std::uint32_t backwards : {0U, 1U}) {
            Visits in_stretches(std::size_t{grid.chunks} * LANES);
            bool right = true;
            inner = 0;
            FOR_EACH_CHUNK (chunk, parameters) {
                CALL_FOR_CELLS_TOWARDS(chunk, parameters, backwards,
                                       (in_stretches[chunk * LANES + static_cast<uint32>(lane)].push_back(
                                            static_cast<uint32>(cell.index)),
                                        right &= look_at(cell)));
            }
            EXPECT_TRUE(right);
            EXPECT_TRUE((in_stretches == VISITS_OF(FOR_EACH_CELL_BY_ROWS, parameters, backwards)));
            const auto within = [](std::int64_t n) { return std::max<std::int64_t>(n - 4, 0); };
            EXPECT_EQ(inner, within(cells[0]) * within(cells[1]) * (dimensions == 3 ? within(cells[2]) : 1));
        }
    }
}

/// The sizes of the standard comparisons fill 512 of 528 groups, or 2048 of 2112 where there are cells enough for several devices.
TEST(Boxes, ShareLargeGridsOutEvenly) {
    for (const std::int64_t n : {1024, 2048, 4096, 8192}) {
        const Boxes boxes = choose_boxes({n, n, 1}, 2);
        EXPECT_EQ(boxes.count() % 512, 0U) << n;
        EXPECT_EQ(chunks_of(boxes), n > 2048 ? 2048U : 512U) << n;
        EXPECT_EQ(std::int64_t{boxes.count()} * boxes.rows * LANES, n * n) << "no lane is idle";
    }
    for (const std::int64_t n : {128, 256, 512}) {
        const Boxes boxes = choose_boxes({n, n, n}, 3);
        EXPECT_EQ(chunks_of(boxes), n > 128 ? 2048U : 512U) << n;
        EXPECT_EQ(std::int64_t{boxes.count()} * boxes.rows * LANES, n * n * n) << "no lane is idle";
    }
}

/// Each cell lies, but for rounding to whole layers of boxes, on the device whose groups have its chunk.
TEST(Boxes, OfADeviceLieBetweenItsCuts) {
    for (const auto &[cells, dimensions] :
         std::vector<Shape>{{{211, 250, 300}, 3}, {{64, 64, 64}, 3}, {{700, 1000, 1}, 2}}) {
        const run_parameters_t grid = parameters_of(cells, dimensions);
        const run_parameters_t *const parameters = &grid;
        for (const std::uint32_t devices : {1U, 2U, 3U, 5U}) {
            SCOPED_TRACE(testing::Message() << cells[0] << " cells along x, " << devices << " devices");
            const std::vector<double> cuts =
                cuts_between(static_cast<int>(devices), choose_boxes(cells, dimensions), cells);
            ASSERT_EQ(cuts.size(), devices - 1);
            perdure_device_count = devices;
            std::uint32_t known = 0;
            for (std::uint32_t device = 0; device < devices; ++device) {
                const double begin = device == 0 ? 0.0 : cuts[device - 1];
                const double end = device + 1 == devices ? 1.0 : cuts[device];
                for (std::uint32_t chunk = first_chunk_of_device(parameters, device);
                     chunk < first_chunk_of_device(parameters, device + 1); ++chunk, ++known) {
                    FOR_EACH_CELL_BY_ROWS (cell, lane, chunk, parameters, 0U) {
                        const double place = (cell.index + 0.5) / grid.cells;
                        ASSERT_TRUE(begin < place && place < end) << cell.index;
                    }
                }
            }
            perdure_device_count = 1;
            EXPECT_EQ(known, grid.chunks);
        }
    }
}

TEST(Boxes, AreNarrowOnNarrowGrids) {
    EXPECT_LE(1U << choose_boxes({3, 100'000, 1}, 2).log2_lanes_x, 4U);
    EXPECT_EQ(choose_boxes({1024, 1024, 1}, 2).log2_lanes_x, 5U);
    EXPECT_EQ(choose_boxes({256, 256, 256}, 3).log2_lanes_x, 7U);
    EXPECT_EQ(choose_boxes({32, 32, 32}, 3).log2_lanes_x, 5U) << "no lanes beyond a narrow grid";
}

/// A layer of 384 x 384 cells is no whole number of rounds of all groups.
TEST(Boxes, AreLowWhereLayersAreSharedOutUnevenly) {
    EXPECT_EQ(choose_boxes({384, 384, 384}, 3).rows, 8U);
    EXPECT_EQ(choose_boxes({512, 512, 512}, 3).rows, 32U);
}

}  // namespace
}  // namespace perdure::boxes_test
