#include "solver/resident/plan_held.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "kernels/resident/tiling.h"
#include "solver/methods/method.hpp"

namespace perdure {
namespace {

constexpr std::int64_t items = 256;  // of a group

/// Tiles of a held field: rows and columns that a group computes, and the ring of them that others own.
struct HeldForm {
    const char *size;
    std::int64_t columns, rows, ring;
    double step_seconds;  // measured on an H100: kernels/resident/README.md
};
constexpr HeldForm held_forms[][2] = {
    {{"small", 32, 48, 6, 0.33e-6}, {"large", 64, 64, 4, 0.67e-6}},   // float32
    {{"small", 32, 48, 6, 0.44e-6}, {"large", 64, 64, 4, 0.97e-6}}};  // float64
constexpr std::int64_t held_registers = 65536;                        // of a group
constexpr std::int64_t held_shared_bytes = 32768;

/// Wide tiles: kernels/resident/held_wide_2d.h.
struct WideForm {
    const char *size;
    std::int64_t rows_of_warp;
    std::int64_t southern_rows_on_chip;  // of conductances that vary: kernels/resident/held_wide_varied_2d.h
    double alone_seconds, paired_seconds;  // of a step, with one and with two groups a multiprocessor
};
constexpr WideForm wide_forms[][2] = {
    {{"wide_6", 6, 0, 0.89e-6, 1.17e-6}, {"wide_18", 18, 0, 1.72e-6, 2.56e-6}},   // float32
    {{"wide_6", 6, 0, 1.22e-6, 1.75e-6}, {"wide_18", 18, 0, 3.05e-6, 4.70e-6}}};  // float64
constexpr WideForm wide_varied_forms[][2] = {
    {{"wide_small_varied", 6, 6, 1.12e-6, 1.44e-6}, {"wide_large_varied", 18, 4, 2.80e-6, 3.62e-6}},
    {{"wide_small_varied", 6, 2, 2.16e-6, 2.74e-6}, {"wide_large_varied", 7, 1, 2.47e-6, 3.15e-6}}};
/// Times as long where rows are no whole lanes of four cells.
constexpr double wide_scattered[] = {1.34, 1.18};
constexpr std::int64_t wide_lane = 4;
constexpr std::int64_t warps = HELD_WARPS;
constexpr std::int64_t wide_columns = 128;
constexpr std::int64_t wide_registers = 32768;  // of a group

/// Boxes in three dimensions: kernels/resident/held_box_3d.h. With float64 and coefficients that vary a multiprocessor has
/// registers for one group alone.
struct BoxForm {
    const char *size;
    std::int64_t height, depth, items, groups_of_unit;
    double alone_seconds, paired_seconds;  // of a step, with one and with two groups a multiprocessor
};
constexpr BoxForm plain_boxes[][2] = {
    {{"small", 8, 8, 256, 2, 1.7e-6, 2.4e-6}, {"large", 16, 16, 256, 2, 2.85e-6, 3.80e-6}},   // float32
    {{"small", 8, 8, 256, 2, 2.4e-6, 3.2e-6}, {"large", 16, 16, 128, 2, 4.45e-6, 5.30e-6}}};  // float64
constexpr BoxForm sourced_boxes[][2] = {
    {{"small_sourced", 8, 8, 256, 2, 1.8e-6, 2.6e-6}, {"large_sourced", 16, 16, 256, 2, 3.1e-6, 4.5e-6}},
    {{"small_sourced", 8, 8, 256, 2, 2.4e-6, 3.4e-6}, {"large_sourced", 16, 16, 128, 2, 6.4e-6, 7.35e-6}}};
constexpr BoxForm varied_boxes[][2] = {
    {{"small_varied", 8, 8, 256, 2, 2.25e-6, 4.0e-6}, {"large_varied", 16, 16, 256, 2, 7.5e-6, 23.2e-6}},
    {{"small_varied", 8, 8, 256, 1, 3.1e-6, 0.0}, {"large_varied", 16, 16, 256, 1, 10.1e-6, 0.0}}};
constexpr std::int64_t box_columns = 32;

int at(Precision precision) {
    return precision == Precision::float32 ? 0 : 1;
}

/// The wide_chip_t of kernels/resident/held_wide_terms_2d.h or the wide_varied_chip_t of held_wide_varied_2d.h.
std::int64_t wide_shared_bytes(const WideForm &form, bool varied, std::int64_t bytes) {
    constexpr std::int64_t lanes = 256 * 8;  // of each row of them
    constexpr std::int64_t rim = 2 * 4 * 256;
    constexpr std::int64_t around_and_layout = 40;
    constexpr std::int64_t tile_and_constants = 144;
    constexpr std::int64_t edges = 2 * warps * 2;
    const std::int64_t rows = form.rows_of_warp;
    const std::int64_t middle = bytes == 8 && rows > warps ? warps * (rows / 2 - 2) : 1;
    const std::int64_t conductances = warps * (rows + form.southern_rows_on_chip) + 1;
    const std::int64_t all_rows = edges + (varied ? conductances + 4 : middle + 6);
    return all_rows * wide_columns * bytes + (varied ? 1 : 4) * lanes + rim + around_and_layout +
           2 * (warps + 1) * rows * bytes + tile_and_constants;
}

/// Real values of southern conductances that lie in memory.
std::int64_t conductances_beside(const WideForm &form, bool varied) {
    return varied ? warps * (form.rows_of_warp - form.southern_rows_on_chip) * wide_columns : 0;
}

/// `words`: that pass in an exchange, each twice a value's size. `computed`: cells that a group computes.
void complete(const Config &config, std::int64_t words, std::int64_t computed, ResidentPlan &plan) {
    const std::int64_t cells = config.grid.cells[0] * config.grid.cells[1] * config.grid.cells[2];
    plan.regime = ResidentRegime::held;
    plan.kernel = fmt::format("{}_held_{}d_{}", method_of(config).name, config.grid.dimensions, plan.kernel);
    plan.word_bytes = (2 * words + plan.groups) * 2 * real_bytes(config);
    plan.resident_bytes = cells * real_bytes(config);
    plan.redundancy = static_cast<double>(plan.groups * computed) / static_cast<double>(cells);
}

/// Tiles have a ring of plan.depth cells.
void complete_tiles(const Config &config, std::int64_t words, ResidentPlan &plan) {
    plan.group_size = items;
    complete(config, words, (plan.tile_columns + 2 * plan.depth) * (plan.tile_rows + 2 * plan.depth), plan);
}

std::optional<ResidentPlan> hold(const Config &config, const ResidentDevice &device, const HeldForm &form) {
    ResidentPlan plan;
    plan.tile_columns = form.columns - 2 * form.ring;
    plan.tile_rows = form.rows - 2 * form.ring;
    const std::int64_t tiles = divided_up(config.grid.cells[0], plan.tile_columns) *
                               divided_up(config.grid.cells[1], plan.tile_rows);
    if (tiles > device.units || device.items_per_unit < items || device.registers_per_unit < held_registers ||
        device.shared_bytes_per_group < held_shared_bytes) {
        return {};
    }
    plan.kernel = form.size;
    plan.groups = static_cast<int>(tiles);
    plan.depth = static_cast<int>(form.ring);
    plan.step_seconds = form.step_seconds;
    complete_tiles(config, config.grid.cells[0] * config.grid.cells[1], plan);  // any cell may be a word
    return plan;
}

bool is_zero(const ValueSource &source) {
    return source.kind == ValueSource::Kind::number && source.number == 0.0;
}

/// Sources and sigma at sides alone, and not changing in time. Where coefficients vary, so do the steps of Jacobi.
bool has_wide_form(const Config &config) {
    return (expected_uniform(config) || !method_of(config).scales_each_cell) && is_zero(config.sigma) &&
           is_zero(config.f) && !changes_in_time(config);
}

const BoxForm (&box_forms(const Config &config))[2] {
    const int precision = at(config.execution.precision);
    if (!expected_uniform(config)) {
        return varied_boxes[precision];
    }
    return is_zero(config.sigma) && is_zero(config.f) ? plain_boxes[precision] : sourced_boxes[precision];
}

/// Of 256 items and 128 registers an item, or 128 and 255: two at most.
std::int64_t groups_of_unit(const ResidentDevice &device, std::int64_t shared_bytes) {
    constexpr std::int64_t shared_bytes_of_system = 1024;  // a group
    return std::min(
        {std::int64_t{2},
         (device.shared_bytes_per_group + shared_bytes_of_system) / (shared_bytes + shared_bytes_of_system),
         device.registers_per_unit / wide_registers, device.items_per_unit / items});
}

std::optional<ResidentPlan> hold_wide(const Config &config, const ResidentDevice &device,
                                      const WideForm &form) {
    const std::int64_t nx = config.grid.cells[0];
    const std::int64_t ny = config.grid.cells[1];
    const std::int64_t rows = warps * form.rows_of_warp;
    const bool periodic_x = config.sides[0].kind == SideKind::periodic;
    const bool periodic_y = config.sides[2].kind == SideKind::periodic;
    // No window reaches around the grid or touches both sides of x.
    if (!has_wide_form(config) || nx <= wide_columns || ny < rows) {
        return {};
    }
    ResidentPlan plan;
    const bool varied = !expected_uniform(config);
    plan.shared_bytes = wide_shared_bytes(form, varied, real_bytes(config));
    const std::int64_t of_unit = groups_of_unit(device, plan.shared_bytes);
    const std::int64_t tiles =
        wide_tiles_along(nx, periodic_x, wide_columns) * wide_tiles_along(ny, periodic_y, rows);
    if (tiles > of_unit * device.units) {
        return {};
    }
    plan.kernel = form.size;
    plan.groups = static_cast<int>(tiles);
    plan.depth = WIDE_RING;
    plan.tile_columns = wide_columns - 2 * WIDE_RING;
    plan.tile_rows = rows - 2 * WIDE_RING;
    plan.step_seconds = tiles > device.units ? form.paired_seconds : form.alone_seconds;
    if (nx % wide_lane != 0) {
        plan.step_seconds *= wide_scattered[at(config.execution.precision)];
    }
    // Two copies of the grid, as long as a word a cell, a line of memory for the flag of each group and what is read in every step.
    constexpr std::int64_t flag_words = 32;
    const std::int64_t words_of_group = flag_words + conductances_beside(form, varied) / 2;
    complete_tiles(config, divided_up(nx * ny + plan.groups * words_of_group, 2), plan);
    return plan;
}

/// The box_chip_t of kernels/resident/held_box_field_3d.h.
std::int64_t box_shared_bytes(const BoxForm &form, std::int64_t bytes) {
    constexpr std::int64_t lanes = 4 * 256 * 8;
    constexpr std::int64_t table = 64 * 2;
    constexpr std::int64_t box_and_constants = 320;
    const std::int64_t cells = (form.depth + 2) * (form.height + 2) * (box_columns + 16 / bytes);
    return (cells + table) * bytes + lanes + box_and_constants;
}

std::optional<ResidentPlan> hold_boxes(const Config &config, const ResidentDevice &device,
                                       const BoxForm &form) {
    const auto &cells = config.grid.cells;
    // All boxes are full.
    if (changes_in_time(config) || cells[0] < box_columns || cells[1] < form.height ||
        cells[2] < form.depth) {
        return {};
    }
    ResidentPlan plan;
    plan.shared_bytes = box_shared_bytes(form, real_bytes(config));
    const std::int64_t boxes = divided_up(cells[0], box_columns) * divided_up(cells[1], form.height) *
                               divided_up(cells[2], form.depth);
    const bool one_fits = device.registers_per_unit >= held_registers || form.groups_of_unit > 1;
    if (!one_fits ||
        boxes > std::min(form.groups_of_unit, groups_of_unit(device, plan.shared_bytes)) * device.units) {
        return {};
    }
    plan.kernel = form.size;
    plan.groups = static_cast<int>(boxes);
    plan.depth = 1;
    plan.tile_columns = box_columns;
    plan.tile_rows = form.height;
    plan.tile_planes = form.depth;
    plan.group_size = static_cast<int>(form.items);
    plan.step_seconds = boxes > device.units ? form.paired_seconds : form.alone_seconds;
    const std::int64_t words = 2 * (form.height * form.depth + box_columns * (form.height + form.depth));
    complete(config, boxes * words, box_columns * form.height * form.depth, plan);
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

bool hold_field(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    std::optional<ResidentPlan> best;
    const auto consider = [&](const std::optional<ResidentPlan> &found) {
        const bool as_asked =
            found && (config.execution.groups <= 0 || config.execution.groups == found->groups);
        if (as_asked && (!best || found->step_seconds < best->step_seconds)) {
            best = found;
        }
    };
    if (config.grid.dimensions == 3) {
        for (const BoxForm &form : box_forms(config)) {
            consider(hold_boxes(config, device, form));
        }
    } else {
        for (const HeldForm &form : held_forms[at(config.execution.precision)]) {
            consider(hold(config, device, form));
        }
        const auto &forms = expected_uniform(config) ? wide_forms : wide_varied_forms;
        for (const WideForm &form : forms[at(config.execution.precision)]) {
            consider(hold_wide(config, device, form));
        }
    }
    if (best) {
        plan = *best;
    }
    return best.has_value();
}

}  // namespace perdure
