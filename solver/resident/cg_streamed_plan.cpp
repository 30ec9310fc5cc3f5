// Plans streamed conjugate gradients: the tiles through which groups sweep, and the expected time.
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "kernels/resident/resident_fields.h"
#include "kernels/resident/tiling.h"
#include "solver/resident/cg_plan.hpp"
#include "solver/resident/plan_on_chip.hpp"

namespace perdure {
namespace {

constexpr std::array streamed_fields{RUN_KERNEL_FIELDS(STREAMED_CG_FIELDS)};

constexpr std::int64_t ring = 2;                   // of ghosts around a tile
constexpr std::int64_t other_shared_bytes = 8192;  // sums, and what the system reserves
constexpr std::int64_t registers = 65536;          // of a group

/// A tile of kernels/resident/list.h. layer_seconds: the time of one layer, with its loads and stores, in float32 and float64, as
/// measured on an H100 (tools/results/resident_log.md).
struct SweepTile {
    std::int64_t columns, rows;
    double layer_seconds[2];
};
/// Varying coefficients leave registers for fewer cells.
struct SweepTiles {
    SweepTile uniform, variable;
};
constexpr std::int64_t items = 512;  // of a group
constexpr SweepTiles sweep_tiles_2d{{2048, 1, {2.3e-6, 3.7e-6}}, {1024, 1, {2.9e-6, 4.1e-6}}};
constexpr SweepTiles sweep_tiles_3d{{64, 32, {2.35e-6, 3.6e-6}}, {64, 16, {3.4e-6, 4.9e-6}}};

std::int64_t slots_of(const SweepTile &tile, int dimensions) {
    return (tile.columns + 2 * ring) * (dimensions == 3 ? tile.rows + 2 * ring : 1);
}

/// Returns the number of layers that the busiest group sweeps through, including those around its own. Layers are divided as in
/// kernels/resident/cg_sweep_tile.h.
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

/// Returns the expected time of an iteration by phases, from the measured bandwidth of fields larger than the cache. Smaller
/// fields fit on the chip.
double phases_seconds(double cells, int dimensions, bool variable, std::int64_t bytes) {
    constexpr double start_seconds = 12.0e-6;
    const double bytes_per_second = bytes == 8 ? 2.8e12 : 2.0e12;
    const int values = 8 + (variable ? 4 + dimensions : 0);
    return start_seconds + cells * static_cast<double>(values * bytes) / bytes_per_second;
}

/// Returns the expected time of a pass. Tiles that are not full save the memory part of a layer's time.
double pass_seconds_of(const SweepTile &tile, const ResidentPlan &plan, double cells, int dimensions,
                       bool variable, std::int64_t bytes) {
    constexpr double bytes_per_second = 2.45e12;
    constexpr double always = 0.6;
    const double fill = static_cast<double>(plan.tile_columns * plan.tile_rows) /
                        static_cast<double>(tile.columns * tile.rows);
    const double of_layer = tile.layer_seconds[bytes == 8 ? 1 : 0] * (always + (1.0 - always) * fill);
    const double of_memory =
        cells * static_cast<double>(streamed_cg_values(dimensions, variable) * bytes) / bytes_per_second;
    return std::max(static_cast<double>(plan.tile_planes) * of_layer, of_memory);
}

}  // namespace

int streamed_cg_values(int dimensions, bool variable) {
    return 5 + (variable ? 2 + dimensions : 0);
}

void plan_streamed_cg(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    const auto &cells = config.grid.cells;
    const int dimensions = config.grid.dimensions;
    const std::int64_t bytes = real_bytes(config);
    const std::int64_t room = device.shared_bytes_per_group - other_shared_bytes;
    const bool variable = !expected_uniform(config);
    const SweepTiles &sweep_tiles = dimensions == 3 ? sweep_tiles_3d : sweep_tiles_2d;
    const SweepTile &tile = variable ? sweep_tiles.variable : sweep_tiles.uniform;
    const std::int64_t shared = (OLD_LAYERS + NEW_LAYERS) * slots_of(tile, dimensions) * bytes;
    if (shared > room || items > device.items_per_unit || device.units < 1 ||
        device.registers_per_unit < registers) {
        plan.refused = fmt::format(
            "the grid does not fit on the chip; to stream it through memory a group needs {} registers and "
            "{} "
            "bytes of shared memory, but each of the {} multiprocessors has {} registers and {} bytes",
            registers, shared + other_shared_bytes, device.units, device.registers_per_unit,
            device.shared_bytes_per_group);
        return;
    }
    cg_plan_t &cg = plan.cg;
    const std::int64_t length = cells[dimensions - 1];
    const std::int64_t columns = divided_up(cells[0], tile.columns);
    const std::int64_t rows = dimensions == 3 ? divided_up(cells[1], tile.rows) : 1;
    cg.boxes[0] = static_cast<uint32>(columns);
    cg.boxes[1] = static_cast<uint32>(rows);
    cg.boxes[2] = 1;
    cg.box[0] = static_cast<uint32>(divided_up(cells[0], columns));
    cg.box[1] = static_cast<uint32>(dimensions == 3 ? divided_up(cells[1], rows) : 1);
    cg.box[2] = 1;
    cg.items = static_cast<uint32>(items);
    cg.cells = static_cast<uint32>(tile.columns * tile.rows / items);
    cg.tile = static_cast<uint32>(slots_of(tile, dimensions));
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
    plan.regime = ResidentRegime::through_memory;
    plan.fields = streamed_fields;
    plan.kernel = fmt::format("cg_streamed_{}d", dimensions);
    plan.group_size = static_cast<int>(items);
    plan.shared_bytes = cg.shared_bytes;
    plan.depth = 1;
    plan.tile_columns = cg.box[0];
    plan.tile_rows = cg.box[1];
    plan.tile_planes = layers;
    const auto all = static_cast<double>(cells[0] * cells[1] * cells[2]);
    plan.redundancy = static_cast<double>(plan.groups * layers * tile.columns * tile.rows) / all;
    plan.step_seconds = pass_seconds_of(tile, plan, all, dimensions, variable, bytes);
    const double of_phases = phases_seconds(all, dimensions, variable, bytes);
    if (asked == 0 && plan.step_seconds > of_phases) {  // both estimates are for all groups
        plan.refused = fmt::format(
            "the grid does not fit on the chip; streamed through memory in tiles of {} x {} cells, an "
            "iteration would take about {:.3g} us, and with per-phase stepping {:.3g} us (on an H100)",
            cg.box[0], cg.box[1], 1.0e6 * plan.step_seconds, 1.0e6 * of_phases);
    }
}

}  // namespace perdure
