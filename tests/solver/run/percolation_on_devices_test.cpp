// Percolation by groups of several devices, emulated: one group after the other does its part of each phase.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/common.h"
#include "solver/reference/percolation.hpp"
#include "solver/run/boxes.hpp"
#include "solver/run/grid_parameters.hpp"

namespace perdure::percolation_on_devices_test {

// As on GPUs, not by host threads.
#include "kernels/chunks.h"
#undef FOR_EACH_CHUNK
#define FOR_EACH_CHUNK(chunk, grid)                                      \
    for (uint32 chunk = first_chunk(grid, group_index(), group_count()); \
         chunk < end_of_chunks(grid, group_count()); chunk += groups_side_by_side(group_count()))

#define real_t double
#include "kernels/percolation.h"
#undef real_t

namespace {

struct Image {
    Grid grid;
    MaterialImage materials;  // 0 and 1 conduct, 2 does not
};

Image random_image(int dimensions, std::array<std::int64_t, 3> cells, unsigned solid_of_100, unsigned seed) {
    std::mt19937 generator(seed);
    Image image;
    image.grid.dimensions = dimensions;
    image.grid.cells = cells;
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t i = 0; i < image.grid.count(); ++i) {
        of_cell.push_back(generator() % 100 < solid_of_100 ? 2 : static_cast<std::uint8_t>(generator() % 2));
    }
    image.materials.materials = {{0, 1.0, 1}, {1, 0.5, 1}, {2, 0.0, 1}};
    image.materials.of_cell = std::move(of_cell);
    return image;
}

struct Found {
    std::vector<std::uint32_t> words;
    std::vector<unsigned char> faces;

    bool operator==(const Found &) const = default;
};

/// Passes along all axes, as of an image with insulated sides.
class Emulated {
  public:
    Emulated(const Image &image, std::uint32_t devices)
        : parent_(cells_of(image)), reach_(cells_of(image)), devices_(devices), found_{{}, {}} {
        const Grid &grid = image.grid;
        set_grid(grid, {}, choose_boxes(grid.cells, grid.dimensions), parameters_);
        found_.words.resize(PERCOLATION_FOUND_WORDS);
        found_.faces.resize(cells_of(image));
        self_.run.parameters = &parameters_;
        self_.passes = passes_.data();
        self_.material = image.materials.of_cell.data();
        self_.parent = parent_.data();
        self_.reach = reach_.data();
        self_.faces = found_.faces.data();
        self_.found = found_.words.data();
    }
    Emulated(const Emulated &) = delete;
    Emulated &operator=(const Emulated &) = delete;

    Found run() {
        const auto phases = static_cast<std::uint32_t>(passes_.size()) * percolation_steps(devices_);
        for (std::uint32_t phase = 0; phase < phases; ++phase) {
            const std::uint32_t groups = 2 * devices_;
            for (std::uint32_t group = 0; group < groups; ++group) {
                perdure_group = {group, groups};
                perdure_device_count = devices_;
                percolation_phase(&self_, phase);
                perdure_group = {0, 1};
                perdure_device_count = 1;
            }
            if (percolation_step(phase, devices_) == PERCOLATION_FLATTEN) {
                count_trees_of_several();
            }
        }
        return found_;
    }

    /// Cells whose tree has its root on another device before trees of two devices are united.
    [[nodiscard]] std::int64_t cells_in_trees_of_several() const { return in_trees_of_several_; }
    /// Roots that have become part of a tree on another device.
    [[nodiscard]] std::int64_t linked() const {
        std::int64_t count = 0;
        for (const std::uint32_t reach : reach_) {
            count += (reach & IS_LINKED) != 0 ? 1 : 0;
        }
        return count;
    }

  private:
    static std::size_t cells_of(const Image &image) { return static_cast<std::size_t>(image.grid.count()); }

    void count_trees_of_several() {
        perdure_device_count = devices_;
        for (std::uint32_t device = 0; device < devices_; ++device) {
            const std::uint32_t begin = first_cell_of_device(&parameters_, device);
            for (std::uint32_t cell = begin; cell < first_cell_of_device(&parameters_, device + 1); ++cell) {
                in_trees_of_several_ += parent_[cell] < begin ? 1 : 0;
            }
        }
        perdure_device_count = 1;
    }

    run_parameters_t parameters_{};
    std::vector<percolation_pass_t> passes_{{7, 0, 0}, {7, 0, 2}};
    std::vector<std::uint32_t> parent_, reach_;
    std::uint32_t devices_;
    Found found_;
    percolation_t self_{};
    std::int64_t in_trees_of_several_ = 0;
};

TEST(PercolationOnDevices, FindsWhatOneFindsInTreesThatEachHasAlone) {
    std::int64_t linked = 0;
    for (const std::array<std::int64_t, 3> &cells :
         std::vector<std::array<std::int64_t, 3>>{{40, 36, 48}, {13, 17, 64}, {64, 20, 37}, {70, 150, 1}}) {
        for (const unsigned solid : {20U, 50U, 66U}) {
            const Image image = random_image(cells[2] > 1 ? 3 : 2, cells, solid, solid);
            const Found on_one = Emulated(image, 1).run();
            for (const std::uint32_t devices : {2U, 3U}) {
                SCOPED_TRACE(testing::Message() << cells[0] << " cells along x, " << solid << " % solid, "
                                                << devices << " devices");
                Emulated on_several(image, devices);
                EXPECT_EQ(on_several.run(), on_one);
                EXPECT_EQ(on_several.cells_in_trees_of_several(), 0);
                linked += on_several.linked();
            }
            for (int axis = 0; axis < image.grid.dimensions; ++axis) {
                const reference::Percolation expected =
                    reference::flood(image.grid, image.materials, axis, ImageSides::insulated);
                EXPECT_EQ(on_one.words[axis * PERCOLATION_ROW + PERCOLATION_CONNECTED],
                          expected.connected_cells);
            }
        }
    }
    EXPECT_GT(linked, 100) << "parts that lie on two devices";
}

}  // namespace
}  // namespace perdure::percolation_on_devices_test
