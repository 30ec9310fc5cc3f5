#include "solver/run/implicit_steps.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/newton_decide.h"
#include "kernels/program.h"
#include "solver/run/operator_in_parts.hpp"
#include "solver/run/read_series.hpp"

namespace perdure {
namespace {

/// What a matrix is on the device, of the fields of kernels.
constexpr std::array<std::string_view, 6> of_matrix{
    "diagonal", "inverse_diagonal", "hierarchy", "tables", "waves", "places"};

using RunProgram = std::vector<instruction_t>;
constexpr instruction_t stop{STOP_RUN, STOP_COMPLETE};

/// The programs in time of kernels/program.h. `steps`: 1 or more. `residual`: where solves begin whose levels are set up. `guesses`: their
/// first guess is extrapolated. `watches_end`: the run ends with these steps, and is watched.
RunProgram program_of_fields(std::uint32_t steps, std::uint32_t residual, bool guesses, bool watches_end) {
    RunProgram program;
    const auto add_steps = [&](std::uint32_t place) {
        program.push_back({RUN_PHASE, BEGIN_STEP});
        if (guesses) {
            program.push_back({RUN_PHASE, FIRST_GUESS});
        }
        program.push_back({RUN_SOLVE, place});
    };
    add_steps(0);
    const auto later_steps = static_cast<std::uint32_t>(program.size() + 1);
    program.push_back({NEXT_STEP, later_steps});
    if (steps > 1) {
        add_steps(residual);
        program.push_back({NEXT_STEP, later_steps});
    }
    if (watches_end) {
        program.push_back({RUN_PHASE, END_OF_STEPS});
    }
    program.push_back(stop);
    return program;
}

/// That of kernels/newton.h.
RunProgram program_of_system(bool watches_end) {
    constexpr std::uint32_t each_step = 1;
    return {{RUN_PHASE, FIRST_ITERATE},
            {RUN_PHASE, BEGIN_STEP},
            {RUN_SOLVE, NEWTON_RESIDUAL},
            {NEXT_STEP, each_step},
            watches_end ? instruction_t{RUN_PHASE, END_OF_STEPS} : stop,
            stop};
}

void set_program(const RunProgram &program, run_state_t &state) {
    std::fill(std::copy(program.begin(), program.end(), std::begin(state.program)), std::end(state.program),
              instruction_t{});
    begin_program(&state);
    state.control.instruction = 0;
    state.control.begin += state.control.phases;
    state.control.stop = STOP_NONE;
}

}  // namespace

double first_mass(const PreparedCase &prepared) {
    const ImplicitRule *const implicit = prepared.plan.method->implicit;
    if (implicit == nullptr) {
        return 0.0;
    }
    const double step = choose_time_step(prepared.config, {prepared.problem.stable_time_step});
    return step_weights(*implicit, time_segments(prepared.config, step).front()).mass;
}

template <typename Real>
ImplicitSteps<Real>::ImplicitSteps(const PreparedCase &prepared, const std::vector<TimeSegment> &segments,
                                   const RunMemory<Real> &memory)
    : prepared_(prepared), segments_(segments), memory_(memory), mass_(first_mass(prepared)) {}

template <typename Real>
run_parameters_t ImplicitSteps<Real>::begin(const TimeSegment &segment, std::uint32_t end_step,
                                            run_state_t state, const KernelCall &call, DeviceRun &run) {
    const ImplicitRule &implicit = *prepared_.plan.method->implicit;
    const StepWeights weights = step_weights(implicit, segment);
    const bool is_system = prepared_.problem.system != nullptr;
    const bool watches_end = watched_by(memory_) != nullptr && end_step == segments_.back().end_step();
    if (weights.mass != mass_ && !is_system) {
        make_matrix(weights.mass, run);
    }
    const RunMemory<Real> &memory = later_ ? *later_ : memory_;
    const std::uint32_t residual = memory.hierarchy() != nullptr ? memory.hierarchy()->residual_place : 0;
    set_program(is_system ? program_of_system(watches_end)
                          : program_of_fields(end_step - state.time.step, residual, memory_.extrapolates(),
                                              watches_end),
                state);
    state.time.t = segment.start_time;
    state.time.dt = segment.step;
    state.time.segment = segment.number;
    state.time.segment_last_step = segment.end_step() - 1;
    state.time.segment_end = segment.end_time;
    run.write(call.place_of("state"), &state, sizeof state);
    run_parameters_t parameters = memory.segment_parameters(segment);
    parameters.last_step = end_step - 1;
    parameters.source_weight = weights.source;
    parameters.now_weight = weights.now;
    parameters.before_weight = weights.before;
    parameters.subtracts_operator = implicit.subtracts_operator ? 1 : 0;
    parameters.remembers = implicit.remembers ? 1 : 0;
    parameters.extrapolates = memory_.extrapolates() ? 1 : 0;
    parameters.first_alike = first_alike(segment).first_step;
    return parameters;
}

template <typename Real>
bool ImplicitSteps<Real>::are_alike(const TimeSegment &one, const TimeSegment &other) const {
    const ImplicitRule &implicit = *prepared_.plan.method->implicit;
    return one.step == other.step && (prepared_.problem.system != nullptr ||
                                      step_weights(implicit, one) == step_weights(implicit, other));
}

template <typename Real>
const TimeSegment &ImplicitSteps<Real>::first_alike(const TimeSegment &last) const {
    std::size_t number = last.number;
    while (number > 0 && are_alike(segments_[number - 1], last)) {
        --number;
    }
    return segments_[number];
}

template <typename Real>
const TimeSegment &ImplicitSteps<Real>::last_alike(const TimeSegment &first) const {
    std::size_t number = first.number;
    while (number + 1 < segments_.size() && are_alike(first, segments_[number + 1])) {
        ++number;
    }
    return segments_[number];
}

template <typename Real>
void ImplicitSteps<Real>::make_matrix(double mass, DeviceRun &run) {
    const Problem &problem = prepared_.problem;
    later_.emplace(prepared_.config, problem.grid, problem.fields, prepared_.cells, prepared_.plan,
                   discretise<Real>(problem, prepared_.cells, false, mass, OperatorStorage::in_parts),
                   segments_);
    KernelCall call = later_->call();
    const TimeSpent::Scope uploading(Activity::upload);
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        KernelBuffer &buffer = call.buffers[i];
        const bool is_of_matrix =
            std::find(of_matrix.begin(), of_matrix.end(), buffer.name) != of_matrix.end();
        buffer.as_it_stands = buffer.as_it_stands && is_of_matrix;  // the rest is what it was
        if (is_of_matrix && buffer.bytes > 0 && buffer.initial != nullptr) {
            run.write(i, buffer.initial, buffer.bytes);
        }
    }
    if (!later_->discretisation().uniform) {
        write_operator<Real>({problem.grid, problem.fields.front(), prepared_.cells.front(), mass,
                              is_unpreconditioned(prepared_.config), later_->prefix(0)},
                             {}, call, run);
    }
    mass_ = mass;
}

template class ImplicitSteps<float>;
template class ImplicitSteps<double>;

}  // namespace perdure
