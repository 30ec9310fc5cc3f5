// Percolation on every back end: against a flood on the host, against the cells that the solver would keep, and where
// the answer is plain.
#include "solver/run/percolation.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "solver/reference/percolation.hpp"
#include "tests/kernels/run_problem.hpp"

namespace perdure::tests::percolation_test {
namespace {

Grid grid_of(int dimensions, std::array<std::int64_t, 3> cells) {
    Grid grid;
    grid.dimensions = dimensions;
    grid.cells = cells;
    return grid;
}

/// `conductivities` of materials 0, 1, ... (those that conduct first), and each cell's material.
MaterialImage image_of(const std::vector<double> &conductivities, std::vector<std::uint8_t> of_cell) {
    MaterialImage image;
    for (std::size_t i = 0; i < conductivities.size(); ++i) {
        image.materials.push_back({static_cast<std::int64_t>(i), conductivities[i],
                                   std::count(of_cell.begin(), of_cell.end(), static_cast<std::uint8_t>(i))});
    }
    image.of_cell = std::move(of_cell);
    return image;
}

std::vector<int> all_axes(const Grid &grid) {
    std::vector<int> axes(static_cast<std::size_t>(grid.dimensions));
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

Percolation percolation_of(const Grid &grid, const MaterialImage &image, ImageSides sides, Device &device,
                           ExecutionModel model = ExecutionModel::persistent, int groups = 0) {
    Config config;
    config.execution.groups = groups;
    config.grid.dimensions = grid.dimensions;
    config.grid.cells = grid.cells;
    config.execution.model = model;
    const LaunchPlan plan = plan_launch(config, device);
    return find_percolation({grid, image, all_axes(grid), sides}, config, device, plan);
}

/// What diffusion along `axis` asks for.
Problem problem_along(const Grid &grid, const MaterialImage &image, int axis, ImageSides sides) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid = grid;
    problem.only_field().a.values.clear();
    for (const std::uint8_t material : image.of_cell) {
        problem.only_field().a.values.push_back(image.materials[material].conductivity);
    }
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        problem.only_field().sides[side].kind = sides == ImageSides::periodic_cell ? SideKind::periodic
                                                : side / 2 == axis                 ? SideKind::value
                                                : sides == ImageSides::insulated   ? SideKind::flux
                                                                                   : SideKind::periodic;
    }
    return problem;
}

void expect_the_flood(const Grid &grid, const MaterialImage &image, ImageSides sides,
                      const Percolation &found) {
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        const reference::Percolation expected = reference::flood(grid, image, axis, sides);
        EXPECT_EQ(found.along[axis].material, expected.material) << "axis " << axis;
        EXPECT_EQ(found.along[axis].connected_cells, expected.connected_cells) << "axis " << axis;
        ActiveCells cells;
        find_active_along(found, axis, cells);
        EXPECT_EQ(std::vector<bool>(cells.active.begin(), cells.active.end()), expected.reaches_a_face);
        const Problem problem = problem_along(grid, image, axis, sides);
        const ActiveCells kept = find_active_cells(grid, problem.only_field());
        for (std::int64_t cell = 0; cell < grid.count(); ++cell) {
            EXPECT_EQ(cells.is_active(cell), kept.is_active(cell)) << "axis " << axis << ", cell " << cell;
            EXPECT_EQ(cells.part_of(cell), kept.part_of(cell)) << "axis " << axis << ", cell " << cell;
        }
        EXPECT_EQ(cells.excluded, kept.excluded);
        EXPECT_EQ(cells.pinned, kept.pinned);
        EXPECT_EQ(cells.parts, kept.parts);
    }
}

class Percolations : public OnEachBackEnd {};

