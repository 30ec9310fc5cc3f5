#include "solver/run/image_operator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/image_question.h"
#include "kernels/percolation_pass.h"
#include "solver/backends/wait_limit.hpp"
#include "solver/run/check_range.hpp"
#include "solver/run/conductance.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/run_memory.hpp"

namespace perdure {
namespace {

/// The direction of the problem: the axis whose sides hold values.
int axis_of(const Problem &problem) {
    int axis = 0;
    while (problem.sides[2 * axis].kind != SideKind::value) {
        ++axis;
    }
    return axis;
}

/// The side that holds 1.
std::uint32_t held_side(const Problem &problem) {
    const auto lower = static_cast<std::uint32_t>(2 * axis_of(problem));
    return problem.sides[lower].values[0] != 0.0 ? lower : lower + 1;
}

template <typename Real>
std::vector<Real> table_of(const Problem &problem) {
    const std::vector<Material> &materials = problem.image.materials;
    const auto count = static_cast<std::uint32_t>(materials.size());
    std::vector<Real> table(IMAGE_TABLE_ENTRIES(count), Real(0));
    for (std::uint32_t axis = 0; axis < static_cast<std::uint32_t>(problem.grid.dimensions); ++axis) {
        const double h = problem.grid.spacing[axis];
        for (std::uint32_t m = 0; m < count; ++m) {
            const double a = materials[m].conductivity;
            for (std::uint32_t n = 0; n < count; ++n) {
                table[PAIR_PLACE(count, axis, m, n)] =
                    static_cast<Real>(harmonic(a, materials[n].conductivity) / (h * h));
            }
            for (std::uint32_t side = 2 * axis; side < 2 * axis + 2; ++side) {
                table[SIDE_PLACE(count, side, m)] =
                    static_cast<Real>(side_conductance(problem.sides[side], a, h, 0));
            }
        }
    }
    return table;
}

/// b in the cells beside the side that holds 1.
std::vector<double> entries_of_b(const Problem &problem, const ActiveCells &cells) {
    const Grid &grid = problem.grid;
    const std::uint32_t side = held_side(problem);
    const int axis = static_cast<int>(side / 2);
    std::array<std::int64_t, 3> end = grid.cells;
    std::array<std::int64_t, 3> begin{};
    begin[axis] = side % 2 == 0 ? 0 : grid.cells[axis] - 1;
    end[axis] = begin[axis] + 1;
    std::vector<double> b;
    for (std::int64_t z = begin[2]; z < end[2]; ++z) {
        for (std::int64_t y = begin[1]; y < end[1]; ++y) {
            for (std::int64_t x = begin[0]; x < end[0]; ++x) {
                const std::int64_t i = grid.index(x, y, z);
                if (cells.active[i] != 0) {
                    const double a = problem.image.materials[problem.image.of_cell[i]].conductivity;
                    b.push_back(side_conductance(problem.sides[side], a, grid.spacing[axis], 0) *
                                problem.sides[side].values[0]);
                }
            }
        }
    }
    return b;
}

std::string key_of(const KernelBuffer &buffer) {
    return fmt::format("{}, {}", buffer.name, buffer.bytes);
}

}  // namespace

template <typename Real>
Discretisation<Real> discretise_image(const Problem &problem, const ActiveCells &cells) {
    Discretisation<Real> out;
    out.on_device = true;
    out.spectrum_top = 2.0;
    out.diagonal = table_of<Real>(problem);
    for (const Real conductance : out.diagonal) {
        out.inverse_diagonal.push_back(conductance > Real(0) ? Real(1) / conductance : Real(0));
    }
    const std::vector<double> b = entries_of_b(problem, cells);
    out.b.assign(b.begin(), b.end());
    check_range(out, b);
    return out;
}

void take_fields(const ImageOnDevice &image, KernelCall &call) {
    for (KernelBuffer &buffer : call.buffers) {
        const auto kept = image.fields.find(key_of(buffer));
        if (kept != image.fields.end()) {
            buffer.taken = kept->second;
        }
    }
}

void keep_fields(const KernelCall &call, DeviceRun &run, ImageOnDevice &image) {
    image.fields.clear();
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        if (SharedMemory memory = run.memory(i)) {
            image.fields[key_of(call.buffers[i])] = std::move(memory);
        }
    }
}

template <typename Real>
Preparation make_operator(const ImageOnDevice &image, const Config &config, const Problem &problem,
                          const std::vector<Real> &table, const run_parameters_t &parameters,
                          const LaunchPlan &plan_of_run, DeviceRun &run, Device &device) {
    const LaunchPlan plan = plan_preparation("image_operator", plan_of_run, config, device);
    const image_question_t question{
        static_cast<std::uint32_t>(problem.image.materials.size()),
        BOTH_FACES(static_cast<unsigned>(axis_of(problem))), held_side(problem),
        config.solver.preconditioner == Preconditioner::none &&
                (config.solver.method == SolverMethod::cg || config.solver.method == SolverMethod::bicgstab)
            ? 1U
            : 0U};
    KernelCall call{"image_operator",
                    field_precision(config.execution.precision),
                    {{"control", sizeof(control_t)},
                     {"sync", grid_sync_bytes(static_cast<std::uint32_t>(plan.shape.groups))},
                     {"state", sizeof(run_state_t)},
                     {"partials", sizeof(double)},
                     {"question", sizeof question, &question},
                     buffer_of("table", table),
                     {"material", problem.image.of_cell.size(), nullptr, image.material, true},
                     {"faces", problem.image.of_cell.size(), nullptr, image.faces, true}}};
    const std::size_t field = problem.image.of_cell.size() * sizeof(Real);
    for (const std::size_t at :
         {buffer_diagonal, buffer_inverse_diagonal, buffer_face_x, buffer_face_y, buffer_face_z, buffer_b}) {
        call.buffers.push_back({"field", field, nullptr, run.memory(at), true});
    }
    const std::unique_ptr<DeviceRun> making = device.prepare(call, plan.shape);
    Progress progress(Progress::Style::quiet, 1, true);
    LaunchDriver driver(*making, plan, progress);
    run_parameters_t one_phase = parameters;
    one_phase.wait_limit = watchdog_limit(device, config.execution);
    driver.run(one_phase, 0, 1);
    return {making->launch_seconds(), driver.launches()};
}

template Discretisation<float> discretise_image(const Problem &, const ActiveCells &);
template Discretisation<double> discretise_image(const Problem &, const ActiveCells &);
template Preparation make_operator(const ImageOnDevice &, const Config &, const Problem &,
                                   const std::vector<float> &, const run_parameters_t &, const LaunchPlan &,
                                   DeviceRun &, Device &);
template Preparation make_operator(const ImageOnDevice &, const Config &, const Problem &,
                                   const std::vector<double> &, const run_parameters_t &, const LaunchPlan &,
                                   DeviceRun &, Device &);

}  // namespace perdure
