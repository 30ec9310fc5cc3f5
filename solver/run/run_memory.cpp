#include "solver/run/run_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "kernels/program.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/integrators/integrator.hpp"
#include "solver/run/check_range.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/factors_in_time.hpp"
#include "solver/run/grid_parameters.hpp"
#include "solver/run/initial_state.hpp"
#include "solver/run/initial_values.hpp"
#include "solver/run/kernel_buffers.hpp"
#include "solver/run/kernel_form.hpp"
#include "solver/run/solver_parameters.hpp"

namespace perdure {
namespace {

constexpr std::int64_t most_history_entries = 1 << 18;

}  // namespace

template <typename Real>
RunMemory<Real>::RunMemory(const Config &config, const Grid &grid, const Field &field,
                           const ActiveCells &cells, const LaunchPlan &plan,
                           Discretisation<Real> discretisation, const std::vector<TimeSegment> &segments)
    : RunMemory(config, grid, std::span(&field, 1), std::span(&cells, 1), plan, {std::move(discretisation)},
                segments) {}

template <typename Real>
RunMemory<Real>::RunMemory(const Config &config, const Grid &grid, std::span<const Field> fields,
                           std::span<const ActiveCells> cells, const LaunchPlan &plan,
                           std::vector<Discretisation<Real>> discretisations,
                           const std::vector<TimeSegment> &segments, const std::vector<Samples> &coefficients)
    : config_(config), plan_(plan), discretisations_(std::move(discretisations)) {
    const auto count = static_cast<std::size_t>(grid.count());
    const Field &first = fields.front();
    Discretisation<Real> &discretisation = discretisations_.front();
    const auto periodic = [&](int axis) { return is_periodic(first.sides, axis); };
    set_grid(grid, {periodic(0), periodic(1), periodic(2)}, plan.boxes, parameters_);
    set_solver(config, parameters_);
    parameters_.barrier = barrier_kind(plan.barrier);
    parameters_.uniform = discretisation.uniform ? 1 : 0;
    parameters_.varied_capacity = discretisation.varied_capacity ? 1 : 0;
    parameters_.convective = first.convective ? 1 : 0;
    parameters_.prefetch = plan.prefetch;
    parameters_.factors = static_cast<std::uint32_t>(discretisation.factors.size());
    parameters_.spectrum_top = std::max(1.1, discretisation.spectrum_top);
    state_ = initial_state();
    state_.time.solves = plan.method->implicit != nullptr ? 1 : 0;
    std::int64_t iterations = config.solver.max_iterations;
    if (first.in_time) {
        iterations = last_step_of(segments, plan.method->chooses_steps);
        parameters_.max_iterations =
            static_cast<std::uint32_t>(state_.time.solves != 0 ? config.solver.max_iterations : iterations);
        factor_rows_ = rows_of_factors(parameters_.factors, segments, plan.ring_slots > 0);
        for (const TimeSegment &segment : segments) {
            segments_.push_back({segment.first_step, segment.end_step() - 1, segment.start_time, segment.step,
                                 segment.last_step});
        }
        segments_.push_back({0, 0, segments.back().end_time, 0.0, 0.0});  // when the last one is over
        if (plan.method->chooses_steps) {
            state_.time.t = segments.front().start_time;
        }
    }
    const std::int64_t checks = iterations / (state_.time.solves != 0 ? 1 : config.solver.check_every);
    const auto entries = plan.method->history_entries_per_check * checks + 3 + std::ssize(segments);
    parameters_.history_capacity = static_cast<std::uint32_t>(std::min(entries, most_history_entries));
    if (plan.method->begin != nullptr) {
        plan.method->begin(config, grid, first, parameters_, state_);
    }
    if (is_unpreconditioned(config)) {
        LargeVector<Real> &inverse = discretisation.inverse_diagonal;
        in_parallel(static_cast<std::int64_t>(inverse.size()), [&](std::int64_t begin, std::int64_t end) {
            std::transform(inverse.begin() + begin, inverse.begin() + end, inverse.begin() + begin,
                           [](Real d) { return d != Real(0) ? Real(1) : Real(0); });
        });
    }
    if (plan.method->has_cycles) {
        const bool mixed = config.execution.precision == Precision::mixed;
        multigrid_.emplace(config, grid, first, cells.front(), discretisation,
                           mixed ? scale_to_float32(discretisation) : 1.0,
                           CycleDevice{plan.on_gpu, plan.line_values});
    }
    if (discretisation.uniform) {
        set_inner(discretisation, parameters_);
    }
    if (config.formulas) {
        const SystemSteps steps = steps_of_formulas(config);
        system_.emplace(systems::formulas_of_kernel(*config.formulas, steps), grid, steps, *config.time,
                        discretisation.stable_time_step, coefficients, plan.shape.groups,
                        plan.definitions.empty());
        system_->watched().make_room(iterations, !plan.method->chooses_steps, config.time->duration(),
                                     parameters_.chunks);
        parameters_.steps_of_row = system_->watched().setup().every_steps;
    }
    parameters_.from_zero = state_.time.solves != 0 ? 0 : 1;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        names_.push_back(fields[i].name);
        parameters_.from_zero = begins_with_zeros(fields[i]) ? parameters_.from_zero : 0;
        initial_.push_back(discretisation.in_parts ? LargeVector<Real>()
                                                   : initial_values<Real>(fields[i], cells[i], count,
                                                                          config.watched_as != nullptr));
    }
    if (answer_arguments(arguments()).holds_all) {
        join(initial_, count);
    }
    if (!first.in_time) {
        know_right_hand_side(&state_.solve, &parameters_, discretisation.b_survey.norm(config.solver.norm));
    }
    for (const KernelBuffer &buffer : call().buffers) {
        bytes_ += static_cast<std::int64_t>(held_bytes(buffer));
    }
}

