#include "solver/run/run_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "kernels/grid.h"
#include "kernels/program.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/run/check_range.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/grid_parameters.hpp"
#include "solver/run/kernel_buffers.hpp"

namespace perdure {
namespace {

constexpr std::int64_t most_history_entries = 1 << 18;

template <typename Real>
double norm_of(const std::vector<Real> &values, std::size_t cells, Norm norm) {
    double sum = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < cells; ++i) {
        const double value = values[i];
        sum += value * value;
        largest = std::max(largest, std::abs(value));
    }
    return norm == Norm::max ? largest : std::sqrt(sum);
}

template <typename Real>
void set_inner(const Discretisation<Real> &discretisation, run_parameters_t &out) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::vector<Real> &above =
            out.convective != 0 ? discretisation.across[axis] : discretisation.face[axis];
        out.inner_conductance[WEST + 2 * axis] = static_cast<double>(discretisation.face[axis].front());
        out.inner_conductance[EAST + 2 * axis] = static_cast<double>(above.front());
    }
    const std::size_t place = inner_place(out.dimensions);
    out.inner_diagonal = static_cast<double>(discretisation.diagonal.at(place));
    out.inner_inverse_diagonal = static_cast<double>(discretisation.inverse_diagonal.at(place));
}

void set_solver(const Config &config, run_parameters_t &out) {
    out.norm = config.solver.norm == Norm::max ? NORM_MAX : NORM_L2;
    out.max_iterations = static_cast<std::uint32_t>(config.solver.max_iterations);
    out.check_every = static_cast<std::uint32_t>(config.solver.check_every);
    out.weight = config.solver.weight;
    out.rtol = config.solver.rtol;
    out.atol = config.solver.atol;
    const bool single = config.execution.precision == Precision::float32;
    out.epsilon = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

/// The state before the first phase; the program is one solve.
run_state_t initial_state() {
    run_state_t state{};
    state.control.bad_cell = NO_CELL;
    state.control.slack = ORDERED_PLUS_INFINITY;
    state.solve.best_residual = std::numeric_limits<double>::infinity();
    state.program[0] = {RUN_SOLVE, 0};
    state.program[1] = {STOP_RUN, STOP_NONE};
    begin_program(&state);
    return state;
}

/// Resident kernels of conjugate gradients come in forms, which the plan alone cannot tell.
std::string kernel_form(const LaunchPlan &plan, const run_parameters_t &parameters) {
    if (!plan.resident.conjugate_gradients) {
        return plan.launched;
    }
    const cg_plan_t &cg = plan.resident.cg;
    const std::string kind =
        fmt::format("{}_{}", plan.launched, parameters.uniform != 0 ? "uniform" : "variable");
    return plan.resident.regime == ResidentRegime::through_memory
               ? fmt::format("{}_{}_{}", kind, cg.items, cg.cells)
               : fmt::format("{}_{}{}{}", kind, cg.cells, cg.x_on_chip != 0 ? "" : "_anew",
                             cg.full != 0 && parameters.uniform != 0 ? "_full" : "");
}

}  // namespace

template <typename Real>
RunMemory<Real>::RunMemory(const Config &config, const Grid &grid, const Field &field,
                           const ActiveCells &cells, const LaunchPlan &plan,
                           Discretisation<Real> discretisation, const std::vector<TimeSegment> &segments)
    : config_(config), plan_(plan), discretisation_(std::move(discretisation)) {
    const auto count = static_cast<std::size_t>(grid.count());
    const bool steady = !field.in_time;
    const auto periodic = [&](int axis) { return is_periodic(field.sides, axis); };
    set_grid(grid, {periodic(0), periodic(1), periodic(2)}, plan.boxes, parameters_);
    set_solver(config, parameters_);
    parameters_.barrier = barrier_kind(plan.barrier);
    parameters_.uniform = discretisation_.uniform ? 1 : 0;
    parameters_.convective = field.convective ? 1 : 0;
    parameters_.prefetch = plan.prefetch;
    parameters_.factors = static_cast<std::uint32_t>(discretisation_.factors.size());
    parameters_.spectrum_top = std::max(1.1, discretisation_.spectrum_top);
    state_ = initial_state();
    std::int64_t iterations = config.solver.max_iterations;
    if (steady) {
        know_right_hand_side(
            &state_.solve, &parameters_,
            norm_of(discretisation_.b, std::min(count, discretisation_.b.size()), config.solver.norm));
    } else {
        iterations = segments.back().first_step + static_cast<std::int64_t>(segments.back().steps);
        parameters_.max_iterations = static_cast<std::uint32_t>(iterations);
        for (const TimeSegment &segment : segments) {
            factor_rows_ = std::max<std::size_t>(factor_rows_, segment.steps);
        }
    }
    const auto entries = plan.method->history_entries_per_check * (iterations / config.solver.check_every) +
                         3 + static_cast<std::int64_t>(segments.size());
    parameters_.history_capacity = static_cast<std::uint32_t>(std::min(entries, most_history_entries));
    if (plan.method->begin != nullptr) {
        plan.method->begin(config, grid, field, parameters_, state_);
    }
    if (is_unpreconditioned(config)) {
        std::transform(discretisation_.inverse_diagonal.begin(), discretisation_.inverse_diagonal.end(),
                       discretisation_.inverse_diagonal.begin(),
                       [](Real d) { return d != Real(0) ? Real(1) : Real(0); });
    }
    if (plan.method->has_cycles) {
        const bool mixed = config.execution.precision == Precision::mixed;
        multigrid_.emplace(config, grid, field, cells, discretisation_,
                           mixed ? scale_to_float32(discretisation_) : 1.0,
                           CycleDevice{plan.on_gpu, plan.line_values});
    }
    if (discretisation_.uniform) {
        set_inner(discretisation_, parameters_);
    }
    parameters_.from_zero = field.initial.uniform() && field.initial[0] == 0.0 ? 1 : 0;
    if (parameters_.from_zero != 0) {
        return;  // zeros are made where they are needed
    }
    initial_.resize(count);
    in_parallel(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const bool active = cells.active.empty() || cells.active[i] != 0;
            initial_[i] = active ? static_cast<Real>(field.initial[i]) : Real(0);
        }
    });
}