TEST_P(Percolations, OfRandomImagesAreThoseOfAFlood) {
    std::mt19937 generator(20261122);
    const auto pick = [&](int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); };
    int percolating = 0;
    int blocked = 0;
    for (int repeat = 0; repeat < 90; ++repeat) {
        const int dimensions = 2 + pick(2);
        const Grid grid =
            grid_of(dimensions, {1 + pick(23), 1 + pick(19), dimensions == 3 ? 1 + pick(13) : 1});
        const std::vector<double> conductivities{2.0, 0.5, 0.0, 0.0};
        const int solid = 30 + pick(50);
        std::vector<std::uint8_t> of_cell;
        for (std::int64_t i = 0; i < grid.count(); ++i) {
            of_cell.push_back(
                static_cast<std::uint8_t>(pick(100) < solid ? 2 + (pick(9) == 0 ? 1 : 0) : pick(2)));
        }
        const MaterialImage image = image_of(conductivities, std::move(of_cell));
        const auto sides = static_cast<ImageSides>(pick(3));
        for (const auto &device : devices()) {
            SCOPED_TRACE(testing::Message() << "image " << repeat << ", sides " << static_cast<int>(sides));
            const bool threads = device->description().backend == BackendChoice::host;
            const Percolation found = percolation_of(grid, image, sides, *device, ExecutionModel::persistent,
                                                     threads ? 1 + repeat % 7 : 0);
            expect_the_flood(grid, image, sides, found);
            for (int axis = 0; axis < dimensions; ++axis) {
                percolating += found.along[axis].percolates() ? 1 : 0;
                blocked += found.along[axis].percolates() ? 0 : 1;
            }
        }
    }
    EXPECT_GT(percolating, 20);
    EXPECT_GT(blocked, 20);
}

/// A channel one cell wide that goes up and down the whole height before it moves on by two.
std::vector<std::uint8_t> serpentine(std::int64_t nx, std::int64_t ny) {
    std::vector<std::uint8_t> of_cell(static_cast<std::size_t>(nx * ny), 1);
    for (std::int64_t x = 0; x < nx; ++x) {
        for (std::int64_t y = 0; y < ny; ++y) {
            const bool turn = y == (x / 2 % 2 == 0 ? ny - 1 : 0);
            of_cell[static_cast<std::size_t>(x + nx * y)] = x % 2 == 0 || turn ? 0 : 1;
        }
    }
    return of_cell;
}

TEST_P(Percolations, AWindingChannelNeedsNoMoreBarriersThanAStraightOne) {
    const Grid grid = grid_of(2, {255, 201, 1});
    const MaterialImage image = image_of({1.0, 0.0}, serpentine(255, 201));
    for (const auto &device : devices()) {
        const Percolation found = percolation_of(grid, image, ImageSides::insulated, *device);
        EXPECT_TRUE(found.along[0].percolates());
        EXPECT_EQ(found.along[0].connected_cells, image.materials[0].cells);
        EXPECT_TRUE(found.along[0].material[0]);
        EXPECT_FALSE(found.along[0].material[1]) << "the walls";
        if (!device->description().time_limited && device->description().shared_control) {
            EXPECT_EQ(found.launches, 1);
            EXPECT_EQ(found.barriers, 2 * 4 - 1);
        }
        MaterialImage cut = image;
        std::vector<std::uint8_t> blocked(image.of_cell.begin(), image.of_cell.end());
        blocked[128 + 255 * 100] = 1;
        cut.of_cell = std::move(blocked);
        const Percolation none = percolation_of(grid, cut, ImageSides::insulated, *device);
        EXPECT_FALSE(none.along[0].percolates());
        EXPECT_EQ(none.along[0].connected_cells, 0);
        expect_the_flood(grid, cut, ImageSides::insulated, none);
    }
}

