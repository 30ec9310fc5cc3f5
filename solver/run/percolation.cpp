#include "solver/run/percolation.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

#include "kernels/percolation_fields.h"
#include "kernels/percolation_pass.h"
#include "solver/backends/wait_limit.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/large_vector.hpp"
#include "solver/problem/periodic_parts.hpp"
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
    if (question.sides == ImageSides::insulated) {
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
                               {.name = "found",
                                .bytes = PERCOLATION_FOUND_WORDS * sizeof(std::uint32_t),
                                .read_behind_launch = true}});
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
    percolation.faces.resize(question.image.of_cell.size());
    run.read(call.place_of("faces"), percolation.faces.data(), percolation.faces.size());
    return percolation;
}

Percolation percolation_of_cell(const PercolationQuestion &question) {
    Percolation found;
    const MaterialImage &image = question.image;
    const PeriodicParts parts(question.grid, image, false);
    found.parts = parts.parts();
    found.part.assign(image.of_cell.size(), -1);
    found.faces = filled_vector<std::uint8_t>(image.of_cell.size(), 0);
    constexpr std::uint8_t all_faces = BOTH_FACES(0U) | BOTH_FACES(1U) | BOTH_FACES(2U);
    std::array<std::atomic<std::int64_t>, 3> connected{};
    parts.for_each_in_parallel([&](const Run &run, std::uint8_t endless) {
        const std::int64_t row = question.grid.index(0, run.y, run.z);
        std::fill(found.part.begin() + row + run.begin, found.part.begin() + row + run.end, run.part);
        std::fill(found.faces.begin() + row + run.begin, found.faces.begin() + row + run.end, all_faces);
        for (const int axis : question.axes) {
            if ((endless >> axis & 1U) != 0) {
                connected[axis].fetch_add(run.end - run.begin, std::memory_order_relaxed);
            }
        }
    });
    std::vector<std::atomic<std::uint8_t>> endless_of(image.materials.size());
    PeriodicParts(question.grid, image, true).for_each_in_parallel([&](const Run &run, std::uint8_t endless) {
        const std::uint8_t material = image.of_cell[question.grid.index(run.begin, run.y, run.z)];
        endless_of[material].fetch_or(endless, std::memory_order_relaxed);
    });
    for (const int axis : question.axes) {
        found.along[axis].connected_cells = connected[axis];
        for (const auto &endless : endless_of) {
            found.along[axis].material.push_back((endless >> axis & 1U) != 0);
        }
    }
    return found;
}

}  // namespace

Percolation find_percolation(const PercolationQuestion &question, const Config &config, Device &device,
                             const LaunchPlan &plan_of_runs) {
    const LaunchPlan plan = plan_preparation("percolation", plan_of_runs, config, device);
    const std::vector<percolation_pass_t> passes = passes_of(question);
    const auto devices = static_cast<std::uint32_t>(device.description().devices);
    const std::uint32_t phases = static_cast<std::uint32_t>(passes.size()) * percolation_steps(devices);
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
    Percolation percolation;
    if (question.sides == ImageSides::periodic_cell) {
        const auto start = std::chrono::steady_clock::now();
        percolation = percolation_of_cell(question);
        percolation.host_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        run->write(call.place_of("faces"), percolation.faces.data(), percolation.faces.size());
    } else {
        Progress progress(Progress::Style::quiet, phases);
        LaunchDriver driver(*run, plan, progress);
        driver.run(parameters, 0, phases);
        percolation = answer(question, call, *run);
        percolation.device_seconds = run->launch_seconds();
        percolation.launches = driver.launches();
        percolation.barriers = driver.barriers();
    }
    percolation.material_on_device = run->memory(call.place_of("material"));
    percolation.faces_on_device = run->memory(call.place_of("faces"));
    return percolation;
}

void find_active_along(const Percolation &percolation, int axis, ActiveCells &cells) {
    cells.active.resize(percolation.faces.size());
    const unsigned faces = BOTH_FACES(static_cast<unsigned>(axis));
    std::atomic<std::int64_t> active = 0;
    in_parallel(static_cast<std::int64_t>(cells.active.size()), [&](std::int64_t begin, std::int64_t end) {
        std::int64_t here = 0;
        const std::uint8_t *const connected = percolation.faces.data();
        std::uint8_t *const is_active = cells.active.data();
        for (std::int64_t i = begin; i < end; ++i) {
            const bool conducts = (connected[i] & faces) != 0;
            is_active[i] = conducts ? 1 : 0;
            here += conducts ? 1 : 0;
        }
        active += here;
    });
    cells.excluded = static_cast<std::int64_t>(cells.active.size()) - active;
    cells.pinned = percolation.parts > 0;
    cells.part = percolation.part;
    cells.parts = percolation.parts;
}

}  // namespace perdure
