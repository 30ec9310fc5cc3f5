#include "solver/run/implicit_steps.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "kernels/newton_decide.h"
#include "kernels/program.h"
#include "solver/run/read_series.hpp"

namespace perdure {
namespace {

/// What a matrix is on the device, of the fields of kernels.
constexpr std::array<std::string_view, 6> of_matrix{
    "diagonal", "inverse_diagonal", "hierarchy", "tables", "waves", "places"};

using RunProgram = std::array<instruction_t, MOST_INSTRUCTIONS>;
constexpr instruction_t stop{STOP_RUN, STOP_COMPLETE};

/// The programs in time of kernels/program.h. `steps`: 1 or more. `residual`: where solves begin whose levels are set up. `watches_end`: the
/// run ends with these steps, and is watched.
RunProgram program_of_fields(std::uint32_t steps, std::uint32_t residual, bool watches_end) {
    constexpr std::uint32_t later_steps = 3;
    const instruction_t end = watches_end ? instruction_t{RUN_PHASE, END_OF_STEPS} : stop;
    if (steps == 1) {
        return {{{RUN_PHASE, BEGIN_STEP}, {RUN_SOLVE, 0}, {NEXT_STEP, 0}, end, stop}};
    }
    return {{{RUN_PHASE, BEGIN_STEP},
             {RUN_SOLVE, 0},
             {NEXT_STEP, later_steps},
             {RUN_PHASE, BEGIN_STEP},
             {RUN_SOLVE, residual},
             {NEXT_STEP, later_steps},
             end,
             stop}};
}

/// That of kernels/newton.h.
RunProgram program_of_system(bool watches_end) {
    constexpr std::uint32_t each_step = 1;
    return {{{RUN_PHASE, FIRST_ITERATE},
             {RUN_PHASE, BEGIN_STEP},
             {RUN_SOLVE, NEWTON_RESIDUAL},
             {NEXT_STEP, each_step},
             watches_end ? instruction_t{RUN_PHASE, END_OF_STEPS} : stop,
             stop}};
}

void set_program(const RunProgram &program, run_state_t &state) {
    std::copy(program.begin(), program.end(), std::begin(state.program));
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
    const double step = choose_time_step(prepared.config, {});
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
                          : program_of_fields(end_step - state.time.step, residual, watches_end),
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
    return parameters;
}

template <typename Real>
const TimeSegment &ImplicitSteps<Real>::last_alike(const TimeSegment &first) const {
    const ImplicitRule &implicit = *prepared_.plan.method->implicit;
    const auto differs = [&](const TimeSegment &segment) {
        return segment.step != first.step ||
               (prepared_.problem.system == nullptr &&
                step_weights(implicit, segment) != step_weights(implicit, first));
    };
    const auto begin = segments_.begin() + first.number;
    return *(std::find_if(begin + 1, segments_.end(), differs) - 1);
}

template <typename Real>
void ImplicitSteps<Real>::make_matrix(double mass, DeviceRun &run) {
    const Problem &problem = prepared_.problem;
    later_.emplace(prepared_.config, problem.grid, problem.fields, prepared_.cells, prepared_.plan,
                   discretise<Real>(problem, prepared_.cells, false, mass), segments_);
    const KernelCall call = later_->call_at_once();
    const TimeSpent::Scope uploading(Activity::upload);
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        const KernelBuffer &buffer = call.buffers[i];
        const bool is_of_matrix =
            std::find(of_matrix.begin(), of_matrix.end(), buffer.name) != of_matrix.end();
        if (is_of_matrix && buffer.bytes > 0 && buffer.initial != nullptr) {
            run.write(i, buffer.initial, buffer.bytes);
        }
    }
    later_->release_fields();
    mass_ = mass;
}

template class ImplicitSteps<float>;
template class ImplicitSteps<double>;

}  // namespace perdure
