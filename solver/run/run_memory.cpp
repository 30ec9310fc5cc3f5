#include "solver/run/run_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "kernels/grid.h"
#include "kernels/run.h"
#include "solver/problem/in_parallel.hpp"
#include "solver/run/check_range.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/grid_parameters.hpp"
#include "solver/run/over_relaxation.hpp"

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

/// The state before the first phase. With b = 0 the tolerance waits for the initial residual.
run_state_t initial_state(const run_parameters_t &parameters, bool steady) {
    run_state_t state{};
    state.bad_cell = NO_CELL;
    state.slack = ORDERED_PLUS_INFINITY;
    state.best_residual = std::numeric_limits<double>::infinity();
    if (steady && parameters.right_hand_side_norm > 0.0) {
        state.tolerance = std::max(parameters.rtol * parameters.right_hand_side_norm, parameters.atol);
        state.tolerance_known = 1;
    }
    return state;
}

/// The first polynomial: eigenvalues of 1 - D^-1 A in [1 - spectrum_top, 0]. Checks raise the upper bound.
void begin_chebyshev(const run_parameters_t &parameters, run_state_t &state) {
    const double lower = 1.0 - parameters.spectrum_top;
    const double ratio = lower / (2.0 - lower);
    state.gamma = 2.0 / (2.0 - lower);
    state.alpha = ratio * ratio;
    state.rho[0] = 1.0;
}

/// Resident kernels of conjugate gradients come in forms, which the plan alone cannot tell.
std::string kernel_form(const LaunchPlan &plan, const run_parameters_t &parameters) {
    if (!plan.resident.conjugate_gradients) {
        return plan.launched;
    }
    const cg_plan_t &cg = plan.resident.cg;
    const std::string kind =
        fmt::format("{}_{}", plan.launched, parameters.uniform != 0 ? "uniform" : "variable");
    return plan.resident.regime == ResidentRegime::streamed
               ? fmt::format("{}_{}_{}", kind, cg.items, cg.cells)
               : fmt::format("{}_{}{}{}", kind, cg.cells, cg.x_on_chip != 0 ? "" : "_anew",
                             cg.full != 0 && parameters.uniform != 0 ? "_full" : "");
}

/// Fields that a kernel takes after those that all have in common.
std::vector<const char *> fields_of(const std::string &kernel) {
    if (kernel == "cg") {
        return {"r", "q", "p even", "p odd"};
    }
    if (kernel == "cg_multigrid") {
        return {"r even", "r odd", "q", "p even", "p odd"};
    }
    if (kernel == "bicgstab") {
        return {"r", "s", "t", "p even", "p odd", "v even", "v odd"};
    }
    if (kernel == "sor") {
        return {};
    }
    if (kernel == "multigrid") {
        return {"r"};
    }
    return {"u odd"};
}

}  // namespace

