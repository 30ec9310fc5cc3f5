#include "solver/resident/plan_system_tiles.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/resident/tiling.h"
#include "kernels/run.h"
#include "kernels/system_fields.h"
#include "solver/case_file/config.hpp"
#include "solver/systems/arrange.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

constexpr std::array fields_of_tiles{RUN_KERNEL_FIELDS(SYSTEM_OWN_FIELDS)};

/// What a tile holds and computes.
struct TiledSystem {
    std::int64_t fields, reach_x, reach_y, real_bytes;
    std::int64_t numbers;     // parameters
    std::int64_t operations;  // of a cell and step
    std::int64_t nx, ny;
};

constexpr std::int64_t most_operations = 150;

struct TileShape {
    std::int64_t warps, band, steps;
    [[nodiscard]] std::int64_t rows() const { return warps * band; }
};

/// Beside the tile: lanes of reductions, parameters.
std::int64_t shared_bytes_beside(const TiledSystem &system) {
    return static_cast<std::int64_t>(LANE_ROWS * LANES * sizeof(sum_t)) + system.numbers * system.real_bytes +
           64;
}

std::int64_t shared_bytes(const TiledSystem &system, const TileShape &shape) {
    return shape.rows() * system.fields * STRIP_COLUMNS * system.real_bytes;
}

/// Of an item: the rows around a row, those beyond a band, parameters, and what is computed in between.
std::int64_t registers(const TiledSystem &system) {
    constexpr std::int64_t others = 40;
    const std::int64_t window = (2 * system.reach_y + 1) * (COLUMNS + system.reach_x);
    const std::int64_t values =
        system.fields * (window + system.reach_y * COLUMNS) + std::min<std::int64_t>(system.numbers, 12);
    return values * (system.real_bytes / 4) + others;
}

struct TilePlan {
    TileShape shape{};
    std::int64_t along_x = 0, along_y = 0, groups = 0;
    double step_seconds = 0.0;
};

/// Measured on an H100: a row of a tile of Gray and Scott's equations takes 30 ns a step in float64 and 17 ns in float32; a barrier with
/// what a pass begins and ends with 1.8 us; tiles that do not stay on the chip are copied and stored at 20 GB/s.
TilePlan plan_of_shape(const TiledSystem &system, const TileShape &shape, std::int64_t units) {
    TilePlan plan{shape};
    plan.along_x = divided_up(system.nx, STRIP_COLUMNS - 2 * shape.steps * system.reach_x);
    plan.along_y = divided_up(system.ny, shape.rows() - 2 * shape.steps * system.reach_y);
    const std::int64_t tiles = plan.along_x * plan.along_y;
    plan.groups = std::min(tiles, units);
    const auto rounds = static_cast<double>(divided_up(tiles, plan.groups));
    const double operation_seconds = system.real_bytes == 8 ? 0.9e-9 : 0.5e-9;
    const double row_seconds = static_cast<double>(system.operations) * operation_seconds;
    // Few warps hide less of what they wait for, and those at bands of few rows read more rows of others.
    const double waiting =
        shape.warps == 8 ? 1.05
                         : 1.0 + 0.3 * static_cast<double>(system.reach_y) / static_cast<double>(shape.band);
    const double tile_seconds = static_cast<double>(shape.rows()) * row_seconds * waiting;
    const double copy_seconds =
        rounds > 1.0 ? static_cast<double>(shared_bytes(system, shape)) / 20.0e9 : 0.0;
    constexpr double pass_seconds = 1.8e-6;
    plan.step_seconds = rounds * (tile_seconds + copy_seconds / static_cast<double>(shape.steps)) +
                        pass_seconds / static_cast<double>(shape.steps);
    return plan;
}

bool fits(const TiledSystem &system, const TileShape &shape, const ResidentDevice &device) {
    const std::int64_t items = 32 * shape.warps;
    return shape.band >= system.reach_y && shape.rows() <= system.ny &&
           2 * shape.steps * std::max(system.reach_x, std::int64_t{1}) < STRIP_COLUMNS / 2 &&
           2 * shape.steps * system.reach_y < shape.rows() && items <= device.items_per_unit &&
           items * registers(system) <= device.registers_per_unit &&
           shared_bytes(system, shape) + shared_bytes_beside(system) <= device.shared_bytes_per_group;
}

TilePlan best_plan(const TiledSystem &system, const ResidentDevice &device) {
    TilePlan best;
    for (const std::int64_t warps : {8, 12, 16}) {
        for (std::int64_t band = 2; band <= 12; ++band) {
            for (const std::int64_t steps : {2, 3, 4, 6, 8, 10, 12}) {
                const TileShape shape{warps, band, steps};
                if (!fits(system, shape, device)) {
                    continue;
                }
                const TilePlan plan = plan_of_shape(system, shape, device.units);
                if (best.groups == 0 || plan.step_seconds < best.step_seconds) {
                    best = plan;
                }
            }
        }
    }
    return best;
}

bool is_periodic_everywhere(const systems::System &system) {
    return std::all_of(system.sides_of.begin(), system.sides_of.end(), [](const auto &sides) {
        return std::all_of(sides.begin(), sides.begin() + 4, [](const systems::SystemSideTerms &side) {
            return side.kind == SideKind::periodic;
        });
    });
}

