#include "solver/resident/plan_pipelines.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/resident/pipeline_shape_2d.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/methods/method.hpp"
#include "solver/resident/plan_on_chip.hpp"

namespace perdure {
namespace {

constexpr std::int64_t pipeline_steps = PIPELINE_STEPS;

/// The configuration of a pipeline.
struct PipelineVariant {
    std::int64_t lane_columns, columns, stages, items, shared_bytes;
    std::int64_t most_items;           // of a group
    std::int64_t registers;            // of an item
    double iteration_seconds;          // of a pipeline alone on its multiprocessor; measured on an H100
    double iteration_seconds_of_each;  // added for every pipeline of the group
};
template <typename Layout>
constexpr PipelineVariant pipeline_of(std::int64_t real_bytes, std::int64_t most_items,
                                      std::int64_t registers, double iteration_seconds,
                                      double iteration_seconds_of_each) {
    return {Layout::LANE_COLUMNS,
            Layout::WIDTH,
            Layout::STAGES,
            Layout::ITEMS,
            Layout::ROWS * Layout::WIDTH * real_bytes,
            most_items,
            registers,
            iteration_seconds,
            iteration_seconds_of_each};
}
using uniform_layout = pipeline_layout_t<true, false>;

/// Whether lanes consist of whole parts of every row: rows are as wide as a strip, or a multiple of a lane's columns.
bool has_whole_lanes(const Config &config, std::int64_t lane_columns) {
    const std::int64_t columns = config.grid.cells[0];
    return columns >= 32 * lane_columns || columns % lane_columns == 0;
}

bool is_for_uniform(const Config &config) {
    return expected_uniform(config) && has_whole_lanes(config, uniform_layout::LANE_COLUMNS);
}

PipelineVariant pipeline_variant(const Config &config) {
    const bool single = config.execution.precision == Precision::float32;
    const std::int64_t bytes = real_bytes(config);
    if (is_for_uniform(config)) {
        const bool sourced = has_terms_inside(config);
        return single ? pipeline_of<uniform_layout>(bytes, 384, 168, 300.0e-9, sourced ? 80.0e-9 : 50.0e-9)
                      : pipeline_of<uniform_layout>(bytes, 256, 255, 450.0e-9, sourced ? 120.0e-9 : 70.0e-9);
    }
    const bool scales = method_of(config).scales_each_cell;
    const auto varied =
        scales ? pipeline_of<pipeline_layout_t<false, true>> : pipeline_of<pipeline_layout_t<false, false>>;
    return single ? varied(bytes, 512, 128, 220.0e-9, 54.0e-9)
                  : varied(bytes, scales ? 256 : 384, scales ? 255 : 168, 295.0e-9, 72.0e-9);
}

std::int64_t pipelines_that_fit(const PipelineVariant &variant, const ResidentDevice &device) {
    constexpr std::int64_t unit = 256;  // allocation unit of registers for a warp
    const std::int64_t registers_a_warp = divided_up(32 * variant.registers, unit) * unit;
    return std::min({variant.most_items / variant.items, device.items_per_unit / variant.items,
                     device.registers_per_unit / (registers_a_warp * variant.stages),
                     (device.shared_bytes_per_group - PIPELINE_CHECK_BYTES) / variant.shared_bytes});
}

/// Iterations of a range in excess of its own rows: kernels/resident/tiles_2d.h.
std::int64_t extra_rows(const Config &config) {
    return 3 * pipeline_steps + (config.execution.precision == Precision::float64 ? 22 : 6);
}

/// Returns the number of strips. At sides that are not periodic, strips have rings only if own columns are whole lines of memory.
std::int64_t strips_of(const Config &config, const ResidentPlan &plan) {
    const bool rings = is_periodic(config.sides, 0) ||
                       (!is_for_uniform(config) && config.execution.precision == Precision::float64);
    return tiles_along(config.grid.cells[0], plan.tile_columns, rings ? 0 : pipeline_steps);
}

/// Returns the rows of a pipeline, as kernels/resident/load_balance.h assigns them if rows at sides cost no more than others.
std::int64_t rows_of_pipeline(const Config &config, std::int64_t pipelines, const ResidentPlan &plan) {
    return divided_up(strips_of(config, plan) * config.grid.cells[1], plan.groups * pipelines);
}

void describe_pipeline_tiles(const Config &config, const PipelineVariant &variant, std::int64_t pipelines,
                             ResidentPlan &plan) {
    const std::int64_t nx = config.grid.cells[0];
    const std::int64_t ny = config.grid.cells[1];
    plan.tile_columns = variant.columns - 2 * pipeline_steps;
    plan.tile_rows = std::min(rows_of_pipeline(config, pipelines, plan), ny);
    const std::int64_t strips = strips_of(config, plan);
    const std::int64_t ranges = std::max(strips, plan.groups * pipelines);  // approximately
    // A stage skips rows that only the pipeline_steps before its own need.
    plan.redundancy = static_cast<double>(variant.columns * (strips * ny + ranges * pipeline_steps)) /
                      (static_cast<double>(nx) * static_cast<double>(ny));
}

/// Whether pipelines can sweep through the grid. All steps are advanced by phases if sources vary in time, if rows are narrow and
/// not a multiple of a lane's columns, or if the grid is too large for load balancing.
bool can_sweep(const Config &config, const PipelineVariant &variant, const ResidentPlan &plan) {
    const std::int64_t rows = config.grid.cells[1];
    const std::int64_t strips = strips_of(config, plan);
    const std::int64_t segments = 3 * strips;  // approximately
    return !changes_in_time(config) && has_whole_lanes(config, variant.lane_columns) &&
           can_be_assigned(rows, strips, segments);
}

/// Returns the expected time of a step: the iterations of a pipeline, and the synchronisation between two passes.
double predict_pipelines(const Config &config, const PipelineVariant &variant, const ResidentPlan &plan,
                         std::int64_t pipelines) {
    constexpr double pass_seconds = 5.0e-6;
    const std::int64_t rows = rows_of_pipeline(config, pipelines, plan);
    const std::int64_t ranges = divided_up(rows, plan.tile_rows);
    const auto iterations = static_cast<double>(rows + ranges * extra_rows(config));
    const double iteration =
        variant.iteration_seconds + variant.iteration_seconds_of_each * static_cast<double>(pipelines);
    return (iterations * iteration + pass_seconds) / static_cast<double>(pipeline_steps);
}

}  // namespace

void plan_pipelines(const Config &config, const ResidentDevice &device, ResidentPlan &plan) {
    const PipelineVariant variant = pipeline_variant(config);
    const std::int64_t pipelines = pipelines_that_fit(variant, device);
    if (pipelines < 1 || device.units < 1) {
        plan.refused = fmt::format(
            "{} warps of the kernel need {} registers each and {} bytes of shared memory together, but each "
            "of the {} multiprocessors has {} registers and {} bytes",
            variant.stages, 32 * variant.registers, variant.shared_bytes + PIPELINE_CHECK_BYTES, device.units,
            device.registers_per_unit, device.shared_bytes_per_group);
        return;
    }
    const Method &method = method_of(config);
    const char *suffix = is_for_uniform(config) ? "" : "_varied";
    plan.kernel = fmt::format("{}_blocked_2d{}", method.name, suffix);
    plan.groups = device.units;
    plan.group_size = static_cast<int>(pipelines * variant.items);
    plan.shared_bytes = pipelines * variant.shared_bytes;
    plan.depth = static_cast<int>(pipeline_steps);
    plan.warps_of_tile = static_cast<int>(variant.stages);
    if (!expected_uniform(config)) {
        plan.fields_read = method.scales_each_cell ? 4 : 3;  // u and conductances; 1/D
    }
    describe_pipeline_tiles(config, variant, pipelines, plan);
    if (can_sweep(config, variant, plan)) {
        plan.step_seconds = predict_pipelines(config, variant, plan, pipelines);
    } else {
        plan.depth = 1;
    }
}

}  // namespace perdure