template <typename Real>
void RunMemory<Real>::add_discretisation(std::size_t field, std::vector<KernelBuffer> &given) const {
    const Discretisation<Real> &of = discretisations_[field];
    const std::string prefix = this->prefix(field);
    const std::size_t cells = parameters_.cells;
    const auto add = [&](const std::string &name, const LargeVector<Real> &values, std::size_t count) {
        const bool later = count > 0 && (of.on_device || (of.in_parts && values.empty()));
        given.push_back(later ? KernelBuffer{.name = prefix + name,
                                             .bytes = count * sizeof(Real),
                                             .as_it_stands = of.in_parts}
                              : buffer_of(prefix + name, values));
    };
    if (of.labels.count > 0) {  // these come first: what follows by the same name is not used
        std::ranges::copy(buffers_of_labels(of.labels, cells, of.in_parts), std::back_inserter(given));
    }
    if (of.cross_terms.present()) {
        given.push_back(buffer_of("vertices", of.cross_terms.of_vertex));
        given.push_back(buffer_of("cross_terms", of.cross_terms.matrices));
    }
    constexpr std::array axes{"x", "y", "z"};
    const bool of_cells = !steps_formulas();
    add("diagonal", of.diagonal, of_cells ? cells : 0);
    add("inverse_diagonal", of.inverse_diagonal, of_cells ? cells : 0);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const std::size_t count = !of_cells ? 0 : axis < parameters_.dimensions ? cells : 1;
        add(std::string("face_") + axes[axis], of.face[axis], count);
        add(std::string("across_") + axes[axis], of.across[axis], of.convective ? count : 0);
    }
    add("capacity", of.capacity, of.varied_capacity ? cells : 0);
    add(name_of_b(), of.b, of_cells ? (1 + of.factors.size()) * cells : 0);
}

template <typename Real>
std::vector<KernelBuffer> RunMemory<Real>::given() const {
    const bool resident = plan_.model == ExecutionModel::resident;
    const std::size_t parts = std::max<std::size_t>(parameters_.chunks, resident ? plan_.shape.groups : 0);
    std::vector<KernelBuffer> given = {
        {"control", sizeof(control_t)},
        {.name = "sync",
         .bytes = grid_sync_bytes(static_cast<std::uint32_t>(plan_.shape.groups)),
         .read_behind_launch = true},
        {.name = "state", .bytes = sizeof(run_state_t), .initial = &state_, .read_behind_launch = true},
        {"partials", MAX_SUMS * parts * sizeof(double)},  // of chunks, or of groups
        {"history", 3 * parameters_.history_capacity * sizeof(double)},
        {"factor_table", factor_rows_ * parameters_.factors * sizeof(Real)},
        buffer_of("segments", segments_),
        {"ring", plan_.ring_slots * names_.size() * parameters_.cells * sizeof(Real)},
        {"marks", plan_.ring_slots * sizeof(run_state_t)},
        in_halves("messages", static_cast<std::size_t>(plan_.resident.message_bytes)),
        {"plan", sizeof(cg_plan_t), &plan_.resident.cg},
        {"rows", resident_rows_bytes(static_cast<std::uint32_t>(plan_.shape.groups),
                                     static_cast<std::uint32_t>(plan_.shape.cuts.size() + 1))},
    };
    for (std::size_t field = 0; field < discretisations_.size(); ++field) {
        add_discretisation(field, given);
    }
    if (multigrid_) {
        const std::vector<KernelBuffer> of_levels = multigrid_->buffers();
        given.insert(given.end(), of_levels.begin(), of_levels.end());
    }
    given.push_back({"sizes", plan_.method->chooses_steps ? MOST_STEP_SIZES * sizeof(double) : 0});
    std::ranges::copy(system_ ? system_->buffers() : systems::buffers_of_no_formulas(),
                      std::back_inserter(given));
    if (plan_.method->implicit != nullptr && !extrapolates()) {
        given.push_back({"earlier", 0});
        if (!plan_.method->implicit->remembers) {
            given.push_back({"before", 0});
        }
    }
    for (const std::string_view name : plan_.method->unused) {
        given.push_back({std::string(name), 0});
    }
    return given;
}

