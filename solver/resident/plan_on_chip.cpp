#include "solver/resident/plan_on_chip.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "kernels/resident/box_shape_3d.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/methods/method.hpp"
#include "solver/resident/wide_variants.hpp"
#include "sync/step_flags.h"

namespace perdure {
namespace {

constexpr std::int64_t items = ON_CHIP_ITEMS;  // of a group

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

/// Slowdown if rows are not a multiple of four cells.
constexpr double wide_scattered[] = {1.34, 1.18};
constexpr std::int64_t warps = ON_CHIP_WARPS;
constexpr std::int64_t wide_columns = STRIP_COLUMNS;
constexpr std::int64_t wide_registers = 32768;  // of a group

/// Boxes in 3D: kernels/resident/box_3d.h. In float64 with varying coefficients a multiprocessor has registers for only one
/// group.
struct BoxVariant {
    const char *size;
    std::int64_t height, depth, items, groups_of_unit, shared_bytes;
    double single_seconds, paired_seconds;  // of a step, with one and with two groups on a multiprocessor
};
template <typename Real, typename Box>
constexpr BoxVariant box_variant(const char *size, std::int64_t groups_of_unit, double single_seconds,
                                 double paired_seconds) {
    return {size,           Box::height,    Box::depth,
            Box::items,     groups_of_unit, sizeof(box_arrays_t<Real, Box::cells>) + BOX_CONSTANT_BYTES,
            single_seconds, paired_seconds};
}
template <typename Real, bool VARIED>
constexpr std::array<BoxVariant, 2> two_boxes(const char *small, const char *large,
                                              std::array<double, 4> seconds) {
    constexpr std::int64_t groups_of_unit = VARIED && sizeof(Real) == 8 ? 1 : 2;
    return {box_variant<Real, small_box<Real>>(small, groups_of_unit, seconds[0], seconds[1]),
            box_variant<Real, large_box<Real, VARIED>>(large, groups_of_unit, seconds[2], seconds[3])};
}
constexpr std::array<BoxVariant, 2> plain_boxes[] = {
    two_boxes<float, false>("small", "large", {1.7e-6, 2.4e-6, 2.85e-6, 3.80e-6}),
    two_boxes<double, false>("small", "large", {2.4e-6, 3.2e-6, 4.45e-6, 5.30e-6})};
constexpr std::array<BoxVariant, 2> sourced_boxes[] = {
    two_boxes<float, false>("small_sourced", "large_sourced", {1.8e-6, 2.6e-6, 3.1e-6, 4.5e-6}),
    two_boxes<double, false>("small_sourced", "large_sourced", {2.4e-6, 3.4e-6, 6.4e-6, 7.35e-6})};
constexpr std::array<BoxVariant, 2> varied_boxes[] = {
    two_boxes<float, true>("small_varied", "large_varied", {2.25e-6, 4.0e-6, 7.5e-6, 23.2e-6}),
    two_boxes<double, true>("small_varied", "large_varied", {3.1e-6, 0.0, 10.1e-6, 0.0})};
constexpr std::int64_t box_columns = BOX_COLUMNS;

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

const std::array<BoxVariant, 2> &box_variants(const Config &config) {
    const int precision = at(config.execution.precision);
    if (!expected_uniform(config)) {
        return varied_boxes[precision];
    }
    return has_terms_inside(config) ? sourced_boxes[precision] : plain_boxes[precision];
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
    if (nx <= wide_columns || ny < rows) {
        return {};
    }
    ResidentPlan plan;
    plan.shared_bytes = variant.shared_bytes;
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
    if (nx % COLUMNS != 0) {
        plan.step_seconds *= wide_scattered[at(config.execution.precision)];
    }
    // Two copies of the grid, as much as one message a cell; for each group a line of memory for its flag, and the conductances
    // or sources that it reads in every step.
    const std::int64_t messages_of_group = STEP_FLAG_WORDS + variant.values_in_memory / 2;
    complete_tiles(config, divided_up(nx * ny + plan.groups * messages_of_group, 2), plan);
    return plan;
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
    plan.shared_bytes = variant.shared_bytes;
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

int at(Precision precision) {
    return precision == Precision::float32 ? 0 : 1;
}

bool is_zero(const ValueSource &source) {
    return source.kind == ValueSource::Kind::number && source.number == 0.0;
}

bool has_terms_inside(const Config &config) {
    return !is_zero(config.sigma) || !is_zero(config.f);
}

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
        for (const WideVariant &variant : wide_variants_of(config)) {
            consider(plan_wide_tiles(config, device, variant));
        }
    }
    if (best) {
        plan = *best;
    }
    return best.has_value();
}

}  // namespace perdure
