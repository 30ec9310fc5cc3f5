// How streamed conjugate gradients march through a grid, and what that is expected to cost.
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "kernels/resident/resident_fields.h"
#include "kernels/resident/tiling.h"
#include "solver/resident/cg_plan.hpp"
#include "solver/resident/plan_held.hpp"

namespace perdure {
namespace {

constexpr std::array streamed_fields{RUN_KERNEL_FIELDS(STREAMED_CG_FIELDS)};

constexpr std::int64_t ring = 2;                   // of ghosts around a tile
constexpr std::int64_t other_shared_bytes = 8192;  // sums, and what the system keeps for itself
constexpr std::int64_t registers = 65536;          // of a group

/// A tile of kernels/resident/list.h. What a layer of one takes, read and written with the next ones, was measured on an H100
/// (kernels/resident/README.md), by precision.
struct Front {
    std::int64_t columns, rows;
    double layer_seconds[2];
};
/// Coefficients that vary leave registers for fewer cells.
struct Fronts {
    Front uniform, variable;
};
constexpr std::int64_t items = 512;  // of a group
constexpr Fronts fronts_2d{{2048, 1, {2.3e-6, 3.7e-6}}, {1024, 1, {2.9e-6, 4.1e-6}}};
constexpr Fronts fronts_3d{{64, 32, {2.35e-6, 3.6e-6}}, {64, 16, {3.4e-6, 4.9e-6}}};

std::int64_t slots_of(const Front &front, int dimensions) {
    return (front.columns + 2 * ring) * (dimensions == 3 ? front.rows + 2 * ring : 1);
}

/// Layers that the group with most of them goes through, those around its own included: the deal of
/// kernels/resident/cg_front.h.
std::int64_t most_layers(std::int64_t tiles, std::int64_t length, std::int64_t groups) {
    std::int64_t most = 0;
    for (std::int64_t group = 0; group < groups; ++group) {
        const std::int64_t begin = tiles * length * group / groups;
        const std::int64_t end = tiles * length * (group + 1) / groups;
        const std::int64_t ranges = end > begin ? (end - 1) / length - begin / length + 1 : 0;
        most = std::max(most, end - begin + 2 * ring * ranges);
    }
    return most;
}

/// At what fields of more than a cache were measured to move in an iteration; smaller ones are held on the chip.
double phases_seconds(double cells, int dimensions, bool variable, std::int64_t bytes) {
    constexpr double start_seconds = 12.0e-6;
    const double bytes_per_second = bytes == 8 ? 2.8e12 : 2.0e12;
    const int values = 8 + (variable ? 4 + dimensions : 0);
    return start_seconds + cells * static_cast<double>(values * bytes) / bytes_per_second;
}

/// Tiles that are not full save memory's part of a layer's time.
double sweep_seconds(const Front &front, const ResidentPlan &plan, double cells, int dimensions,
                     bool variable, std::int64_t bytes) {
    constexpr double bytes_per_second = 2.45e12;
    constexpr double always = 0.6;
    const double fill = static_cast<double>(plan.tile_columns * plan.tile_rows) /
                        static_cast<double>(front.columns * front.rows);
    const double of_layer = front.layer_seconds[bytes == 8 ? 1 : 0] * (always + (1.0 - always) * fill);
    const double of_memory =
        cells * static_cast<double>(streamed_cg_values(dimensions, variable) * bytes) / bytes_per_second;
    return std::max(static_cast<double>(plan.tile_planes) * of_layer, of_memory);
}

}  // namespace

int streamed_cg_values(int dimensions, bool variable) {
    return 5 + (variable ? 2 + dimensions : 0);
}

void stream_cg(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    const auto &cells = config.grid.cells;
    const int dimensions = config.grid.dimensions;
    const std::int64_t bytes = real_bytes(config);
    const std::int64_t room = device.shared_bytes_per_group - other_shared_bytes;
    const bool variable = !expected_uniform(config);
    const Fronts &fronts = dimensions == 3 ? fronts_3d : fronts_2d;
    const Front &front = variable ? fronts.variable : fronts.uniform;
    const std::int64_t shared = (OLD_LAYERS + NEW_LAYERS) * slots_of(front, dimensions) * bytes;
    if (shared > room || items > device.items_per_unit || device.units < 1 ||
        device.registers_per_unit < registers) {
        plan.refused = fmt::format(
            "the grid does not fit on the chip, and to stream it a group needs {} registers and {} bytes of "
            "shared memory, one of {} multiprocessors has {} registers and {} bytes",
            registers, shared + other_shared_bytes, device.units, device.registers_per_unit,
            device.shared_bytes_per_group);
        return;
    }
    cg_plan_t &cg = plan.cg;
    const std::int64_t length = cells[dimensions - 1];
    const std::int64_t columns = divided_up(cells[0], front.columns);
    const std::int64_t rows = dimensions == 3 ? divided_up(cells[1], front.rows) : 1;
    cg.boxes[0] = static_cast<uint32>(columns);
    cg.boxes[1] = static_cast<uint32>(rows);
    cg.boxes[2] = 1;
    cg.box[0] = static_cast<uint32>(divided_up(cells[0], columns));
    cg.box[1] = static_cast<uint32>(dimensions == 3 ? divided_up(cells[1], rows) : 1);
    cg.box[2] = 1;
    cg.items = static_cast<uint32>(items);
    cg.cells = static_cast<uint32>(front.columns * front.rows / items);
    cg.tile = static_cast<uint32>(slots_of(front, dimensions));
    cg.shared_bytes = static_cast<uint32>(shared);
    const int asked = config.execution.groups;
    const int most = static_cast<int>(std::min<std::int64_t>(
        asked > 0 ? std::min(asked, device.units) : device.units, columns * rows * length));
    std::int64_t layers = std::numeric_limits<std::int64_t>::max();
    for (int groups = asked > 0 ? most : 1; groups <= most; ++groups) {
        const std::int64_t needed = most_layers(columns * rows, length, groups);
        if (needed <= layers) {
            layers = needed;
            plan.groups = groups;
        }
    }
    plan.regime = ResidentRegime::streamed;
    plan.fields = streamed_fields;
    plan.kernel = fmt::format("cg_streamed_{}d", dimensions);
    plan.group_size = static_cast<int>(items);
    plan.shared_bytes = cg.shared_bytes;
    plan.depth = 1;
    plan.tile_columns = cg.box[0];
    plan.tile_rows = cg.box[1];
    plan.tile_planes = layers;
    const auto all = static_cast<double>(cells[0] * cells[1] * cells[2]);
    plan.redundancy = static_cast<double>(plan.groups * layers * front.columns * front.rows) / all;
    plan.step_seconds = sweep_seconds(front, plan, all, dimensions, variable, bytes);
    const double of_phases = phases_seconds(all, dimensions, variable, bytes);
    if (asked == 0 && plan.step_seconds > of_phases) {  // both with all groups
        plan.refused = fmt::format(
            "the grid does not fit on the chip, and streamed in tiles of {} x {} cells an iteration is "
            "expected to "
            "take {:.3g} us, by phases {:.3g} us (on an H100)",
            cg.box[0], cg.box[1], 1.0e6 * plan.step_seconds, 1.0e6 * of_phases);
    }
}

}  // namespace perdure