template <typename Real>
KernelCall RunMemory<Real>::call() const {
    const std::size_t field = std::size_t{parameters_.cells} * sizeof(Real);
    const auto coefficients = [&](const char *name, const std::vector<Real> &values, bool one_value = false) {
        return discretisation_.on_device ? KernelBuffer{name, one_value ? sizeof(Real) : field}
                                         : buffer_of(name, values);
    };
    const bool resident = plan_.model == ExecutionModel::resident;
    const std::size_t parts = std::max<std::size_t>(parameters_.chunks, resident ? plan_.shape.groups : 0);
    std::vector<KernelBuffer> given = {
        {"control", sizeof(control_t)},
        {"sync", grid_sync_bytes(static_cast<std::uint32_t>(plan_.shape.groups))},
        {"state", sizeof(run_state_t), &state_},
        {"partials", MAX_SUMS * parts * sizeof(double)},  // of chunks, or of groups
        {"history", 3 * parameters_.history_capacity * sizeof(double)},
        coefficients("diagonal", discretisation_.diagonal),
        coefficients("inverse_diagonal", discretisation_.inverse_diagonal),
        coefficients("face_x", discretisation_.face[0]),
        coefficients("face_y", discretisation_.face[1]),
        coefficients("face_z", discretisation_.face[2], parameters_.dimensions < 3),
        buffer_of("across_x", discretisation_.across[0]),
        buffer_of("across_y", discretisation_.across[1]),
        buffer_of("across_z", discretisation_.across[2]),
        coefficients("b", discretisation_.b),
        {"factor_table", factor_rows_ * parameters_.factors * sizeof(Real)},
        {"messages", static_cast<std::size_t>(plan_.resident.message_bytes)},
        {"plan", sizeof(cg_plan_t), &plan_.resident.cg},
        {"rows", resident_rows_bytes(static_cast<std::uint32_t>(plan_.shape.groups))},
    };
    if (multigrid_) {
        const std::vector<KernelBuffer> of_levels = multigrid_->buffers();
        given.insert(given.end(), of_levels.begin(), of_levels.end());
    }
    for (const std::string_view name : plan_.method->unused) {
        given.push_back({std::string(name), 0});
    }
    const FieldSizes sizes{field, parameters_.uniform == 0};
    KernelCall call{kernel_form(plan_, parameters_), config_.execution.precision, {}};
    call.buffers = kernel_buffers(fields(), given, sizes);
    if (!initial_.empty()) {
        call.buffers[initial_buffer()].initial = initial_.data();
    }
    if (parameters_.uniform != 0 && (!multigrid_ || multigrid_->uniform())) {
        call.form = parameters_.dimensions == 3 ? KernelForm::uniform_3d : KernelForm::uniform_2d;
    }
    call.cooperative = plan_.barrier == BarrierChoice::cooperative;
    return call;
}

template <typename Real>
std::span<const KernelField> RunMemory<Real>::fields() const {
    return plan_.model == ExecutionModel::resident ? plan_.resident.fields : plan_.method->fields;
}

template <typename Real>
std::int64_t RunMemory<Real>::bytes() const {
    std::int64_t sum = 0;
    for (const KernelBuffer &buffer : call().buffers) {
        sum += static_cast<std::int64_t>(buffer.bytes);
    }
    return sum;
}

template <typename Real>
std::size_t RunMemory<Real>::initial_buffer() const {
    return answer_arguments(fields()).first;
}

template <typename Real>
std::size_t RunMemory<Real>::answer_buffer(const run_state_t &state) const {
    const ArgumentRange answer = answer_arguments(fields());
    return answer.first + (answer.count > 1 ? state.control.answer : 0);
}

template <typename Real>
run_parameters_t RunMemory<Real>::segment_parameters(const TimeSegment &segment) const {
    run_parameters_t parameters = parameters_;
    parameters.time_step = segment.step;
    parameters.last_time_step = segment.last_step;
    parameters.last_step = segment.first_step + segment.steps - 1;
    parameters.factor_first = segment.first_step;
    return parameters;
}

template <typename Real>
std::vector<Real> RunMemory<Real>::factor_table(const TimeSegment &segment) const {
    const std::size_t factors = discretisation_.factors.size();
    std::vector<Real> table(factors * segment.steps);
    const std::vector<double> times = factors > 0 ? step_times(segment) : std::vector<double>{};
    for (std::size_t k = 0; k < factors; ++k) {
        const std::vector<double> g = evaluate_time_factor(discretisation_.factors[k], times);
        for (std::size_t n = 0; n < g.size(); ++n) {
            table[n * factors + k] = static_cast<Real>(g[n]);
        }
    }
    return table;
}

template class RunMemory<float>;
template class RunMemory<double>;

}  // namespace perdure
