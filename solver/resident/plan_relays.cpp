#include "solver/resident/plan_relays.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/resident/dealt_out.hpp"
#include "solver/resident/divided_up.hpp"
#include "solver/resident/plan_held.hpp"

namespace perdure {
namespace {

// As kernels/resident has them: row.h, relay_rows_2d.h, relay_kernels_2d.h.
constexpr std::int64_t relay_columns = 128;
constexpr std::int64_t relay_steps = 8;
constexpr std::int64_t columns_of_lane = 4;
constexpr std::int64_t shared_bytes_of_checks = 9728;  // lanes of the checks, what is dealt out, parameters

/// A relay, and the relays of a group.
struct RelayForm {
    std::int64_t leg;             // steps of a runner
    std::int64_t rings, rows;     // on the chip: of what the formula needs besides u, and of each
    std::int64_t most_items;      // of a group
    std::int64_t registers;       // of an item
    double tick_seconds;          // of a relay, alone on its multiprocessor; as measured on an H100
    double tick_seconds_of_each;  // more for every relay of the group

    [[nodiscard]] std::int64_t runners() const { return relay_steps / leg; }
    [[nodiscard]] std::int64_t items() const { return 32 * runners(); }
    [[nodiscard]] std::int64_t shared_bytes(const Config &config) const {
        constexpr std::int64_t ahead = 3;
        const std::int64_t table = rings == 1 ? 1 : 0;
        const std::int64_t all_rows = ahead + 1 + rings * rows + 2 * (runners() - 1) + table;
        return all_rows * relay_columns * real_bytes(config);
    }
};

RelayForm relay_form(const Config &config) {
    const bool single = config.execution.precision == Precision::float32;
    const bool heat = config.type == ProblemType::heat;
    if (expected_uniform(config)) {
        return single ? RelayForm{4, 1, 16, 640, 96, 370.0e-9, 16.0e-9}
                      : RelayForm{2, 1, 16, 512, 128, 225.0e-9, 50.0e-9};
    }
    const std::int64_t rings = heat ? 4 : 5;
    return single ? RelayForm{2, rings, 15, 512, 128, 220.0e-9, 54.0e-9}
                  : RelayForm{2, rings, 15, heat ? 384 : 256, heat ? 168 : 255, 295.0e-9, 72.0e-9};
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

/// Sides that are not periodic have nothing beside them in float32.
std::int64_t strips_of(const Config &config, const ResidentPlan &plan) {
    const std::int64_t ring = config.execution.precision == Precision::float64 ? 0 : relay_steps;
    return tiles_along(config.grid.cells[0], config.sides[0], plan.tile_columns, ring);
}

/// Rows of a relay, as kernels/resident/deal.h shares them out, if those at sides took no longer.
std::int64_t rows_of_relay(const Config &config, std::int64_t relays, const ResidentPlan &plan) {
    return divided_up(strips_of(config, plan) * config.grid.cells[1], plan.groups * relays);
}

void describe_relay_tiles(const Config &config, std::int64_t relays, ResidentPlan &plan) {
    const std::int64_t nx = config.grid.cells[0];
    const std::int64_t ny = config.grid.cells[1];
    plan.tile_columns = relay_columns - 2 * relay_steps;
    plan.tile_rows = std::min(rows_of_relay(config, relays, plan), ny);
    const std::int64_t strips = strips_of(config, plan);
    const std::int64_t ranges = std::max(strips, plan.groups * relays);  // as near as that goes
    // A runner leaves out the rows that only relay_steps before its own need.
    plan.redundancy = static_cast<double>(relay_columns * (strips * ny + ranges * relay_steps)) /
                      (static_cast<double>(nx) * static_cast<double>(ny));
}

/// Sources that change from step to step, narrow rows of which no lane has a whole part, and grids that take long to deal out leave
/// all steps to the phases.
bool marches(const Config &config, const ResidentPlan &plan) {
    const std::int64_t columns = config.grid.cells[0], rows = config.grid.cells[1];
    const bool lanes_are_whole = columns >= relay_columns || columns % columns_of_lane == 0;
    const std::int64_t strips = strips_of(config, plan);
    const std::int64_t stretches = 3 * strips;  // as near as that goes
    return !changes_in_time(config) && lanes_are_whole && can_be_dealt_out(rows, strips, stretches);
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
    const bool heat = config.type == ProblemType::heat, uniform = expected_uniform(config);
    plan.kernel = fmt::format("{}_streamed_2d{}", heat ? "heat" : "jacobi", uniform ? "" : "_varied");
    plan.groups = device.units;
    plan.group_size = static_cast<int>(relays * form.items());
    plan.shared_bytes = relays * form.shared_bytes(config);
    plan.depth = static_cast<int>(relay_steps);
    plan.warps_of_tile = static_cast<int>(form.runners());
    if (!uniform) {
        plan.fields_read = heat ? 3 : 4;  // u and conductances; 1/D
    }
    describe_relay_tiles(config, relays, plan);
    if (marches(config, plan)) {
        plan.step_seconds = predict_relays(config, form, plan, relays);
    } else {
        plan.depth = 1;
    }
}

}  // namespace perdure