/// In sums and products that take as long.
std::int64_t operations_of(systems::Operation operation) {
    switch (operation) {
        case systems::Operation::DIVIDE:
        case systems::Operation::SQUARE_ROOT:
            return 12;
        case systems::Operation::RANDOM:
        case systems::Operation::EXPONENTIAL:
        case systems::Operation::LOGARITHM:
        case systems::Operation::LOGARITHM_2:
        case systems::Operation::LOGARITHM_10:
        case systems::Operation::SINE:
        case systems::Operation::COSINE:
        case systems::Operation::TANGENT:
        case systems::Operation::ARC_SINE:
        case systems::Operation::ARC_COSINE:
        case systems::Operation::ARC_TANGENT:
        case systems::Operation::ARC_TANGENT_2:
        case systems::Operation::HYPERBOLIC_SINE:
        case systems::Operation::HYPERBOLIC_COSINE:
        case systems::Operation::HYPERBOLIC_TANGENT:
        case systems::Operation::INVERSE_HYPERBOLIC_SINE:
        case systems::Operation::INVERSE_HYPERBOLIC_COSINE:
        case systems::Operation::INVERSE_HYPERBOLIC_TANGENT:
        case systems::Operation::ERROR_FUNCTION:
        case systems::Operation::POWER:
            return 30;
        default:
            return systems::arguments_of(operation) > 0 ? 1 : 0;
    }
}

TiledSystem tiled(const systems::System &system, const Config &config) {
    const std::vector<char> needed = systems::needed_terms(system.rates, system.rate_of);
    std::int64_t operations = 0;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        operations += needed[i] != 0 ? operations_of(system.rates.terms()[i].operation) : 0;
    }
    return {static_cast<std::int64_t>(system.fields.size()),
            system.reach[0],
            system.reach[1],
            real_bytes(config),
            static_cast<std::int64_t>(system.parameters.size()),
            operations + static_cast<std::int64_t>(system.fields.size()),
            config.grid.cells[0],
            config.grid.cells[1]};
}

std::string why_not(const systems::System &system, const Config &config, const ResidentDevice &device) {
    if (!device.missing.empty()) {
        return device.missing;
    }
    if (config.grid.dimensions != 2) {
        return "systems of equations have a resident kernel in two dimensions only";
    }
    if (system.watch) {
        return "resident kernels do not support watched integrals and probes";
    }
    if (!is_periodic_everywhere(system)) {
        return "resident kernels of systems of equations need periodic sides";
    }
    if (system.reach[0] > COLUMNS) {
        return fmt::format(
            "its formulas reach {} cells away along x, but the resident kernel supports only {}",
            system.reach[0], COLUMNS);
    }
    if (config.grid.cells[0] < STRIP_COLUMNS) {
        return fmt::format("its rows have {} cells, but the tiles of the resident kernel have {}",
                           config.grid.cells[0], STRIP_COLUMNS);
    }
    return {};
}

std::string definitions_of(const TileShape &shape) {
    return fmt::format(
        "#define SYSTEM_TILE_WARPS {}\n#define SYSTEM_TILE_BAND {}\n#define SYSTEM_TILE_STEPS {}\n",
        shape.warps, shape.band, shape.steps);
}

}  // namespace

ResidentPlan plan_system_tiles(const Config &config, const ResidentDevice &device) {
    ResidentPlan plan;
    plan.refused = why_not(*config.formulas, config, device);
    if (!plan.refused.empty()) {
        return plan;
    }
    const TiledSystem system = tiled(*config.formulas, config);
    if (system.operations > most_operations) {
        plan.refused = fmt::format(
            "its formulas take {} operations per cell, and above {} per-phase stepping is faster, because it "
            "keeps less in registers",
            system.operations, most_operations);
        return plan;
    }
    const TilePlan best = best_plan(system, device);
    if (best.groups == 0) {
        plan.refused = fmt::format(
            "no tile of {} fields fits both the grid of {} rows and a multiprocessor with {} bytes of shared "
            "memory and {} registers, {} per item",
            system.fields, system.ny, device.shared_bytes_per_group, device.registers_per_unit,
            registers(system));
        return plan;
    }
    plan.kernel = "system_tiles_2d";
    plan.definitions = definitions_of(best.shape);
    plan.fields = fields_of_tiles;
    const bool stays = best.along_x * best.along_y <= device.units;
    plan.regime = stays ? ResidentRegime::field_on_chip : ResidentRegime::through_memory;
    plan.groups = static_cast<int>(best.groups);
    plan.group_size = static_cast<int>(32 * best.shape.warps);
    plan.shared_bytes = shared_bytes(system, best.shape);
    plan.depth = static_cast<int>(best.shape.steps);
    plan.warps_of_tile = static_cast<int>(best.shape.warps);
    plan.tile_columns = divided_up(system.nx, best.along_x);
    plan.tile_rows = divided_up(system.ny, best.along_y);
    plan.resident_bytes = stays ? system.nx * system.ny * system.fields * system.real_bytes : 0;
    plan.step_seconds = best.step_seconds;
    plan.redundancy = static_cast<double>(best.along_x * best.along_y * best.shape.rows() * STRIP_COLUMNS) /
                      static_cast<double>(system.nx * system.ny);
    return plan;
}

}  // namespace perdure
