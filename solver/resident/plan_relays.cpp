#include "solver/resident/plan_relays.hpp"

#include <algorithm>

#include "solver/resident/plan_held.hpp"

namespace perdure {
namespace {

// As kernels/resident has them: row.h, relay_rows_2d.h, relay_kernels_2d.h.
constexpr std::int64_t relay_columns = 128;
constexpr std::int64_t relay_leg = 2;
constexpr std::int64_t relay_runners = 4;
constexpr std::int64_t relay_items = 32 * relay_runners;
constexpr std::int64_t relay_steps = relay_leg * relay_runners;
constexpr std::int64_t shared_bytes_of_checks = 9216;  // lanes of the checks

struct RelayBounds {
    std::int64_t items;
    std::int64_t registers;
};

RelayBounds relay_bounds(const Config &config) {
    if (config.execution.precision == Precision::float32) {
        return {512, 128};
    }
    return config.type == ProblemType::heat ? RelayBounds{384, 168} : RelayBounds{256, 255};
}

/// The relay_chip_t of kernels/resident/relay_rows_2d.h.
std::int64_t shared_bytes_of_relay(const Config &config) {
    constexpr std::int64_t ahead = 3;
    constexpr std::int64_t ring = (relay_runners - 1) * (relay_leg + 1) + relay_leg + ahead + 1;
    constexpr std::int64_t handed = 2 * (relay_runners - 1);
    const std::int64_t rings = config.type == ProblemType::heat ? 4 : 5;
    return (ahead + rings * ring + handed) * relay_columns * real_bytes(config);
}

std::int64_t relays_that_fit(const Config &config, const ResidentDevice &device) {
    constexpr std::int64_t unit = 256;  // in which registers are given out to warps
    const RelayBounds bounds = relay_bounds(config);
    const std::int64_t registers_a_warp = (32 * bounds.registers + unit - 1) / unit * unit;
    return std::min(
        {bounds.items / relay_items, device.items_per_unit / relay_items,
         device.registers_per_unit / (registers_a_warp * relay_runners),
         (device.shared_bytes_per_group - shared_bytes_of_checks) / shared_bytes_of_relay(config)});
}

std::int64_t rounded_up_quotient(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// The cut of kernels/resident/tiles_2d.h, as if tiles at sides took no longer.
void cut_into_relay_tiles(const Config &config, std::int64_t relays, ResidentPlan &plan) {
    const std::int64_t nx = config.grid.cells[0];
    const std::int64_t ny = config.grid.cells[1];
    plan.tile_columns = relay_columns - 2 * relay_steps;
    const std::int64_t strips = rounded_up_quotient(nx, plan.tile_columns);
    plan.tile_rows = rounded_up_quotient(ny, std::max<std::int64_t>(1, plan.groups * relays / strips));
    const std::int64_t segments = rounded_up_quotient(ny, plan.tile_rows);
    // A runner leaves out the rows that only relay_steps before its own need.
    plan.redundancy =
        static_cast<double>(strips * relay_columns * segments * (plan.tile_rows + relay_steps)) /
        (static_cast<double>(nx) * static_cast<double>(ny));
}

/// Rows that a relay marches through, at what one was measured to take on an H100 (kernels/resident/README.md), and a grid barrier.
double predict_relays(const Config &config, const ResidentPlan &plan, std::int64_t relays) {
    constexpr double clock = 1.755e9;
    constexpr double barrier_seconds = 1.2e-6;
    const bool single = config.execution.precision == Precision::float32;
    const double cycles_of_row =
        single ? 500.0 + 135.0 * static_cast<double>(relays) : 700.0 + 180.0 * static_cast<double>(relays);
    const auto rows = static_cast<double>(plan.tile_rows + 2 * relay_steps);
    return (rows * cycles_of_row / clock + barrier_seconds) / static_cast<double>(relay_steps);
}

}  // namespace

bool plan_relays(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    const std::int64_t relays = relays_that_fit(config, device);
    if (config.grid.dimensions != 2 || expected_uniform(config) || changes_in_time(config) || relays < 1 ||
        device.units < 1) {
        return false;
    }
    plan.kernel = config.type == ProblemType::heat ? "heat_relayed_2d" : "jacobi_relayed_2d";
    plan.groups = device.units;
    plan.group_size = static_cast<int>(relays * relay_items);
    plan.shared_bytes = relays * shared_bytes_of_relay(config);
    plan.depth = static_cast<int>(relay_steps);
    plan.warps_of_tile = static_cast<int>(relay_runners);
    plan.fields_read = config.type == ProblemType::heat ? 3 : 4;  // u and conductances; 1/D
    cut_into_relay_tiles(config, relays, plan);
    plan.step_seconds = predict_relays(config, plan, relays);
    return true;
}

}  // namespace perdure