template <typename Real>
RunMemory<Real>::RunMemory(const Config &config, const Problem &problem, const ActiveCells &cells,
                           const LaunchPlan &plan, Discretisation<Real> discretisation,
                           const std::vector<TimeSegment> &segments)
    : config_(config), plan_(plan), discretisation_(std::move(discretisation)) {
    const auto count = static_cast<std::size_t>(problem.grid.count());
    const bool steady = problem.type == ProblemType::diffusion;
    const auto periodic = [&](int axis) { return problem.sides[2 * axis].kind == SideKind::periodic; };
    set_grid(problem.grid, {periodic(0), periodic(1), periodic(2)}, plan.boxes, parameters_);
    set_solver(config, parameters_);
    parameters_.barrier = barrier_kind(plan.barrier);
    parameters_.uniform = discretisation_.uniform ? 1 : 0;
    parameters_.convective = problem.convective ? 1 : 0;
    parameters_.prefetch = plan.prefetch;
    parameters_.factors = static_cast<std::uint32_t>(discretisation_.factors.size());
    parameters_.spectrum_top = std::max(1.1, discretisation_.spectrum_top);
    std::int64_t iterations = config.solver.max_iterations;
    if (steady) {
        parameters_.right_hand_side_norm =
            norm_of(discretisation_.b, std::min(count, discretisation_.b.size()), config.solver.norm);
    } else {
        iterations = segments.back().first_step + static_cast<std::int64_t>(segments.back().steps);
        parameters_.max_iterations = static_cast<std::uint32_t>(iterations);
        for (const TimeSegment &segment : segments) {
            factor_rows_ = std::max<std::size_t>(factor_rows_, segment.steps);
        }
    }
    const auto entries =
        (config.solver.method == SolverMethod::chebyshev ? 2 : 1) * (iterations / config.solver.check_every) +
        3 + static_cast<std::int64_t>(segments.size());
    parameters_.history_capacity = static_cast<std::uint32_t>(std::min(entries, most_history_entries));
    state_ = initial_state(parameters_, steady);
    if (config.solver.method == SolverMethod::chebyshev) {
        begin_chebyshev(parameters_, state_);
    }
    if (config.solver.method == SolverMethod::sor) {
        parameters_.weight = config.solver.omega > 0.0 ? config.solver.omega : over_relaxation(problem);
    }
    if (steady && unpreconditioned(config.solver)) {
        std::transform(discretisation_.inverse_diagonal.begin(), discretisation_.inverse_diagonal.end(),
                       discretisation_.inverse_diagonal.begin(),
                       [](Real d) { return d != Real(0) ? Real(1) : Real(0); });
    }
    if (plan.launched == "cg_multigrid") {
        const bool mixed = config.execution.precision == Precision::mixed;
        multigrid_.emplace(config, problem, cells, discretisation_,
                           mixed ? scale_to_float32(discretisation_) : 1.0,
                           CycleDevice{plan.on_gpu, plan.line_values});
    }
    if (discretisation_.uniform) {
        set_inner(discretisation_, parameters_);
    }
    parameters_.from_zero = problem.initial.uniform() && problem.initial[0] == 0.0 ? 1 : 0;
    if (parameters_.from_zero != 0) {
        return;  // zeros are made where they are needed
    }
    initial_.resize(count);
    in_parallel(static_cast<std::int64_t>(count), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const bool active = cells.active.empty() || cells.active[i] != 0;
            initial_[i] = active ? static_cast<Real>(problem.initial[i]) : Real(0);
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
    KernelCall call{kernel_form(plan_, parameters_), config_.execution.precision, {}};
    call.buffers = {
        {"control", sizeof(control_t), nullptr},
        {"sync", grid_sync_bytes(static_cast<std::uint32_t>(plan_.shape.groups)), nullptr},
        {"state", sizeof(run_state_t), &state_},
        {"partials", MAX_SUMS * parts * sizeof(double), nullptr},  // of chunks, or of groups
        {"history", 3 * parameters_.history_capacity * sizeof(double), nullptr},
        coefficients("diagonal", discretisation_.diagonal),
        coefficients("inverse diagonal", discretisation_.inverse_diagonal),
        coefficients("face x", discretisation_.face[0]),
        coefficients("face y", discretisation_.face[1]),
        coefficients("face z", discretisation_.face[2], parameters_.dimensions < 3),
        coefficients("b", discretisation_.b),
        {"u", field, initial_.empty() ? nullptr : initial_.data()},
    };
    if (parameters_.uniform != 0 && (!multigrid_ || multigrid_->uniform())) {
        call.form = parameters_.dimensions == 3 ? KernelForm::uniform_3d : KernelForm::uniform_2d;
    }
    for (const std::string_view name : fields_of(plan_.kernel)) {
        const bool unused = plan_.launched == "cg" && name == "q" && parameters_.uniform != 0;
        call.buffers.push_back({std::string(name), unused ? 0 : field, nullptr});
    }
    if (plan_.kernel == "multigrid") {
        for (const char *const name : {"r odd", "q", "p even", "p odd"}) {
            call.buffers.push_back({name, 0, nullptr});  // of conjugate gradients alone
        }
    }
    if (plan_.resident.conjugate_gradients) {
        call.buffers.push_back({"boxes", sizeof(cg_plan_t), &plan_.resident.cg});
        call.buffers.push_back({"sums of groups", resident_rows_bytes(plan_.shape.groups), nullptr});
    }
    if (plan_.kernel == "heat") {
        call.buffers.push_back({"factor table", factor_rows_ * parameters_.factors * sizeof(Real), nullptr});
    }
    if (plan_.kernel == "jacobi" || plan_.kernel == "bicgstab" || plan_.kernel == "sor") {
        call.buffers.push_back(buffer_of("across x", discretisation_.across[0]));
        call.buffers.push_back(buffer_of("across y", discretisation_.across[1]));
        call.buffers.push_back(buffer_of("across z", discretisation_.across[2]));
    }
    if (multigrid_) {
        const std::vector<KernelBuffer> buffers = multigrid_->buffers();
        call.buffers.insert(call.buffers.end(), buffers.begin(), buffers.end());
    }
    if (plan_.resident.word_bytes > 0) {
        call.buffers.push_back({"words", static_cast<std::size_t>(plan_.resident.word_bytes), nullptr});
    }
    return call;
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
std::size_t RunMemory<Real>::answer_buffer(const run_state_t &state) const {
    const bool one_copy =
        plan_.kernel == "cg" || multigrid_ || plan_.kernel == "bicgstab" || plan_.kernel == "sor";
    return one_copy || state.parity == 0 ? buffer_u : buffer_u_odd;
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
