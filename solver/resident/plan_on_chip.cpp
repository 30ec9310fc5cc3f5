#include "solver/resident/plan_on_chip.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "kernels/resident/tiling.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/methods/method.hpp"

namespace perdure {
namespace {

constexpr std::int64_t items = 256;  // of a group

/// Register tiles of an on-chip field: rows and columns that a group computes, and the width of the ring that other groups own.
struct OnChipVariant {
    const char *size;
    std::int64_t columns, rows, ring;
    double step_seconds;  // measured on an H100: tools/results/resident_log.md
};
constexpr OnChipVariant on_chip_variants[][2] = {
    {{"small", 32, 48, 6, 0.33e-6}, {"large", 64, 64, 4, 0.67e-6}},   // float32
    {{"small", 32, 48, 6, 0.44e-6}, {"large", 64, 64, 4, 0.97e-6}}};  // float64
constexpr std::int64_t on_chip_registers = 65536;                     // of a group
constexpr std::int64_t on_chip_shared_bytes = 32768;

/// Wide tiles: kernels/resident/wide_2d.h.
struct WideVariant {
    const char *size;
    std::int64_t rows_of_warp;
    std::int64_t southern_rows_on_chip;     // of varying conductances: kernels/resident/wide_varied_2d.h
    double single_seconds, paired_seconds;  // of a step, with one and with two groups on a multiprocessor
};
constexpr WideVariant wide_variants[][2] = {
    {{"wide_6", 6, 0, 0.89e-6, 1.17e-6}, {"wide_18", 18, 0, 1.72e-6, 2.56e-6}},   // float32
    {{"wide_6", 6, 0, 1.22e-6, 1.75e-6}, {"wide_18", 18, 0, 3.05e-6, 4.70e-6}}};  // float64
constexpr WideVariant wide_varied_variants[][2] = {
    {{"wide_small_varied", 6, 6, 1.12e-6, 1.44e-6}, {"wide_large_varied", 18, 4, 2.80e-6, 3.62e-6}},
    {{"wide_small_varied", 6, 2, 2.16e-6, 2.74e-6}, {"wide_large_varied", 7, 1, 2.47e-6, 3.15e-6}}};
/// Slowdown if rows are not a multiple of four cells.
constexpr double wide_scattered[] = {1.34, 1.18};
constexpr std::int64_t wide_lane = 4;
constexpr std::int64_t warps = ON_CHIP_WARPS;
constexpr std::int64_t wide_columns = 128;
constexpr std::int64_t wide_registers = 32768;  // of a group

/// Boxes in 3D: kernels/resident/box_3d.h. In float64 with varying coefficients a multiprocessor has registers for only one
/// group.
struct BoxVariant {
    const char *size;
    std::int64_t height, depth, items, groups_of_unit;
    double single_seconds, paired_seconds;  // of a step, with one and with two groups on a multiprocessor
};
constexpr BoxVariant plain_boxes[][2] = {
    {{"small", 8, 8, 256, 2, 1.7e-6, 2.4e-6}, {"large", 16, 16, 256, 2, 2.85e-6, 3.80e-6}},   // float32
    {{"small", 8, 8, 256, 2, 2.4e-6, 3.2e-6}, {"large", 16, 16, 128, 2, 4.45e-6, 5.30e-6}}};  // float64
constexpr BoxVariant sourced_boxes[][2] = {
    {{"small_sourced", 8, 8, 256, 2, 1.8e-6, 2.6e-6}, {"large_sourced", 16, 16, 256, 2, 3.1e-6, 4.5e-6}},
    {{"small_sourced", 8, 8, 256, 2, 2.4e-6, 3.4e-6}, {"large_sourced", 16, 16, 128, 2, 6.4e-6, 7.35e-6}}};
constexpr BoxVariant varied_boxes[][2] = {
    {{"small_varied", 8, 8, 256, 2, 2.25e-6, 4.0e-6}, {"large_varied", 16, 16, 256, 2, 7.5e-6, 23.2e-6}},
    {{"small_varied", 8, 8, 256, 1, 3.1e-6, 0.0}, {"large_varied", 16, 16, 256, 1, 10.1e-6, 0.0}}};
constexpr std::int64_t box_columns = 32;

int at(Precision precision) {
    return precision == Precision::float32 ? 0 : 1;
}

/// Returns the size of wide_chip_t (kernels/resident/wide_terms_2d.h) or wide_varied_chip_t (wide_varied_2d.h).
std::int64_t wide_shared_bytes(const WideVariant &variant, bool varied, std::int64_t bytes) {
    constexpr std::int64_t lanes = 256 * 8;  // of each row of reduction lanes
    constexpr std::int64_t rim = 2 * 4 * 256;
    constexpr std::int64_t around_and_layout = 40;
    constexpr std::int64_t tile_and_constants = 144;
    constexpr std::int64_t edges = 2 * warps * 2;
    const std::int64_t rows = variant.rows_of_warp;
    const std::int64_t middle = bytes == 8 && rows > warps ? warps * (rows / 2 - 2) : 1;
    const std::int64_t conductances = warps * (rows + variant.southern_rows_on_chip) + 1;
    const std::int64_t all_rows = edges + (varied ? conductances + 4 : middle + 6);
    return all_rows * wide_columns * bytes + (varied ? 1 : 4) * lanes + rim + around_and_layout +
           2 * (warps + 1) * rows * bytes + tile_and_constants;
}

/// Returns the number of southern conductances of a group that lie in memory.
std::int64_t conductances_in_memory(const WideVariant &variant, bool varied) {
    return varied ? warps * (variant.rows_of_warp - variant.southern_rows_on_chip) * wide_columns : 0;
}

/// Completes a plan. messages: sent in one exchange, each twice the size of a value; computed: cells that a group computes.
void complete(const Config &config, std::int64_t messages, std::int64_t computed, ResidentPlan &plan) {
    const std::int64_t cells = config.grid.cells[0] * config.grid.cells[1] * config.grid.cells[2];
    plan.regime = ResidentRegime::field_on_chip;
    plan.kernel =
        fmt::format("{}_on_chip_{}d_{}", method_of(config).name, config.grid.dimensions, plan.kernel);
    plan.message_bytes = (2 * messages + plan.groups) * 2 * real_bytes(config);
    plan.resident_bytes = cells * real_bytes(config);
    plan.redundancy = static_cast<double>(plan.groups * computed) / static_cast<double>(cells);
}

/// Completes a plan whose tiles have a ring of plan.depth cells.
void complete_tiles(const Config &config, std::int64_t messages, ResidentPlan &plan) {
    plan.group_size = items;
    complete(config, messages, (plan.tile_columns + 2 * plan.depth) * (plan.tile_rows + 2 * plan.depth),
             plan);
}

std::optional<ResidentPlan> plan_register_tiles(const Config &config, const ResidentDevice &device,
                                                const OnChipVariant &variant) {
    ResidentPlan plan;
    plan.tile_columns = variant.columns - 2 * variant.ring;
    plan.tile_rows = variant.rows - 2 * variant.ring;
    const std::int64_t tiles = divided_up(config.grid.cells[0], plan.tile_columns) *
                               divided_up(config.grid.cells[1], plan.tile_rows);
    if (tiles > device.units || device.items_per_unit < items ||
        device.registers_per_unit < on_chip_registers ||
        device.shared_bytes_per_group < on_chip_shared_bytes) {
        return {};
    }
    plan.kernel = variant.size;
    plan.groups = static_cast<int>(tiles);
    plan.depth = static_cast<int>(variant.ring);
    plan.step_seconds = variant.step_seconds;
    complete_tiles(config, config.grid.cells[0] * config.grid.cells[1], plan);  // any cell may be sent
    return plan;
}

bool is_zero(const ValueSource &source) {
    return source.kind == ValueSource::Kind::number && source.number == 0.0;
}

/// Whether sources and sigma occur only at sides and do not change in time. Jacobi also needs uniform coefficients, since its
/// scale varies with them.
bool has_wide_variant(const Config &config) {
    return (expected_uniform(config) || !method_of(config).scales_each_cell) && is_zero(config.sigma) &&
           is_zero(config.f) && !changes_in_time(config);
}

const BoxVariant (&box_variants(const Config &config))[2] {
    const int precision = at(config.execution.precision);
    if (!expected_uniform(config)) {
        return varied_boxes[precision];
    }
    return is_zero(config.sigma) && is_zero(config.f) ? plain_boxes[precision] : sourced_boxes[precision];
}

/// Groups that fit a multiprocessor, at most two: 256 items with 128 registers each, or 128 items with 255.
std::int64_t groups_of_unit(const ResidentDevice &device, std::int64_t shared_bytes) {
    constexpr std::int64_t shared_bytes_of_system = 1024;  // a group
    return std::min(
        {std::int64_t{2},
         (device.shared_bytes_per_group + shared_bytes_of_system) / (shared_bytes + shared_bytes_of_system),
         device.registers_per_unit / wide_registers, device.items_per_unit / items});
}

std::optional<ResidentPlan> plan_wide_tiles(const Config &config, const ResidentDevice &device,
                                            const WideVariant &variant) {
    const std::int64_t nx = config.grid.cells[0];
    const std::int64_t ny = config.grid.cells[1];
    const std::int64_t rows = warps * variant.rows_of_warp;
    const bool periodic_x = is_periodic(config.sides, 0);
    const bool periodic_y = is_periodic(config.sides, 1);
    // No window may reach around the grid or touch both sides of x.
    if (!has_wide_variant(config) || nx <= wide_columns || ny < rows) {
        return {};
    }
    ResidentPlan plan;
    const bool varied = !expected_uniform(config);
    plan.shared_bytes = wide_shared_bytes(variant, varied, real_bytes(config));
    const std::int64_t of_unit = groups_of_unit(device, plan.shared_bytes);
    const std::int64_t tiles =
        wide_tiles_along(nx, periodic_x, wide_columns) * wide_tiles_along(ny, periodic_y, rows);
    if (tiles > of_unit * device.units) {
        return {};
    }
    plan.kernel = variant.size;
    plan.groups = static_cast<int>(tiles);
    plan.depth = WIDE_RING;
    plan.tile_columns = wide_columns - 2 * WIDE_RING;
    plan.tile_rows = rows - 2 * WIDE_RING;
    plan.step_seconds = tiles > device.units ? variant.paired_seconds : variant.single_seconds;
    if (nx % wide_lane != 0) {
        plan.step_seconds *= wide_scattered[at(config.execution.precision)];
    }
    // Two copies of the grid, as much as one message a cell; for each group a line of memory for its flag, and the conductances
    // that it reads in every step.
    constexpr std::int64_t flag_words = 32;
    const std::int64_t messages_of_group = flag_words + conductances_in_memory(variant, varied) / 2;
    complete_tiles(config, divided_up(nx * ny + plan.groups * messages_of_group, 2), plan);
    return plan;
}

/// Returns the size of box_chip_t (kernels/resident/box_cells_3d.h).
std::int64_t box_shared_bytes(const BoxVariant &variant, std::int64_t bytes) {
    constexpr std::int64_t lanes = 4 * 256 * 8;
    constexpr std::int64_t table = 64 * 2;
    constexpr std::int64_t box_and_constants = 320;
    const std::int64_t cells = (variant.depth + 2) * (variant.height + 2) * (box_columns + 16 / bytes);
    return (cells + table) * bytes + lanes + box_and_constants;
}

std::optional<ResidentPlan> plan_boxes(const Config &config, const ResidentDevice &device,
                                       const BoxVariant &variant) {
    const auto &cells = config.grid.cells;
    // All boxes must be full.
    if (changes_in_time(config) || cells[0] < box_columns || cells[1] < variant.height ||
        cells[2] < variant.depth) {
        return {};
    }
    ResidentPlan plan;
    plan.shared_bytes = box_shared_bytes(variant, real_bytes(config));
    const std::int64_t boxes = divided_up(cells[0], box_columns) * divided_up(cells[1], variant.height) *
                               divided_up(cells[2], variant.depth);
    const bool one_fits = device.registers_per_unit >= on_chip_registers || variant.groups_of_unit > 1;
    if (!one_fits ||
        boxes > std::min(variant.groups_of_unit, groups_of_unit(device, plan.shared_bytes)) * device.units) {
        return {};
    }
    plan.kernel = variant.size;
    plan.groups = static_cast<int>(boxes);
    plan.depth = 1;
    plan.tile_columns = box_columns;
    plan.tile_rows = variant.height;
    plan.tile_planes = variant.depth;
    plan.group_size = static_cast<int>(variant.items);
    plan.step_seconds = boxes > device.units ? variant.paired_seconds : variant.single_seconds;
    const std::int64_t messages =
        2 * (variant.height * variant.depth + box_columns * (variant.height + variant.depth));
    complete(config, boxes * messages, box_columns * variant.height * variant.depth, plan);
    return plan;
}

}  // namespace

bool expected_uniform(const Config &config) {
    const auto number = [](const ValueSource &source) { return source.kind == ValueSource::Kind::number; };
    return number(config.a) && number(config.sigma) &&
           std::all_of(config.sides.begin(), config.sides.end(),
                       [&](const SideConfig &side) { return number(side.coefficient); });
}

bool changes_in_time(const Config &config) {
    return !config.f.time_factor.empty() ||
           std::any_of(config.sides.begin(), config.sides.end(),
                       [](const SideConfig &side) { return !side.values.time_factor.empty(); });
}

bool plan_on_chip(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    std::optional<ResidentPlan> best;
    const auto consider = [&](const std::optional<ResidentPlan> &found) {
        const bool as_asked =
            found && (config.execution.groups <= 0 || config.execution.groups == found->groups);
        if (as_asked && (!best || found->step_seconds < best->step_seconds)) {
            best = found;
        }
    };
    if (config.grid.dimensions == 3) {
        for (const BoxVariant &variant : box_variants(config)) {
            consider(plan_boxes(config, device, variant));
        }
    } else {
        for (const OnChipVariant &variant : on_chip_variants[at(config.execution.precision)]) {
            consider(plan_register_tiles(config, device, variant));
        }
        const auto &variants = expected_uniform(config) ? wide_variants : wide_varied_variants;
        for (const WideVariant &variant : variants[at(config.execution.precision)]) {
            consider(plan_wide_tiles(config, device, variant));
        }
    }
    if (best) {
        plan = *best;
    }
    return best.has_value();
}

}  // namespace perdure
