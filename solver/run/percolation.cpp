#include "solver/run/percolation.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/percolation_fields.h"
#include "kernels/percolation_pass.h"
#include "solver/backends/wait_limit.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/large_vector.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/grid_parameters.hpp"
#include "solver/run/kernel_buffers.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

/// With insulated sides the same parts serve all axes; with periodic ones an axis does not wrap while it is asked.
std::vector<percolation_pass_t> passes_of(const PercolationQuestion &question) {
    const auto conducting = static_cast<std::uint32_t>(question.image.conducting());
    std::uint32_t all = 0;
    for (const int axis : question.axes) {
        all |= 1U << axis;
    }
    std::vector<percolation_pass_t> passes;
    const auto add = [&](std::uint32_t axes, std::uint32_t wraps) {
        passes.push_back({axes, wraps, 0});
        if (conducting > 0) {
            passes.push_back({axes, wraps, conducting});
        }
    };
    if (!question.periodic) {
        add(all, 0);
        return passes;
    }
    for (const int axis : question.axes) {
        const std::uint32_t box = (1U << question.grid.dimensions) - 1U;
        add(1U << axis, box & ~(1U << axis));
    }
    return passes;
}

KernelCall call_of(const PercolationQuestion &question, const std::vector<percolation_pass_t> &passes,
                   int groups, Precision precision) {
    const auto cells = static_cast<std::size_t>(question.grid.count());
    constexpr std::array fields{PREPARATION_KERNEL_FIELDS(PERCOLATION_FIELDS)};
    std::vector<KernelBuffer> given = preparation_buffers(groups);
    given.insert(given.end(), {{"passes", passes.size() * sizeof(percolation_pass_t), passes.data()},
                               {"material", cells, question.image.of_cell.data()},
                               {"parent", cells * sizeof(std::uint32_t)},
                               {"reach", cells * sizeof(std::uint32_t)},
                               {"faces", cells},
                               {"found", PERCOLATION_FOUND_WORDS * sizeof(std::uint32_t)}});
    return {"percolation", precision, kernel_buffers(fields, given, {})};
}

Percolation answer(const PercolationQuestion &question, const KernelCall &call, DeviceRun &run) {
    const TimeSpent::Scope downloading(Activity::download);
    std::vector<std::uint32_t> found(PERCOLATION_FOUND_WORDS);
    run.read(call.place_of("found"), found.data(), found.size() * sizeof(std::uint32_t));
    Percolation percolation;
    for (const int axis : question.axes) {
        const std::uint32_t *row = found.data() + static_cast<std::size_t>(axis) * PERCOLATION_ROW;
        for (std::size_t i = 0; i < question.image.materials.size(); ++i) {
            percolation.along[axis].material.push_back(row[i] != 0);
        }
        percolation.along[axis].connected_cells = row[PERCOLATION_CONNECTED];
    }
    percolation.faces = zeros<std::uint8_t>(question.image.of_cell.size());
    run.read(call.place_of("faces"), percolation.faces.data(), percolation.faces.size());
    return percolation;
}

}  // namespace

Percolation find_percolation(const PercolationQuestion &question, const Config &config, Device &device,
                             const LaunchPlan &plan_of_runs) {
    const LaunchPlan plan = plan_preparation("percolation", plan_of_runs, config, device);
    const std::vector<percolation_pass_t> passes = passes_of(question);
    const auto phases = static_cast<std::uint32_t>(passes.size() * PERCOLATION_STEPS);
    run_parameters_t parameters{};
    set_grid(question.grid, {}, plan.boxes, parameters);
    parameters.barrier = barrier_kind(plan.barrier);
    parameters.wait_limit = watchdog_limit(device, config.execution);
    parameters.check_every = phases;
    const KernelCall call = call_of(question, passes, plan.shape.groups, config.execution.precision);
    const std::unique_ptr<DeviceRun> run = [&] {
        const TimeSpent::Scope uploading(Activity::upload);
        return device.prepare(call, plan.shape);
    }();
    Progress progress(Progress::Style::quiet, phases);
    LaunchDriver driver(*run, plan, progress);
    driver.run(parameters, 0, phases);
    Percolation percolation = answer(question, call, *run);
    percolation.device_seconds = run->launch_seconds();
    percolation.material_on_device = run->memory(call.place_of("material"));
    percolation.faces_on_device = run->memory(call.place_of("faces"));
    percolation.launches = driver.launches();
    percolation.barriers = driver.barriers();
    return percolation;
}

ActiveCells active_along(const Percolation &percolation, int axis) {
    ActiveCells cells;
    cells.active = zeros<std::uint8_t>(percolation.faces.size());
    const unsigned faces = BOTH_FACES(static_cast<unsigned>(axis));
    std::atomic<std::int64_t> active = 0;
    in_parallel(static_cast<std::int64_t>(cells.active.size()), [&](std::int64_t begin, std::int64_t end) {
        std::int64_t here = 0;
        for (std::int64_t i = begin; i < end; ++i) {
            cells.active[i] = (percolation.faces[i] & faces) != 0 ? 1 : 0;
            here += cells.active[i];
        }
        active += here;
    });
    cells.excluded = static_cast<std::int64_t>(cells.active.size()) - active;
    return cells;
}

}  // namespace perdure
