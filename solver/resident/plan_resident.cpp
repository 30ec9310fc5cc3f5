#include "solver/resident/plan_resident.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/resident/plane_shape_3d.h"
#include "kernels/resident/resident_fields.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/equations/equation.hpp"
#include "solver/in_words.hpp"
#include "solver/methods/method.hpp"
#include "solver/resident/cg_plan.hpp"
#include "solver/resident/plan_on_chip.hpp"
#include "solver/resident/plan_pipelines.hpp"

namespace perdure {
namespace {

constexpr std::array fields_of_on_chip_steps{RUN_KERNEL_FIELDS(ON_CHIP_STEPS_FIELDS)};
constexpr std::array fields_of_blocked_steps{RUN_KERNEL_FIELDS(BLOCKED_STEPS_FIELDS)};

struct Variant3d {
    std::int64_t rows, ring_columns, shared_bytes;
    double plane_seconds;  // measured: tools/results/resident_log.md
};
template <typename Real>
constexpr Variant3d variant_3d(double plane_seconds) {
    using shape = tile_shape_3d<Real>;
    return {shape::rows, shape::ring_x, sizeof(planes_arrays_t<Real>) + PLANES_CONSTANT_BYTES(sizeof(Real)),
            plane_seconds};
}
constexpr Variant3d variants_3d[] = {variant_3d<float>(1.5e-6), variant_3d<double>(1.5e-6)};
constexpr std::int64_t columns_3d = TILE_COLUMNS, steps_3d = STEPS_3D;
constexpr std::int64_t registers_3d = 80;  // of an item

/// Whether groups can sweep through the grid. All steps are advanced by phases if sources vary in time, if a periodic axis has
/// fewer planes than a sweep has steps, or if the grid is too large for load balancing (kernels/resident/load_balance.h).
bool can_sweep_3d(const Config &config, std::int64_t tiles) {
    const std::int64_t nz = config.grid.cells[2];
    const bool wraps_twice = is_periodic(config.sides, 2) && nz < steps_3d;
    return !changes_in_time(config) && !wraps_twice && can_be_assigned(nz, tiles, tiles);
}

void plan_pipelines_3d(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    constexpr std::int64_t items = ITEMS_3D;
    const Variant3d &variant = variants_3d[config.execution.precision == Precision::float32 ? 0 : 1];
    const std::int64_t shared = variant.shared_bytes;
    if (device.units < 1 || device.items_per_unit < items ||
        device.registers_per_unit < registers_3d * items ||
        device.shared_bytes_per_group < shared + PLANES_CHECK_BYTES) {
        plan.refused = fmt::format(
            "a group of the kernel needs {} registers and {} bytes of shared memory, but each of the {} "
            "multiprocessors has {} registers and {} bytes",
            registers_3d * items, shared + PLANES_CHECK_BYTES, device.units, device.registers_per_unit,
            device.shared_bytes_per_group);
        return;
    }
    const std::int64_t nz = config.grid.cells[2];
    plan.kernel = fmt::format("{}_blocked_3d", method_of(config).name);
    plan.groups = device.units;
    plan.group_size = static_cast<int>(items);
    plan.shared_bytes = shared;
    plan.depth = static_cast<int>(steps_3d);
    plan.warps_of_tile = static_cast<int>(STEPS_3D * WARPS_3D);
    plan.tile_columns = columns_3d - 2 * variant.ring_columns;
    plan.tile_rows = variant.rows - 2 * steps_3d;
    // Sides that are not periodic have no ring beyond them, except along x in float32.
    const bool rings_x = is_periodic(config.sides, 0) || config.execution.precision == Precision::float32;
    const bool rings_y = is_periodic(config.sides, 1);
    const std::int64_t tiles =
        tiles_along(config.grid.cells[0], plan.tile_columns, rings_x ? 0 : variant.ring_columns) *
        tiles_along(config.grid.cells[1], plan.tile_rows, rings_y ? 0 : steps_3d);
    plan.tile_planes = divided_up(tiles * nz, plan.groups);
    plan.redundancy = static_cast<double>(plan.tile_planes + EXTRA_PLANES) *
                      static_cast<double>(columns_3d * variant.rows * plan.groups) /
                      (static_cast<double>(config.grid.cells[0]) * static_cast<double>(config.grid.cells[1]) *
                       static_cast<double>(nz));
    if (!can_sweep_3d(config, tiles)) {
        plan.depth = 1;
        return;
    }
    constexpr double pass_seconds = 5.0e-6;  // synchronisation between two passes
    const auto planes = static_cast<double>(plan.tile_planes + EXTRA_PLANES + PLANES_OF_START);
    plan.step_seconds = (planes * variant.plane_seconds + pass_seconds) / static_cast<double>(steps_3d);
}

/// Of solver.method: "jacobi and cg"
std::string resident_methods() {
    std::vector<std::string> names;
    for (const Method *const method : all_methods()) {
        if (method->plan_resident != nullptr && !method->in_time) {
            names.emplace_back(method->name);
        }
    }
    return in_words(names, "and");
}

/// Of some field.
bool capacity_may_vary(const Config &config) {
    const auto fields = equation_of(config.type).fields;
    return std::any_of(fields.begin(), fields.end(), [&](const EquationField &field) {
        return field.capacity != nullptr &&
               value_of(config, field.capacity).kind != ValueSource::Kind::number;
    });
}

}  // namespace

ResidentPlan plan_stepping(const Config &config, const ResidentDevice &device) {
    ResidentPlan plan;
    plan.refused = config.velocity             ? "resident kernels do not support a velocity"
                   : capacity_may_vary(config) ? "resident kernels do not support a capacity that varies: "
                                                 "problem.capacity must be a number"
                                               : device.missing;
    if (!plan.refused.empty()) {
        return plan;
    }
    if (plan_on_chip(config, device, plan)) {
        plan.fields = fields_of_on_chip_steps;
        return plan;
    }
    plan.fields = fields_of_blocked_steps;
    if (config.grid.dimensions == 3 && !expected_uniform(config)) {
        plan.refused =
            "in three dimensions, resident kernels support varying coefficients only if the field fits on "
            "the chip in boxes of 32 x 8 x 8 or 32 x 16 x 16 cells, because temporally blocked kernels were "
            "slower than per-phase stepping";
        return plan;
    }
    if (config.grid.dimensions == 3) {
        plan_pipelines_3d(config, device, plan);
        return plan;
    }
    plan_pipelines(config, device, plan);
    return plan;
}

ResidentPlan plan_resident(const Config &config, const ResidentDevice &device) {
    const Method &method = method_of(config);
    if (method.plan_resident != nullptr) {
        return method.plan_resident(config, device);
    }
    ResidentPlan none;
    none.refused = *method.no_resident != '\0'
                       ? method.no_resident
                       : fmt::format("there is no resident kernel for solver.method: {}, only for {}",
                                     method.title, resident_methods());
    return none;
}

std::string fingerprint(const ResidentPlan &plan) {
    return plan.refused.empty()
               ? fmt::format("{} {} x {} depth {}{}", plan.kernel, plan.groups, plan.group_size, plan.depth,
                             plan.definitions.empty()
                                 ? ""
                                 : fmt::format(" tile {} x {}", plan.tile_columns, plan.tile_rows))
               : "none";
}

std::string describe(const ResidentPlan &plan) {
    if (plan.conjugate_gradients) {
        return describe_cg(plan);
    }
    const bool on_chip = plan.regime == ResidentRegime::field_on_chip;
    const bool planes = plan.tile_planes > 0;
    if (!on_chip && plan.depth == 1) {
        return fmt::format(
            "{}, with per-phase stepping: temporal blocking needs sources and sides that do not vary in "
            "time, and {}",
            name(plan.regime),
            planes ? "at least three planes along a periodic axis, at most 16777216 planes and at most 65536 "
                     "tiles"
                   : "rows of at least 128 cells or of a multiple of 4 cells, at most 16777216 rows in 65536 "
                     "segments");
    }
    const std::string workers = on_chip ? "group" : fmt::format("pipeline of {} warps", plan.warps_of_tile);
    const std::string text = fmt::format(
        "{}, {} bytes of u on the chip, tiles of {} x {}{} cells per {}, {} steps {}, {:.3g} cells computed "
        "per grid cell",
        name(plan.regime), plan.resident_bytes, plan.tile_columns, plan.tile_rows,
        planes ? fmt::format(" x {}", plan.tile_planes) : "", workers, plan.depth,
        on_chip ? "between exchanges" : "per pass (temporally blocked)", plan.redundancy);
    return fmt::format("{}, {:.3g} us per step expected (on an H100, without checks)", text,
                       1.0e6 * plan.step_seconds);
}

std::string compare_with_prediction(const ResidentPlan &plan, double seconds, std::int64_t steps) {
    if (plan.step_seconds <= 0.0 || steps < 1) {
        return {};
    }
    return fmt::format(
        "resident: {:.3g} us per step expected, {:.3g} us measured including checks and launches",
        1.0e6 * plan.step_seconds, 1.0e6 * seconds / static_cast<double>(steps));
}

}  // namespace perdure