TEST_P(Percolations, OnlyPeriodicSidesLetADiagonalThrough) {
    // Two cells a row, shifted by one from row to row: connected, and once round the box they come out elsewhere.
    const Grid grid = grid_of(2, {6, 9, 1});
    std::vector<std::uint8_t> of_cell(54, 1);
    for (std::int64_t y = 0; y < 9; ++y) {
        of_cell[static_cast<std::size_t>(y % 6 + 6 * y)] =
            of_cell[static_cast<std::size_t>((y + 1) % 6 + 6 * y)] = 0;
    }
    const MaterialImage image = image_of({1.0, 0.0}, of_cell);
    for (const auto &device : devices()) {
        EXPECT_FALSE(percolation_of(grid, image, ImageSides::insulated, *device).along[1].percolates());
        const Percolation wrapped = percolation_of(grid, image, ImageSides::periodic, *device);
        EXPECT_TRUE(wrapped.along[1].percolates());
        EXPECT_EQ(wrapped.along[1].connected_cells, 18);
    }
}

/// A diagonal two cells wide round a box that is 6 cells wide: after 12 rows it meets itself, after 9 rows it does not.
TEST_P(Percolations, InAPeriodicCellTheTwoEndsOfAPathMustMeet) {
    for (const std::int64_t rows : {9, 12}) {
        const Grid grid = grid_of(2, {6, rows, 1});
        std::vector<std::uint8_t> of_cell(static_cast<std::size_t>(6 * rows), 1);
        for (std::int64_t y = 0; y < rows; ++y) {
            of_cell[static_cast<std::size_t>(y % 6 + 6 * y)] =
                of_cell[static_cast<std::size_t>((y + 1) % 6 + 6 * y)] = 0;
        }
        const MaterialImage image = image_of({1.0, 0.0}, of_cell);
        for (const auto &device : devices()) {
            EXPECT_TRUE(percolation_of(grid, image, ImageSides::periodic, *device).along[1].percolates());
            const Percolation found = percolation_of(grid, image, ImageSides::periodic_cell, *device);
            for (const int axis : {0, 1}) {
                EXPECT_EQ(found.along[axis].percolates(), rows == 12) << "axis " << axis;
                EXPECT_EQ(found.along[axis].material[0], rows == 12);
                EXPECT_EQ(found.along[axis].connected_cells, rows == 12 ? 24 : 0);
            }
            EXPECT_EQ(found.parts, 1);
            EXPECT_EQ(found.launches, 0) << "the host finds it";
            expect_the_flood(grid, image, ImageSides::periodic_cell, found);
        }
    }
}

TEST_P(Percolations, TwoConductorsMayReachThroughTogetherAndNeitherAlone) {
    const Grid grid = grid_of(3, {4, 2, 2});
    std::vector<std::uint8_t> of_cell(16, 2);
    for (std::int64_t x = 0; x < 4; ++x) {
        of_cell[static_cast<std::size_t>(x)] = x < 2 ? 0 : 1;
    }
    const MaterialImage image = image_of({3.0, 1.0, 0.0}, of_cell);
    for (const auto &device : devices()) {
        const Percolation found = percolation_of(grid, image, ImageSides::insulated, *device);
        EXPECT_EQ(found.along[0].material, (std::vector<bool>{false, false, true}));
        EXPECT_EQ(found.along[0].connected_cells, 4);
        EXPECT_FALSE(found.along[1].percolates());
        EXPECT_FALSE(found.along[2].percolates());
    }
}

TEST_P(Percolations, PhaseByPhaseIsTheSame) {
    const Grid grid = grid_of(2, {41, 37, 1});
    const MaterialImage image = image_of({1.0, 0.0}, serpentine(41, 37));
    for (const auto &device : devices()) {
        const Percolation one = percolation_of(grid, image, ImageSides::periodic, *device);
        const Percolation many =
            percolation_of(grid, image, ImageSides::periodic, *device, ExecutionModel::launches);
        EXPECT_EQ(one.faces, many.faces);
        EXPECT_EQ(one.along[0].connected_cells, many.along[0].connected_cells);
        EXPECT_EQ(many.launches, 4 * 4);
    }
}

PERDURE_ON_EACH_BACK_END(Percolations);

}  // namespace
}  // namespace perdure::tests::percolation_test
