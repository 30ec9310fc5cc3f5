#include "solver/run/plan_launch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/equations/equation.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/problem/problem_findings.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/resident/plan_on_chip.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/kernel_buffers.hpp"
#include "solver/run/multigrid_memory.hpp"
#include "solver/run/plan_devices.hpp"
#include "solver/run/plan_ranks.hpp"
#include "solver/run/plan_ring.hpp"
#include "solver/run/readable_bytes.hpp"
#include "solver/systems/system_memory.hpp"
#include "sync/dialect.h"

namespace perdure {
namespace {

bool has_variable_coefficients(const Config &config) {
    return std::ranges::any_of(coefficients_of(config), [](const ValueSource *source) {
        return source->kind == ValueSource::Kind::dataset || source->kind == ValueSource::Kind::labels;
    });
}

/// Whose vertices (kernels/cross_terms.h) are as many as cells, about.
bool has_tensors(const Config &config) {
    return !config.a.labels_cross.empty();
}

/// On processors, lookups cost more than the memory that they save.
bool takes_labels(const Config &config, bool on_gpu) {
    return on_gpu && comes_by_labels(config);
}

FinestLevel planned_level(const Config &config, const CycleDevice &device) {
    FinestLevel level =
        finest_level(config.grid, config.sides, config, !has_variable_coefficients(config), device);
    level.by_labels = takes_labels(config, device.gpu);
    level.has_kinds = level.by_labels && inverses_come_by_kinds(config);
    return level;
}

/// Where the launch says how much memory a group has, it has what lines need; elsewhere what there is.
void plan_line_memory(const Config &config, const DeviceDescription &device, LaunchPlan &plan) {
    plan.line_values = device.line_values;
    if (device.memory_by_launch) {
        plan.line_values =
            make_levels(planned_level(config, {device.gpu, device.line_values})).values_in_group;
        plan.shape.shared_bytes =
            static_cast<std::size_t>(plan.line_values * cycle_bytes(config.execution.precision));
    }
}

std::int64_t least_bytes(const Config &config, const Method &method, const CycleDevice &device) {
    const std::int64_t cells = config.grid.cells[0] * config.grid.cells[1] * config.grid.cells[2];
    FieldCount fields = count_fields(
        takes_labels(config, device.gpu) ? method.fields_by_labels : method.fields, method.unused,
        config.grid.dimensions, config.velocity.has_value(),
        {.fields = field_names(config).size(), .rates = static_cast<std::size_t>(method.rates_kept)});
    const std::int64_t size = real_bytes(config);
    if (takes_labels(config, device.gpu)) {
        count_tables_instead(config, fields);
    }
    const auto [nx, ny, nz] = config.grid.cells;
    const std::int64_t vertices = (nx + 1) * (ny + 1) * (config.grid.dimensions == 3 ? nz + 1 : 1);
    return (equation_of(config.type).device_bytes_per_cell + fields.bytes) * cells +
           (has_tensors(config) ? vertices * std::int64_t{sizeof(std::uint32_t)} : 0) +
           cells * size * (fields.always + (has_variable_coefficients(config) ? fields.varied : 0)) +
           (method.has_cycles ? multigrid_bytes(planned_level(config, device), config.execution.precision)
                              : 0);
}

int checked_group_size(const Config &config, Device &device, const KernelVariant &variant) {
    const int asked = config.execution.group_size;
    const int limit = device.largest_group_size(variant);
    if (asked > limit) {
        fail_at(config.execution.group_size_position, ExitCode::case_or_usage, config,
                fmt::format("execution.group_size: {} items per group are more than {} can run in kernel "
                            "'{}', at most {}; remove the key to use {}",
                            asked, device.description().name, variant.kernel, limit,
                            std::min(device.default_group_size(), limit)));
    }
    return asked > 0 ? asked : std::min(device.default_group_size(), limit);
}

int checked_groups(const Config &config, Device &device, const LaunchPlan &plan,
                   const KernelVariant &variant) {
    const int asked = config.execution.groups;
    const bool queue = plan.model != ExecutionModel::persistent && device.description().groups_queue;
    const int together = plan.shape.shared_bytes > 0 ? device.resident_groups_with(variant, plan.shape)
                                                     : device.most_groups(variant, plan.shape.group_size);
    const int limit = queue ? std::max(static_cast<int>(plan.chunks), together) : together;
    if (asked > limit) {
        fail_at(config.execution.groups_position, ExitCode::case_or_usage, config,
                fmt::format(
                    "execution.groups: {} groups of {} items {} {}, at most {}; remove the key to use as "
                    "many groups as are useful",
                    asked, plan.shape.group_size,
                    queue ? "are more than this grid can keep busy on" : "cannot all run at the same time on",
                    device.description().name, limit));
    }
    const int devices = device.description().devices;
    if (asked > 0 && asked < devices) {
        fail_at(
            config.execution.groups_position, ExitCode::case_or_usage, config,
            fmt::format(
                "execution.groups: {} is less than the {} devices that share the case; each needs a group",
                asked, devices));
    }
    if (asked > 0) {
        return asked;
    }
    const std::int64_t resident = device.resident_groups_with(variant, plan.shape);
    if (resident < 1) {
        throw Failure(ExitCode::device,
                      fmt::format("{} cannot hold one group of {} items of kernel '{}'",
                                  device.description().name, plan.shape.group_size, plan.launched));
    }
    const std::int64_t chunks = (plan.chunks + devices - 1) / devices;  // of a device
    const std::int64_t rounds = (chunks * devices + resident - 1) / resident;
    const std::int64_t cells = config.grid.cells[0] * config.grid.cells[1] * config.grid.cells[2];
    const std::int64_t busy =
        std::max<std::int64_t>(cells / device.description().least_cells_of_group, devices);
    return static_cast<int>(std::min((chunks + rounds - 1) / rounds * devices, busy));
}

/// The form that RunMemory will ask for, as far as the case file tells: where a problem turns out to be of another form, both are
/// compiled.
KernelVariant expected_variant(const Config &config, const LaunchPlan &plan) {
    const KernelForm form = has_tensors(config)        ? form_of_tensors(config.grid.dimensions)
                            : plan.by_labels           ? form_by_labels(config.grid.dimensions)
                            : expected_uniform(config) ? form_of_uniform(config.grid.dimensions)
                                                       : KernelForm::any;
    return {plan.launched, config.execution.precision, form,
            config.execution.barrier == BarrierChoice::cooperative, plan.definitions};
}

/// `held_part`: of the grid, in each process.
void check_memory(const Config &config, const Device &device, std::int64_t bytes, double held_part) {
    const DeviceDescription &description = device.description();
    if (static_cast<double>(bytes) > static_cast<double>(description.free_bytes)) {
        std::string more = config.execution.precision != Precision::float32 ? " or precision: float32" : "";
        more += held_part < 1.0 ? ", or more processes" : "";
        throw Failure(
            ExitCode::device,
            fmt::format("the fields of this case need at least {} in {}, but {} has only {} free of {}; use "
                        "a smaller grid{}",
                        readable_bytes(static_cast<double>(bytes)), name(config.execution.precision),
                        description.name, readable_bytes(static_cast<double>(description.free_bytes)),
                        readable_bytes(static_cast<double>(description.memory_bytes)), more));
    }
}

/// The shape of a resident kernel is part of it: nothing to choose but fewer groups.
void plan_resident_launch(const Config &config, Device &device, LaunchPlan &plan) {
    const ExecutionConfig &execution = config.execution;
    const DeviceDescription &description = device.description();
    plan.resident = plan_resident(config, resident_device(description));
    if (plan.resident.refused.empty() && plan.bounded && plan.resident.is_one_launch) {
        plan.resident.refused =
            "a resident run is one launch, and on this device launches are limited to 0.5 s";
    }
    if (plan.resident.refused.empty()) {
        const int groups =
            execution.groups > 0 ? std::min(execution.groups, plan.resident.groups) : plan.resident.groups;
        plan.resident.refused =
            why_not_on_devices(config, description.devices, plan.boxes, plan.resident, groups);
    }
    if (!plan.resident.refused.empty()) {
        fail_at(
            execution.model_position, ExitCode::case_or_usage, config,
            fmt::format("execution.model: resident cannot run this case on {}: {}; use persistent or auto",
                        description.name, plan.resident.refused));
    }
    if (execution.group_size > 0 && execution.group_size != plan.resident.group_size) {
        fail_at(execution.group_size_position, ExitCode::case_or_usage, config,
                fmt::format("execution.group_size: the resident kernel '{}' always has groups of {} items; "
                            "remove the key",
                            plan.resident.kernel, plan.resident.group_size));
    }
    // Of conjugate gradients it says how many at most: boxes divide the grid among fewer.
    const int at_most = plan.resident.conjugate_gradients
                            ? std::max(plan.resident.groups, description.compute_units)
                            : plan.resident.groups;
    if (execution.groups > at_most) {
        fail_at(execution.groups_position, ExitCode::case_or_usage, config,
                fmt::format("execution.groups: {} groups of the resident kernel '{}' cannot all run at the "
                            "same time on {}; use at most {}",
                            execution.groups, plan.resident.kernel, description.name, at_most));
    }
    plan.launched = plan.resident.kernel;
    plan.definitions += plan.resident.definitions;
    const bool fewer = execution.groups > 0 && execution.groups < plan.resident.groups;
    plan.shape = {fewer ? execution.groups : plan.resident.groups, plan.resident.group_size,
                  static_cast<std::size_t>(plan.resident.shared_bytes)};
}

}  // namespace

ResidentDevice resident_device(const DeviceDescription &description) {
    return {description.compute_units, description.registers_per_unit, description.items_per_unit,
            description.shared_bytes_per_group, description.no_resident};
}

LaunchPlan plan_preparation(const std::string &kernel, const LaunchPlan &of_runs, const Config &config,
                            Device &device) {
    LaunchPlan plan;
    plan.launched = kernel;
    plan.model =
        of_runs.model == ExecutionModel::launches ? ExecutionModel::launches : ExecutionModel::persistent;
    plan.barrier = of_runs.barrier;
    plan.bounded = of_runs.bounded;
    plan.boxes = of_runs.boxes;
    if (ranks() == nullptr) {  // each rank prepares all for itself
        plan.shape.cuts = of_runs.shape.cuts;
    }
    plan.chunks = of_runs.chunks;
    const Precision precision = field_precision(config.execution.precision);
    const ExecutionConfig &asked = config.execution;
    plan.shape.group_size = std::min(asked.group_size > 0 ? asked.group_size : device.default_group_size(),
                                     device.largest_group_size({kernel, precision}));
    const int together = asked.groups > 0
                             ? device.most_groups({kernel, precision}, plan.shape.group_size)
                             : device.resident_groups({kernel, precision}, plan.shape.group_size);
    const int useful = asked.groups > 0 ? asked.groups : static_cast<int>(plan.chunks);
    plan.shape.groups = std::min(together, std::max(useful, device.description().devices));
    return plan;
}

/// An H100's unit has the places of 16 pages of 2 MiB at hand. The direction of cg in 3D reads three planes of two fields and
/// two more of others: with rows of a plane ahead of three of them these are too many where planes do not share a page.
/// Measured: tools/results/resident_log.md, "Phases".
std::uint32_t prefetched_fields(const Config &config, const DeviceDescription &device,
                                std::int64_t run_bytes) {
    if (device.cache_bytes == 0 || run_bytes <= device.cache_bytes) {
        return 0;
    }
    constexpr std::int64_t half_a_page = std::int64_t{1} << 20;
    const std::int64_t size = real_bytes(config);
    const bool planes_share_pages =
        config.grid.dimensions == 2 || config.grid.cells[0] * config.grid.cells[1] * size <= half_a_page;
    return planes_share_pages ? 3 : 2;
}

LaunchPlan plan_launch(const Config &config, Device &device) {
    check_model(config, device.description());
    LaunchPlan plan;
    plan.method = &method_of(config);
    plan.model = config.execution.model;
    plan.on_gpu = device.description().gpu;
    plan.bounded = !device.description().shared_control || device.description().time_limited;
    plan.boxes = choose_boxes(config.grid.cells, config.grid.dimensions);
    plan.chunks = chunks_of(plan.boxes);
    check_devices(config, device.description().devices, plan.boxes);
    plan.launched = plan.method->kernel;
    if (config.formulas && device.description().backend != BackendChoice::host) {
        const SystemSteps steps = steps_of_formulas(config);
        plan.definitions = systems::printed_definitions(systems::formulas_of_kernel(*config.formulas, steps),
                                                        steps, config.grid.dimensions, real_bytes(config));
    }
    plan.by_labels = takes_labels(config, plan.on_gpu);
    if (plan.model == ExecutionModel::resident) {
        plan_resident_launch(config, device, plan);
    } else {
        if (plan.method->has_cycles) {
            plan_line_memory(config, device.description(), plan);
        }
        const KernelVariant variant = expected_variant(config, plan);
        plan.shape.group_size = checked_group_size(config, device, variant);
        plan.shape.groups = checked_groups(config, device, plan, variant);
    }
    const int parts = ranks() != nullptr ? ranks()->count() : device.description().devices;
    plan.shape.cuts = cuts_between(parts, plan.boxes, config.grid.cells);
    plan.reach = reach_of_phases(config);
    check_ranks(config, device.description(), plan);
    check_barrier(config, device.description(), plan.shape.group_size);
    if (config.execution.barrier != BarrierChoice::automatic) {
        plan.barrier = config.execution.barrier;
    }
    HeldParts held = held_parts(config, device.description(), plan);
    plan.held_cells = std::move(held.cells);
    plan.held_part = held.largest;
    plan.least_bytes = static_cast<std::int64_t>(
        std::ceil(plan.held_part *
                  static_cast<double>(least_bytes(config, *plan.method, {plan.on_gpu, plan.line_values}))));
    plan.prefetch = prefetched_fields(config, device.description(), plan.least_bytes);
    check_memory(config, device, plan.least_bytes, plan.held_part);
    plan_ring(config, device.description(), plan);
    return plan;
}

}  // namespace perdure
