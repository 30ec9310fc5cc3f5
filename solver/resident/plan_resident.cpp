#include "solver/resident/plan_resident.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/resident/cg_plan.hpp"
#include "solver/resident/divided_up.hpp"
#include "solver/resident/plan_held.hpp"
#include "solver/resident/plan_relays.hpp"

namespace perdure {
namespace {

constexpr int warp = 32;

/// Why there is no resident kernel for the case, or empty.
std::string not_for(const Config &config) {
    const bool heat = config.type == ProblemType::heat;
    if (!heat && config.solver.method != SolverMethod::jacobi) {
        return fmt::format("there is no resident kernel for solver.method: {}, only for cg, jacobi and heat",
                           name(config.solver.method));
    }
    if (config.velocity) {
        return "resident kernels know no velocity";
    }
    return {};
}

/// Groups that march through planes: kernels/resident/tile_3d.h.
struct Form3d {
    std::int64_t warps, rows, steps;
    std::int64_t registers;  // of a group
    double plane_seconds;    // measured: kernels/resident/README.md
};
constexpr Form3d forms_3d[] = {{12, 4, 4, 64512, 3.0e-6}, {8, 4, 3, 65536, 2.3e-6}};  // float32, float64

/// The chip_t of kernels/resident/terms_3d.h.
std::int64_t shared_bytes_3d(const Form3d &form, std::int64_t bytes) {
    constexpr std::int64_t columns = 64;
    const std::int64_t plane = form.warps * form.rows * columns;
    const std::int64_t edges = 2 * form.steps * form.warps * 2 * columns;
    constexpr std::int64_t table = 2 * 64 * 2;
    return (3 * plane + edges + (form.steps + 2) * plane + table) * bytes;
}

void plan_streamed_3d(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    constexpr std::int64_t columns = 64;
    constexpr std::int64_t ring_columns = 4;
    constexpr std::int64_t other_shared_bytes = 9216;
    const Form3d &form = forms_3d[config.execution.precision == Precision::float32 ? 0 : 1];
    const std::int64_t shared = shared_bytes_3d(form, real_bytes(config));
    if (device.units < 1 || device.items_per_unit < form.warps * warp ||
        device.registers_per_unit < form.registers ||
        device.shared_bytes_per_group < shared + other_shared_bytes) {
        plan.refused = fmt::format(
            "a group of the kernel needs {} registers and {} bytes of shared memory, one of {} "
            "multiprocessors has "
            "{} registers and {} bytes",
            form.registers, shared + other_shared_bytes, device.units, device.registers_per_unit,
            device.shared_bytes_per_group);
        return;
    }
    const std::int64_t nx = config.grid.cells[0];
    const std::int64_t ny = config.grid.cells[1];
    const std::int64_t nz = config.grid.cells[2];
    plan.kernel = config.type == ProblemType::heat ? "heat_streamed_3d" : "jacobi_streamed_3d";
    plan.groups = device.units;
    plan.group_size = static_cast<int>(warp * form.warps);
    plan.shared_bytes = shared;
    plan.depth = static_cast<int>(form.steps);
    plan.tile_columns = columns - 2 * ring_columns;
    plan.tile_rows = form.warps * form.rows - 2 * form.steps;
    const std::int64_t tiles = divided_up(nx, plan.tile_columns) * divided_up(ny, plan.tile_rows);
    plan.tile_planes = divided_up(tiles * nz, plan.groups);
    const auto planes = static_cast<double>(plan.tile_planes + 2 * form.steps);
    const auto cells_of_plane = static_cast<double>(columns * form.warps * form.rows);
    plan.redundancy = planes * cells_of_plane * static_cast<double>(plan.groups) /
                      (static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz));
    constexpr double barrier_seconds = 1.2e-6;
    plan.step_seconds = (planes * form.plane_seconds + barrier_seconds) / static_cast<double>(form.steps);
}

ResidentPlan plan_stepping(const Config &config, const ResidentDevice &device) {
    ResidentPlan plan;
    plan.refused = not_for(config);
    if (plan.refused.empty()) {
        plan.refused = device.missing;
    }
    if (!plan.refused.empty()) {
        return plan;
    }
    if (hold_field(config, device, plan)) {
        return plan;
    }
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

}  // namespace

const char *name(ResidentRegime regime) {
    switch (regime) {
        case ResidentRegime::held:
            return "held";
        case ResidentRegime::streamed:
            return "streamed";
        case ResidentRegime::on_chip:
            return "on the chip";
    }
    return "";
}

ResidentPlan plan_resident(const Config &config, const ResidentDevice &device) {
    if (config.solver.preconditioner == Preconditioner::multigrid) {
        ResidentPlan none;
        none.refused = "it does not precondition with multigrid";
        return none;
    }
    if (config.type == ProblemType::diffusion && config.solver.method == SolverMethod::cg) {
        return plan_resident_cg(config, device);
    }
    return plan_stepping(config, device);
}

std::string describe(const ResidentPlan &plan) {
    if (plan.conjugate_gradients) {
        return describe_cg(plan);
    }
    const bool held = plan.regime == ResidentRegime::held;
    const bool planes = plan.tile_planes > 0;
    if (!held && !planes && plan.depth == 1) {
        return fmt::format(
            "{}, all steps by phases: several at once take sources and sides that stay as they are, and rows "
            "of 128 "
            "cells or of a multiple of 4",
            name(plan.regime));
    }
    const std::string workers =
        held || planes ? "group" : fmt::format("relay of {} warps", plan.warps_of_tile);
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
