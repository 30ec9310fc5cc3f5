#include "solver/resident/plan_relays.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/resident/tiling.h"
#include "solver/methods/method.hpp"
#include "solver/resident/plan_held.hpp"

namespace perdure {
namespace {

// As kernels/resident has them: relay_rows_2d.h, relay_kernels_2d.h.
constexpr std::int64_t relay_steps = RELAY_STEPS;
constexpr std::int64_t shared_bytes_of_checks = 9728;  // lanes of the checks, what is dealt out, parameters

/// A relay, and the relays of a group.
struct RelayForm {
    std::int64_t lane_columns;
    std::int64_t leg;             // steps of a runner
    std::int64_t rings, rows;     // on the chip: of what the formula needs besides u, and of each
    std::int64_t most_items;      // of a group
    std::int64_t registers;       // of an item
    double tick_seconds;          // of a relay, alone on its multiprocessor; as measured on an H100
    double tick_seconds_of_each;  // more for every relay of the group

    [[nodiscard]] std::int64_t columns() const { return 32 * lane_columns; }
    [[nodiscard]] std::int64_t runners() const { return relay_steps / leg; }
    [[nodiscard]] std::int64_t items() const { return 32 * runners(); }
    [[nodiscard]] std::int64_t shared_bytes(const Config &config) const {
        constexpr std::int64_t ahead = 3;
        const std::int64_t table = rings == 1 ? 1 : 0;
        const std::int64_t all_rows = ahead + 1 + rings * rows + 2 * (runners() - 1) + table;
        return all_rows * columns() * real_bytes(config);
    }
};

/// Lanes have a whole part of every row where it is as wide as a strip, or so many whole ones.
bool has_whole_lanes(const Config &config, std::int64_t lane_columns) {
    const std::int64_t columns = config.grid.cells[0];
    return columns >= 32 * lane_columns || columns % lane_columns == 0;
}

bool is_for_uniform(const Config &config) {
    return expected_uniform(config) && has_whole_lanes(config, 8);
}

RelayForm relay_form(const Config &config) {
    const bool single = config.execution.precision == Precision::float32;
    const bool scales = method_of(config).scales_each_cell;
    if (is_for_uniform(config)) {
        return single ? RelayForm{8, 4, 1, 16, 384, 168, 300.0e-9, 50.0e-9}
                      : RelayForm{8, 4, 1, 16, 256, 255, 450.0e-9, 70.0e-9};
    }
    const std::int64_t rings = scales ? 5 : 4;
    return single ? RelayForm{4, 2, rings, 15, 512, 128, 220.0e-9, 54.0e-9}
                  : RelayForm{4, 2, rings, 15, scales ? 256 : 384, scales ? 255 : 168, 295.0e-9, 72.0e-9};
}

std::int64_t relays_that_fit(const Config &config, const RelayForm &form, const ResidentDevice &device) {
    constexpr std::int64_t unit = 256;  // in which registers are given out to warps
    const std::int64_t registers_a_warp = divided_up(32 * form.registers, unit) * unit;
    return std::min({form.most_items / form.items(), device.items_per_unit / form.items(),
                     device.registers_per_unit / (registers_a_warp * form.runners()),
                     (device.shared_bytes_per_group - shared_bytes_of_checks) / form.shared_bytes(config)});
}

/// Ticks that a range of rows takes beside those that store one: kernels/resident/tiles_2d.h.
std::int64_t rows_beside(const Config &config) {
    return 3 * relay_steps + (config.execution.precision == Precision::float64 ? 22 : 6);
}

/// Sides that are not periodic have something beside them alone where own columns are whole lines of memory.
std::int64_t strips_of(const Config &config, const ResidentPlan &plan) {
    const bool rings = config.sides[0].kind == SideKind::periodic ||
                       (!is_for_uniform(config) && config.execution.precision == Precision::float64);
    return tiles_along(config.grid.cells[0], plan.tile_columns, rings ? 0 : relay_steps);
}

/// Rows of a relay, as kernels/resident/deal.h shares them out, if those at sides took no longer.
std::int64_t rows_of_relay(const Config &config, std::int64_t relays, const ResidentPlan &plan) {
    return divided_up(strips_of(config, plan) * config.grid.cells[1], plan.groups * relays);
}

void describe_relay_tiles(const Config &config, const RelayForm &form, std::int64_t relays,
                          ResidentPlan &plan) {
    const std::int64_t nx = config.grid.cells[0];
    const std::int64_t ny = config.grid.cells[1];
    plan.tile_columns = form.columns() - 2 * relay_steps;
    plan.tile_rows = std::min(rows_of_relay(config, relays, plan), ny);
    const std::int64_t strips = strips_of(config, plan);
    const std::int64_t ranges = std::max(strips, plan.groups * relays);  // as near as that goes
    // A runner leaves out the rows that only relay_steps before its own need.
    plan.redundancy = static_cast<double>(form.columns() * (strips * ny + ranges * relay_steps)) /
                      (static_cast<double>(nx) * static_cast<double>(ny));
}

/// Sources that change from step to step, narrow rows of which no lane has a whole part, and grids that take long to deal out leave
/// all steps to the phases.
bool marches(const Config &config, const RelayForm &form, const ResidentPlan &plan) {
    const std::int64_t rows = config.grid.cells[1];
    const std::int64_t strips = strips_of(config, plan);
    const std::int64_t stretches = 3 * strips;  // as near as that goes
    return !changes_in_time(config) && has_whole_lanes(config, form.lane_columns) &&
           can_be_dealt_out(rows, strips, stretches);
}

/// Ticks of a relay, and what lies between two passes.
double predict_relays(const Config &config, const RelayForm &form, const ResidentPlan &plan,
                      std::int64_t relays) {
    constexpr double pass_seconds = 5.0e-6;
    const std::int64_t rows = rows_of_relay(config, relays, plan);
    const std::int64_t ranges = divided_up(rows, plan.tile_rows);
    const auto ticks = static_cast<double>(rows + ranges * rows_beside(config));
    const double tick = form.tick_seconds + form.tick_seconds_of_each * static_cast<double>(relays);
    return (ticks * tick + pass_seconds) / static_cast<double>(relay_steps);
}

}  // namespace

void plan_relays(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    const RelayForm form = relay_form(config);
    const std::int64_t relays = relays_that_fit(config, form, device);
    if (relays < 1 || device.units < 1) {
        plan.refused = fmt::format(
            "{} warps of the kernel need {} registers each and together {} bytes of shared memory, one of {} "
            "multiprocessors has {} registers and {} bytes",
            form.runners(), 32 * form.registers, form.shared_bytes(config) + shared_bytes_of_checks,
            device.units, device.registers_per_unit, device.shared_bytes_per_group);
        return;
    }
    const Method &method = method_of(config);
    const char *form_name = is_for_uniform(config) ? "" : "_varied";
    plan.kernel = fmt::format("{}_streamed_2d{}", method.name, form_name);
    plan.groups = device.units;
    plan.group_size = static_cast<int>(relays * form.items());
    plan.shared_bytes = relays * form.shared_bytes(config);
    plan.depth = static_cast<int>(relay_steps);
    plan.warps_of_tile = static_cast<int>(form.runners());
    if (!expected_uniform(config)) {
        plan.fields_read = method.scales_each_cell ? 4 : 3;  // u and conductances; 1/D
    }
    describe_relay_tiles(config, form, relays, plan);
    if (marches(config, form, plan)) {
        plan.step_seconds = predict_relays(config, form, plan, relays);
    } else {
        plan.depth = 1;
    }
}

}  // namespace perdure
