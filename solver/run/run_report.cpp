#include "solver/run/run_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/equations/equation.hpp"
#include "solver/methods/advice.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/finish_field.hpp"
#include "solver/run/plan_ring.hpp"
#include "solver/run/readable_bytes.hpp"
#include "solver/run/work_done.hpp"
#include "solver/version.hpp"

namespace perdure {
namespace {

std::string choice(const PreparedCase &prepared, const KernelCall &call) {
    return fmt::format("{} on {}, {} groups of {} items, {}, barrier {}", call.kernel,
                       prepared.selected.device->description().name, prepared.plan.shape.groups,
                       prepared.plan.shape.group_size, name(prepared.config.execution.model),
                       name(prepared.plan.barrier));
}

std::string snapshots_in_words(const PreparedCase &prepared) {
    if (prepared.plan.ring_slots > 0) {
        return fmt::format(", one launch{} with a buffer for {} snapshot{}",
                           prepared.plan.method->implicit != nullptr ? " for all steps of one size" : "",
                           prepared.plan.ring_slots, prepared.plan.ring_slots == 1 ? "" : "s");
    }
    if (!has_snapshots_before_the_end(prepared.config)) {
        return ", one launch";
    }
    return ", one launch from snapshot to snapshot: " +
           why_no_ring(prepared.selected.device->description(), prepared.plan);
}

std::string launches_in_words(const PreparedCase &prepared) {
    const ExecutionModel model = prepared.config.execution.model;
    std::string words = name(model);
    if (model == ExecutionModel::resident) {
        words += fmt::format(" ({})", describe(prepared.plan.resident));
    }
    if (is_one_launch(model) && prepared.plan.bounded) {
        words += ", launches limited to 0.5 s because ";
        words += prepared.selected.device->description().time_limited
                     ? "the driver limits the run time of kernels"
                     : "the host shares no memory with the device during a launch";
    } else if (is_one_launch(model) && prepared.plan.method->in_time) {
        words += snapshots_in_words(prepared);
    }
    if (prepared.plan.barrier_seconds > 0.0) {
        words += fmt::format(", barrier {} ({:.2f} us)", name(prepared.plan.barrier),
                             1.0e6 * prepared.plan.barrier_seconds);
    }
    return words;
}

/// Explicit terms that amplify leave solves that cannot succeed: what then ends a run is not the solve.
void name_growth_of_explicit_terms(const PreparedCase &prepared, const Solution &solution, Report &report) {
    constexpr double growth = 1.0e6;
    const ImplicitRule *const implicit = prepared.plan.method->implicit;
    const ExitCode code = exit_code(report.stop);
    if (implicit == nullptr || !implicit->divides ||
        (code != ExitCode::numerical && code != ExitCode::not_converged)) {
        return;
    }
    double at_start = 0.0;
    for (const Field &field : prepared.problem.fields) {
        for (const double value : field.initial.values) {
            at_start = std::max(at_start, std::abs(value));
        }
    }
    const LargestValue largest = largest_value(solution);
    if (at_start == 0.0 || largest.value <= growth * at_start) {
        return;
    }
    if (report.stop != StopReason::not_finite) {
        report.stop = StopReason::diverged;
    }
    if (!report.bad_cell) {
        report.bad_cell = largest.cell;
        report.bad_field = solution.fields.size() > 1 ? largest.field : "";
    }
    report.advice = fmt::format(
        "a smaller time.dt, or more of time.implicit: {} has become as large as {:.3g}, from at most {:.3g} "
        "at "
        "the start, as where steps amplify explicit terms",
        largest.field, largest.value, at_start);
}

}  // namespace

RunWords describe_choice(const PreparedCase &prepared, const KernelCall &call, std::int64_t bytes) {
    const LaunchShape &shape = prepared.plan.shape;
    const SelectedDevice &selected = prepared.selected;
    const std::string &device = selected.device->description().name;
    const std::string memory = readable_bytes(static_cast<double>(bytes));
    return {fmt::format("{} on {} ({}), {}, {}", call.kernel, device, selected.in_short,
                        name(prepared.config.execution.model), memory),
            fmt::format("{} on {} ({}), {} group{} of {}, {}, {}", call.kernel, device, selected.why,
                        shape.groups, shape.groups == 1 ? "" : "s", shape.group_size,
                        launches_in_words(prepared), memory),
            choice(prepared, call)};
}

void describe_run(const PreparedCase &prepared, const RunWords &words, const run_parameters_t &parameters,
                  const run_state_t &state, const Solution &solution, Report &report) {
    const Config &config = prepared.config;
    const DeviceDescription &device = prepared.selected.device->description();
    report.version = version();
    report.backend = name(device.backend);
    report.device = device.name;
    report.model = name(config.execution.model);
    report.barrier = is_one_launch(config.execution.model) ? name(prepared.plan.barrier) : "";
    report.precision = name(config.execution.precision);
    report.method = prepared.plan.method->title;
    report.norm = solves_systems(config) ? name(config.solver.norm) : largest_of(prepared.problem);
    report.cells = parameters.cells;
    report.excluded_cells = count_excluded(prepared.cells);
    report.iterations = work_done(state);
    if (prepared.plan.method->implicit != nullptr) {
        report.solves = SolvesOfSteps{std::int64_t{state.solve.earlier} + state.solve.iteration,
                                      state.time.most_iterations, state.time.rounded_steps};
        if (prepared.problem.system) {
            report.solves->corrections = std::int64_t{state.newton.total} + state.newton.corrections;
            report.solves->most_corrections = std::max(state.newton.most, state.newton.corrections);
        }
    }
    report.groups = prepared.plan.shape.groups;
    report.group_size = prepared.plan.shape.group_size;
    report.right_hand_side_norm = state.solve.right_hand_side_norm;
    report.initial_residual = state.solve.initial_residual;
    report.residual = last_norm(state);
    report.recursive_residual = state.solve.recursive_residual;
    report.tolerance = state.solve.tolerance;
    report.accuracy_floor = state.solve.accuracy_floor;
    report.time = solution.time;
    report.time_unit = unit_in_words(config.units.time);
    report.stop = static_cast<StopReason>(state.control.stop);
    report.advice = advice(report.stop, config);
    if (state.control.bad_cell != NO_CELL) {
        report.bad_cell = state.control.bad_cell;
        report.bad_field = state.steps.bad_field < prepared.problem.fields.size()
                               ? prepared.problem.fields[state.steps.bad_field].name
                               : field_not_finite(solution, state.control.bad_cell);
    }
    name_growth_of_explicit_terms(prepared, solution, report);
    report.notes = device.notes;
    report.notes.insert(report.notes.begin(), words.start_line);
    const std::string prediction = compare_with_prediction(prepared.plan.resident, report.device_seconds,
                                                           static_cast<std::int64_t>(work_done(state)));
    if (!prediction.empty()) {
        report.notes.push_back(prediction);
    }
    if (!prepared.model_choice.empty()) {
        report.notes.insert(report.notes.begin(), prepared.model_choice);
    }
}

}  // namespace perdure
