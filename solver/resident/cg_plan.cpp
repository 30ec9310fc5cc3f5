#include "solver/resident/cg_plan.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "kernels/resident/resident_fields.h"
#include "kernels/resident/tiling.h"
#include "solver/resident/plan_on_chip.hpp"

namespace perdure {
namespace {

constexpr std::array resident_fields{RUN_KERNEL_FIELDS(ON_CHIP_CG_FIELDS)};

constexpr std::array cells_of_item{8, 16, 64};  // for which there are kernels
constexpr int cells_that_keep = 16;             // items with at most so many always keep w and x on the chip
constexpr std::int64_t warp = 32;
constexpr std::int64_t registers = 128;     // of an item
constexpr std::int64_t most_slots = 65536;  // limit of a ghost's slot number
constexpr std::int64_t fewest_cells = 64;   // of a group, if there are that many

/// Cycles of an iteration in a group, fitted to runs on an H100. A multiprocessor issues for four warps at once; a single warp
/// waits for its own results.
constexpr double cycles_of_cell = 65.0;  // for each further warp
constexpr double cycles_of_any_cell = 210.0;
constexpr double cycles_of_ghost = 60.0;
constexpr double cycles_of_sector = 2.0;
constexpr double schedulers = 4.0;

/// Cost of a cell in full boxes, relative to other boxes.
constexpr double share_of_full = 0.8;

/// Seconds of an iteration on an H100 with uniform coefficients, measured (tools/results/resident_log.md): from the last product of
/// a group until all groups know the scalars; and what each cell and each ghost of the largest box adds.
constexpr double seconds_of_sums = 2.15e-6;
constexpr double seconds_of_cell_2d = 0.37e-9;
constexpr double seconds_of_long_cell_2d = 0.55e-9;   // of items with more than 16 cells that keep w
constexpr double seconds_of_twice_made_2d = 0.75e-9;  // of items that form w twice
constexpr double seconds_of_cell_3d = 0.56e-9;
constexpr double seconds_of_single_cell_3d = 0.40e-9;       // in float32, w kept
constexpr double seconds_of_full_cell_3d = 0.49e-9;         // in full boxes
constexpr double seconds_of_single_full_cell_3d = 0.19e-9;  // in full boxes in float32, w kept
constexpr double seconds_of_ghost = 0.80e-9;

/// Returns the number of ghosts of the largest box. `ghosts` of a plan is larger, because it counts rows of the widest box.
double ghosts_of(const cg_plan_t &plan, int dimensions) {
    const std::array<double, 3> box{static_cast<double>(plan.box[0]), static_cast<double>(plan.box[1]),
                                    static_cast<double>(plan.box[2])};
    return dimensions == 2 ? 2.0 * (box[0] + box[1])
                           : 2.0 * (box[0] * box[1] + box[0] * box[2] + box[1] * box[2]);
}

double cells_of(const cg_plan_t &plan) {
    return static_cast<double>(plan.box[0]) * plan.box[1] * plan.box[2];
}

double seconds_of_cell(const cg_plan_t &plan, int dimensions, std::int64_t real_bytes) {
    const bool keeps = plan.x_on_chip != 0;
    if (dimensions == 3) {
        const bool full = plan.full != 0;
        return keeps && real_bytes == 4 ? (full ? seconds_of_single_full_cell_3d : seconds_of_single_cell_3d)
               : full                   ? seconds_of_full_cell_3d
                                        : seconds_of_cell_3d;
    }
    return plan.cells <= cells_that_keep ? seconds_of_cell_2d
           : keeps                       ? seconds_of_long_cell_2d
                                         : seconds_of_twice_made_2d;
}

double iteration_seconds(const cg_plan_t &plan, int dimensions, std::int64_t real_bytes) {
    return seconds_of_sums + cells_of(plan) * seconds_of_cell(plan, dimensions, real_bytes) +
           ghosts_of(plan, dimensions) * seconds_of_ghost;
}

std::string expectation(const ResidentPlan &plan) {
    return plan.step_seconds > 0.0
               ? fmt::format("{:.3g} us per iteration expected (on an H100, without checks)",
                             1.0e6 * plan.step_seconds)
               : "no prediction: not measured";
}

struct Trial {
    const std::array<std::int64_t, 3> &cells;
    int dimensions;
    std::int64_t real_bytes;
    const ChipCapacity &chip;
    bool uniform = true;
    double best = std::numeric_limits<double>::infinity();
    std::optional<cg_plan_t> plan = std::nullopt;

