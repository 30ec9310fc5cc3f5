// The checkpoint of a run, and a run that goes on from one.
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

#include "solver/output/checkpoint.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/run_memory.hpp"
#include "solver/run/run_report.hpp"

namespace perdure {

/// The plan of a run as its checkpoints have it.
inline CheckpointPlan plan_of(const PreparedCase &prepared, const KernelCall &call, const RunWords &words) {
    const DeviceDescription &device = prepared.selected.device->description();
    const LaunchPlan &plan = prepared.plan;
    return {name(device.backend), device.name,       name(plan.model),      name(plan.barrier),
            call.kernel,          plan.shape.groups, plan.shape.group_size, plan.chunks,
            plan.ring_slots,      words.start_line,  prepared.model_choice};
}

/// All but what the output knows better: case, snapshots, program. The launch has ended at a check.
template <typename Real>
Checkpoint make_checkpoint(const RunMemory<Real> &memory, const KernelCall &call, DeviceRun &run,
                           const run_state_t &state, const std::vector<Field> &fields) {
    const TimeSpent::Scope downloading(Activity::download);
    Checkpoint made;
    made.state = state;
    made.state.control.stop = STOP_NONE;
    made.history.resize(3 * std::size_t{state.control.history_length});
    run.read(call.place_of("history"), made.history.data(), made.history.size() * sizeof(double));
    for (std::size_t i = 0; i < fields.size(); ++i) {
        LargeVector<Real> values(memory.parameters().cells);
        run.read(memory.answer_buffer(state, i), values.data(), values.size() * sizeof(Real),
                 memory.answer_offset(i));
        made.names.push_back(fields[i].name);
        made.fields.emplace_back(std::move(values));
    }
    return made;
}

/// Throws Failure(device) where the run is planned in another way than the one that left the checkpoint.
inline void expect_same_plan(const CheckpointPlan &is, const CheckpointPlan &was) {
    const auto text = [](const CheckpointPlan &plan) {
        return fmt::format("{} on {}, {}, barrier {}, {} groups of {}, {} chunks", plan.kernel, plan.backend,
                           plan.model, plan.barrier, plan.groups, plan.group_size, plan.chunks);
    };
    if (text(is) != text(was)) {
        throw Failure(
            ExitCode::device,
            fmt::format("the run cannot go on here as it began: it was {}, here it is {}; go on where it "
                        "began, or start again with --force",
                        text(was), text(is)));
    }
}

/// Fields and history become those of the checkpoint.
template <typename Real>
void restore_checkpoint(const Checkpoint &from, const RunMemory<Real> &memory, const KernelCall &call,
                        DeviceRun &run) {
    const TimeSpent::Scope uploading(Activity::upload);
    run.write(call.place_of("history"), from.history.data(), from.history.size() * sizeof(double));
    for (std::size_t i = 0; i < from.fields.size(); ++i) {
        const auto *values = std::get_if<LargeVector<Real>>(&from.fields[i]);
        if (values == nullptr || values->size() != memory.parameters().cells) {
            throw Failure(
                ExitCode::bad_input,
                "the fields of the checkpoint are not those of this case; start again with --force");
        }
        run.write(memory.answer_buffer(from.state, i), values->data(), values->size() * sizeof(Real),
                  memory.answer_offset(i));
    }
}

}  // namespace perdure