template <typename Real>
bool RunMemory<Real>::extrapolates() const {
    return plan_.method->implicit != nullptr && plan_.method->implicit->damps && !steps_formulas() &&
           !(multigrid_ && is_direct(multigrid_->hierarchy()));
}

template <typename Real>
void RunMemory<Real>::release_fields() {
    for (Discretisation<Real> &of : discretisations_) {
        of.cross_terms.of_vertex = {};  // each by itself: a copy of an empty array would keep its memory
        of.cross_terms.matrices = {};
    }
    if (system_) {
        system_->release_coefficients();
    }
}

template <typename Real>
KernelCall RunMemory<Real>::call() const {
    const FieldSizes sizes{.cells_bytes = std::size_t{parameters_.cells} * sizeof(Real),
                           .value_bytes = sizeof(Real),
                           .varied = parameters_.uniform == 0,
                           .fields = names_.size(),
                           .rates = static_cast<std::size_t>(plan_.method->rates_kept),
                           .held = plan_.held_cells};
    KernelCall call{kernel_form(plan_, parameters_), config_.execution.precision, {}};
    call.buffers = kernel_buffers(arguments(), given(), sizes);
    for (std::size_t field = 0; field < initial_.size(); ++field) {
        if (!initial_[field].empty()) {
            call.buffers[initial_buffer(field)].initial = initial_[field].data();
        }
    }
    if (parameters_.uniform != 0 && (!multigrid_ || multigrid_->uniform())) {
        call.form = form_of_uniform(static_cast<int>(parameters_.dimensions));
    } else if (has_tensors()) {
        call.form = form_of_tensors(static_cast<int>(parameters_.dimensions));
    } else if (by_labels()) {
        call.form = form_by_labels(static_cast<int>(parameters_.dimensions));
    }
    call.definitions = plan_.definitions;
    call.reach = plan_.reach;
    call.held_cells = plan_.held_cells;
    call.cooperative = plan_.barrier == BarrierChoice::cooperative;
    call.read_while_running = plan_.ring_slots > 0;
    return call;
}

template <typename Real>
std::span<const KernelField> RunMemory<Real>::arguments() const {
    return by_labels()                               ? plan_.method->fields_by_labels
           : has_tensors()                           ? plan_.method->fields_of_tensors
           : plan_.model == ExecutionModel::resident ? plan_.resident.fields
                                                     : plan_.method->fields;
}

template <typename Real>
std::size_t RunMemory<Real>::initial_buffer(std::size_t field) const {
    return answer_arguments(arguments(), field).first;
}

template <typename Real>
std::size_t RunMemory<Real>::answer_buffer(const run_state_t &state, std::size_t field) const {
    const ArgumentRange answer = answer_arguments(arguments(), field);
    return answer.first + (answer.count > 1 ? state.control.answer : 0);
}

template <typename Real>
std::size_t RunMemory<Real>::answer_offset(std::size_t field) const {
    return answer_arguments(arguments(), field).holds_all ? field * parameters_.cells * sizeof(Real) : 0;
}

template <typename Real>
run_parameters_t RunMemory<Real>::segment_parameters(const TimeSegment &segment) const {
    run_parameters_t parameters = parameters_;
    parameters.time_step = segment.step;
    parameters.last_time_step = segment.last_step;
    parameters.last_step = segment.first_step + segment.steps - 1;
    parameters.factor_first = segment.first_step;
    parameters.first_segment = segment.number;
    return parameters;
}

template <typename Real>
std::vector<Real> RunMemory<Real>::factor_table(std::span<const TimeSegment> segments) const {
    const std::vector<double> table =
        table_of_factors(discretisations_.front().factors, segments, *plan_.method);
    return {table.begin(), table.end()};
}

template class RunMemory<float>;
template class RunMemory<double>;

}  // namespace perdure