    void consider_up_to(std::int64_t groups) {
        for (std::int64_t z = 1; z <= std::min(groups, cells[2]); ++z) {
            for (std::int64_t y = 1; y <= std::min(groups / z, cells[1]); ++y) {
                for (std::int64_t x = 1; x <= std::min(groups / z / y, cells[0]); ++x) {
                    consider({x, y, z});
                }
            }
        }
    }

    void consider(const std::array<std::int64_t, 3> &boxes) {
        std::array<std::int64_t, 3> box{};
        for (int axis = 0; axis < 3; ++axis) {
            box[axis] = divided_up(cells[axis], boxes[axis]);
        }
        for (const int on_chip : cells_of_item) {
            if (RESIDENT_MAY_KEEP(on_chip, real_bytes)) {
                consider(boxes, box, on_chip, true);
            }
            if (on_chip > cells_that_keep) {
                consider(boxes, box, on_chip, false);  // slower, but needs less shared memory
            }
        }
    }

    [[nodiscard]] bool divides(const std::array<std::int64_t, 3> &boxes) const {
        return cells[0] % boxes[0] == 0 && cells[1] % boxes[1] == 0 && cells[2] % boxes[2] == 0;
    }

    /// on_chip: cells of an item; keeps: w in registers and x in shared memory
    void consider(const std::array<std::int64_t, 3> &boxes, const std::array<std::int64_t, 3> &box,
                  std::int64_t on_chip, bool keeps) {
        const bool solid = dimensions == 3;
        const std::int64_t width = WIDEST_BOX(solid ? 3 : 2);
        if (box[0] > width || (solid && box[1] > DEEPEST_BOX)) {
            return;
        }
        const std::int64_t rows = RESIDENT_COLUMNS(dimensions, on_chip), levels = on_chip / rows;
        const std::int64_t face = box[0] * (solid ? divided_up(box[1], rows) : 1);
        const std::int64_t height = solid ? box[2] : box[1];
        const std::int64_t busy = divided_up(face * divided_up(height, levels), warp) * warp;
        const std::int64_t items = std::max<std::int64_t>(busy, RESIDENT_LEAST_ITEMS);
        if (items > RESIDENT_ITEMS_WITH(on_chip)) {
            return;
        }
        // In 3D ghosts lie in rows of the widest box.
        const std::int64_t rim = solid ? 2 * (DEEPEST_BOX + width) * box[2] : 2 * box[1];
        const std::int64_t ghosts = rim + 2 * box[0] * (solid ? box[1] : 1);
        const std::int64_t batch = RESIDENT_BATCH(on_chip) / rows;
        const std::int64_t tile =
            (solid ? TILE_LAYER : TILE_ROW(2)) * (divided_up(height, batch) * batch + 2);
        const std::int64_t x = keeps ? on_chip * items : 0;
        const std::int64_t needed = (tile + ghosts + rim + x) * real_bytes;
        if (needed > chip.shared_bytes || tile > most_slots) {
            return;
        }
        const double warps_in_turn = static_cast<double>(busy / warp) / schedulers;
        const double most = static_cast<double>(rows * std::min(height, levels));
        // Each ghost next to a box along x occupies a sector of memory of its own; r and w are loaded and stored.
        const double sectors =
            static_cast<double>(2 * box[1] * (solid ? box[2] : 1)) + 0.25 * static_cast<double>(ghosts);
        const double ghost_rounds = static_cast<double>(divided_up(ghosts, items));
        const bool full = uniform && RESIDENT_MAY_BE_FULL(dimensions, on_chip) && divides(boxes) &&
                          box[0] * box[1] * box[2] == items * on_chip;
        const double cost =
            (full ? share_of_full : 1.0) * most * (cycles_of_any_cell + cycles_of_cell * warps_in_turn) +
            ghost_rounds * cycles_of_ghost * std::max(warps_in_turn, 1.0) + sectors * cycles_of_sector;
        if (cost >= best) {
            return;
        }
        best = cost;
        cg_plan_t found{};
        for (int axis = 0; axis < 3; ++axis) {
            found.boxes[axis] = static_cast<uint32>(boxes[axis]);
            found.box[axis] = static_cast<uint32>(box[axis]);
        }
        found.ghosts = static_cast<uint32>(ghosts);
        found.tile = static_cast<uint32>(tile);
        found.cells = static_cast<uint32>(on_chip);
        found.items = static_cast<uint32>(items);
        found.full = full ? 1 : 0;
        found.x_on_chip = keeps ? 1 : 0;
        found.shared_bytes = static_cast<uint32>(needed);
        plan = found;
    }
};

}  // namespace

std::optional<cg_plan_t> cut_into_boxes(const std::array<std::int64_t, 3> &cells, int dimensions,
                                        std::int64_t real_bytes, const ChipCapacity &chip, bool uniform) {
    Trial trial{cells, dimensions, real_bytes, chip, uniform};
    const std::int64_t useful = std::max<std::int64_t>(1, cells[0] * cells[1] * cells[2] / fewest_cells);
    trial.consider_up_to(std::min<std::int64_t>(chip.groups, useful));
    if (!trial.plan && useful < chip.groups) {
        trial.consider_up_to(chip.groups);  // a long row of few cells
    }
    return trial.plan;
}

ResidentPlan plan_resident_cg(const Config &config, const ResidentDevice &device) {
    constexpr std::int64_t other_shared_bytes = 8192;  // sums, and what the system reserves
    ResidentPlan plan;
    plan.regime = ResidentRegime::vectors_on_chip;
    plan.refused = device.missing;
    if (plan.refused.empty() && config.velocity) {
        plan.refused = "resident kernels do not support a velocity";
    }
    if (plan.refused.empty() &&
        (device.registers_per_unit < RESIDENT_ITEMS * registers || device.items_per_unit < RESIDENT_ITEMS)) {
        plan.refused = fmt::format(
            "a group of {} items needs {} registers, but a multiprocessor has {} items and {} registers",
            RESIDENT_ITEMS, RESIDENT_ITEMS * registers, device.items_per_unit, device.registers_per_unit);
    }
    if (!plan.refused.empty()) {
        return plan;
    }
    const auto &cells = config.grid.cells;
    const int asked = config.execution.groups;
    const ChipCapacity chip{asked > 0 ? std::min(asked, device.units) : device.units,
                            device.shared_bytes_per_group - other_shared_bytes};
    plan.conjugate_gradients = plan.is_one_launch = true;
    const std::optional<cg_plan_t> found =
        cut_into_boxes({cells[0], cells[1], cells[2]}, config.grid.dimensions, real_bytes(config), chip,
                       expected_uniform(config));
    if (!found) {
        plan_streamed_cg(config, device, plan);
        return plan;
    }
    plan.cg = *found;
    plan.fields = resident_fields;
    plan.kernel = fmt::format("cg_on_chip_{}d", config.grid.dimensions);
    plan.groups = static_cast<int>(found->boxes[0] * found->boxes[1] * found->boxes[2]);
    plan.group_size = static_cast<int>(found->items);
    plan.shared_bytes = found->shared_bytes;
    plan.depth = 1;
    plan.message_bytes = static_cast<std::int64_t>(resident_messages_bytes(
        static_cast<uint32>(plan.groups), found->ghosts, static_cast<uint32>(real_bytes(config))));
    // p and r; w and x if items keep them
    const int vectors = 2 + (found->x_on_chip != 0 ? 2 : 0);
    plan.resident_bytes = cells[0] * cells[1] * cells[2] * real_bytes(config) * vectors;
    plan.redundancy = 1.0 + ghosts_of(*found, config.grid.dimensions) / cells_of(*found);
    plan.step_seconds = expected_uniform(config)
                            ? iteration_seconds(*found, config.grid.dimensions, real_bytes(config))
                            : 0.0;
    return plan;
}

std::string describe_cg(const ResidentPlan &plan) {
    const cg_plan_t &cg = plan.cg;
    if (plan.regime == ResidentRegime::through_memory) {
        return fmt::format(
            "streamed through memory, {} bytes kept on the chip between iterations, tiles of {} x {} cells, "
            "each group sweeps through {} layers, one synchronisation per iteration, {}",
            plan.resident_bytes, cg.box[0], cg.box[1], plan.tile_planes, expectation(plan));
    }
    const std::string box = fmt::format("{} x {} x {}", cg.box[2], cg.box[1], cg.box[0]);
    return fmt::format(
        "vectors on chip, {}boxes of {} cells, {} cells per item, x {}, one synchronisation per iteration, "
        "{}",
        cg.full != 0 ? "full " : "", box, cg.cells, cg.x_on_chip ? "on the chip" : "in memory",
        expectation(plan));
}

}  // namespace perdure
