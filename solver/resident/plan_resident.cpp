#include "solver/resident/plan_resident.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/resident/resident_fields.h"
#include "kernels/resident/tiling.h"
#include "solver/methods/method.hpp"
#include "solver/resident/cg_plan.hpp"
#include "solver/resident/plan_held.hpp"
#include "solver/resident/plan_relays.hpp"

namespace perdure {
namespace {

constexpr std::array fields_of_held_steps{RUN_KERNEL_FIELDS(HELD_STEPS_FIELDS)};
constexpr std::array fields_of_streamed_steps{RUN_KERNEL_FIELDS(STREAMED_STEPS_FIELDS)};

constexpr int warp = 32;

/// Relays through planes, one a group: kernels/resident/tile_3d.h.
constexpr std::int64_t columns_3d = 64;
constexpr std::int64_t ring_columns_3d = 4;
constexpr std::int64_t steps_3d = 3;
constexpr std::int64_t warps_3d = 24;
constexpr std::int64_t planes_beside = 3 * steps_3d - 1;  // of a range of planes
constexpr std::int64_t registers_3d = 80;                 // of an item

struct Form3d {
    std::int64_t rows, columns_of_lane;
    double plane_seconds;  // measured: kernels/resident/README.md
};
constexpr Form3d forms_3d[] = {{64, 4, 1.5e-6}, {32, 2, 1.5e-6}};  // float32, float64

/// The planes_chip_t of kernels/resident/relay_chip_3d.h.
std::int64_t shared_bytes_3d(const Form3d &form, std::int64_t bytes) {
    constexpr std::int64_t planes = 3 + 2 * (steps_3d - 1) + 2 * steps_3d;
    constexpr std::int64_t table = 2 * 64 * 2;
    constexpr std::int64_t items_of_runner = warps_3d / steps_3d * warp;
    constexpr std::int64_t rows_of_lane = 4;
    constexpr std::int64_t other_bytes = 768;
    const std::int64_t words_of_item = rows_of_lane + form.columns_of_lane + 1;
    return (planes * form.rows * columns_3d + table) * bytes + items_of_runner * words_of_item * 4 +
           other_bytes;
}

/// Sources that change from step to step, fewer planes around a periodic axis than a march has steps, and grids that take long to
/// deal out (kernels/resident/deal.h) leave all steps to the phases.
bool marches_3d(const Config &config, std::int64_t tiles) {
    const std::int64_t nz = config.grid.cells[2];
    const bool wraps_twice = config.sides[4].kind == SideKind::periodic && nz < steps_3d;
    return !changes_in_time(config) && !wraps_twice && can_be_dealt_out(nz, tiles, tiles);
}

void plan_streamed_3d(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    constexpr std::int64_t shared_bytes_of_checks = 8448;
    constexpr std::int64_t items = warps_3d * warp;
    const Form3d &form = forms_3d[config.execution.precision == Precision::float32 ? 0 : 1];
    const std::int64_t shared = shared_bytes_3d(form, real_bytes(config));
    if (device.units < 1 || device.items_per_unit < items ||
        device.registers_per_unit < registers_3d * items ||
        device.shared_bytes_per_group < shared + shared_bytes_of_checks) {
        plan.refused = fmt::format(
            "a group of the kernel needs {} registers and {} bytes of shared memory, one of {} "
            "multiprocessors has {} registers and {} bytes",
            registers_3d * items, shared + shared_bytes_of_checks, device.units, device.registers_per_unit,
            device.shared_bytes_per_group);
        return;
    }
    const std::int64_t nz = config.grid.cells[2];
    plan.kernel = fmt::format("{}_streamed_3d", method_of(config).name);
    plan.groups = device.units;
    plan.group_size = static_cast<int>(items);
    plan.shared_bytes = shared;
    plan.depth = static_cast<int>(steps_3d);
    plan.warps_of_tile = static_cast<int>(warps_3d);
    plan.tile_columns = columns_3d - 2 * ring_columns_3d;
    plan.tile_rows = form.rows - 2 * steps_3d;
    // Sides that are not periodic have no ring beyond them, but along x in float32.
    const bool rings_x =
        config.sides[0].kind == SideKind::periodic || config.execution.precision == Precision::float32;
    const bool rings_y = config.sides[2].kind == SideKind::periodic;
    const std::int64_t tiles =
        tiles_along(config.grid.cells[0], plan.tile_columns, rings_x ? 0 : ring_columns_3d) *
        tiles_along(config.grid.cells[1], plan.tile_rows, rings_y ? 0 : steps_3d);
    plan.tile_planes = divided_up(tiles * nz, plan.groups);
    plan.redundancy = static_cast<double>(plan.tile_planes + planes_beside) *
                      static_cast<double>(columns_3d * form.rows * plan.groups) /
                      (static_cast<double>(config.grid.cells[0]) * static_cast<double>(config.grid.cells[1]) *
                       static_cast<double>(nz));
    if (!marches_3d(config, tiles)) {
        plan.depth = 1;
        return;
    }
    constexpr std::int64_t planes_of_start = 5;
    constexpr double pass_seconds = 5.0e-6;  // between two passes
    const auto planes = static_cast<double>(plan.tile_planes + planes_beside + planes_of_start);
    plan.step_seconds = (planes * form.plane_seconds + pass_seconds) / static_cast<double>(steps_3d);
}

/// "jacobi, cg and heat"
std::string resident_methods() {
    std::vector<std::string_view> names;
    for (const Method *const method : all_methods()) {
        if (method->plan_resident != nullptr) {
            names.emplace_back(method->name);
        }
    }
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace

ResidentPlan plan_stepping(const Config &config, const ResidentDevice &device) {
    ResidentPlan plan;
    plan.refused = config.velocity ? "resident kernels know no velocity" : device.missing;
    if (!plan.refused.empty()) {
        return plan;
    }
    if (hold_field(config, device, plan)) {
        plan.fields = fields_of_held_steps;
        return plan;
    }
    plan.fields = fields_of_streamed_steps;
    if (config.grid.dimensions == 3 && !expected_uniform(config)) {
        plan.refused =
            "in three dimensions coefficients that vary have resident kernels only where the field fits on "
            "the chip, in boxes of 32 x 8 x 8 or 32 x 16 x 16 cells: through memory, two steps a pass, they "
            "took longer than phases";
        return plan;
    }
    if (config.grid.dimensions == 3) {
        plan_streamed_3d(config, device, plan);
        return plan;
    }
    plan_relays(config, device, plan);
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
               ? fmt::format("{} {} x {} depth {}", plan.kernel, plan.groups, plan.group_size, plan.depth)
               : "none";
}

std::string describe(const ResidentPlan &plan) {
    if (plan.conjugate_gradients) {
        return describe_cg(plan);
    }
    const bool held = plan.regime == ResidentRegime::held;
    const bool planes = plan.tile_planes > 0;
    if (!held && plan.depth == 1) {
        return fmt::format(
            "{}, all steps by phases: several at once take sources and sides that stay as they are, and {}",
            name(plan.regime),
            planes
                ? "three planes or more around a periodic axis, no more than 16777216 of them and 65536 tiles"
                : "rows of 128 cells or of a multiple of 4, no more than 16777216 of them in 65536 parts");
    }
    const std::string workers = held ? "group" : fmt::format("relay of {} warps", plan.warps_of_tile);
    const std::string text = fmt::format(
        "{}, {} bytes of u on the chip, tiles of {} x {}{} cells a {}, {} steps {}, {:.3g} cells computed "
        "for "
        "one",
        name(plan.regime), plan.resident_bytes, plan.tile_columns, plan.tile_rows,
        planes ? fmt::format(" x {}", plan.tile_planes) : "", workers, plan.depth,
        held ? "from exchange to exchange" : "a pass", plan.redundancy);
    return fmt::format("{}, {:.3g} us a step expected (on an H100, without checks)", text,
                       1.0e6 * plan.step_seconds);
}

std::string compare_with_prediction(const ResidentPlan &plan, double seconds, std::int64_t steps) {
    if (plan.step_seconds <= 0.0 || steps < 1) {
        return {};
    }
    return fmt::format("resident: {:.3g} us a step expected, {:.3g} us measured with checks and launches",
                       1.0e6 * plan.step_seconds, 1.0e6 * seconds / static_cast<double>(steps));
}

}  // namespace perdure
