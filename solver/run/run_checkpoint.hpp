// Writes the checkpoint of a run, and resumes a run from one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/newton_decide.h"
#include "solver/output/checkpoint.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/read_series.hpp"
#include "solver/run/run_memory.hpp"
#include "solver/run/run_report.hpp"

namespace perdure {

/// The plan of a run as its checkpoints have it.
inline CheckpointPlan plan_of(const PreparedCase &prepared, const KernelCall &call, const RunWords &words) {
    const DeviceDescription &device = prepared.selected.device->description();
    const LaunchPlan &plan = prepared.plan;
    return {name(device.backend), device.name,       name(plan.model),      name(plan.barrier),
            call.kernel,          plan.shape.groups, plan.shape.group_size, plan.chunks,
            plan.ring_slots,      words.start_line,  prepared.model_choice, device.devices};
}

/// What the next step reads besides fields, state and series: places and sizes, no bytes yet.
template <typename Real>
std::vector<KeptBytes> kept_by_steps(const Method &method, const RunMemory<Real> &memory,
                                     const run_state_t &state, std::size_t fields) {
    std::vector<KeptBytes> kept;
    const std::size_t field_bytes = std::size_t{memory.parameters().cells} * sizeof(Real);
    const auto keep = [&](const char *buffer, std::size_t offset, std::size_t bytes) {
        kept.push_back({buffer, offset, LargeVector<char>(bytes)});
    };
    if (watched_by(memory) != nullptr) {
        keep("watch_state", 0, 2 * sizeof(watch_state_t));
    }
    if (method.chooses_steps) {
        keep("sizes", 0, std::min(state.time.step, MOST_STEP_SIZES) * sizeof(double));
    }
    if (method.last_rate_begins_step) {  // kernels/rates.h: from step to step it changes its place
        const std::size_t slot = state.time.step % 2 == 0 ? 0 : method.rates_kept - 1;
        keep("rates", slot * fields * field_bytes, fields * field_bytes);
    }
    const bool is_system = memory.steps_formulas();
    if (memory.extrapolates() || (method.implicit != nullptr && method.implicit->remembers)) {
        keep(is_system ? "u_odd" : "before", 0, (is_system ? fields : 1) * field_bytes);
    }
    if (memory.extrapolates()) {
        keep("earlier", 0, field_bytes);
        keep("b", 0, field_bytes);
    }
    if (method.implicit != nullptr && method.implicit->divides) {
        keep("rates", NEWTON_E * fields * field_bytes, fields * field_bytes);
    }
    return kept;
}

/// All but what the run and the output know better: series, plan, case, snapshots, program. The launch has ended at a check. Of ranks the
/// first, which writes it, has the fields and what steps keep; those of the others have no values.
template <typename Real>
Checkpoint make_checkpoint(const Method &method, const RunMemory<Real> &memory, const KernelCall &call,
                           DeviceRun &run, const run_state_t &state, const std::vector<Field> &fields) {
    const TimeSpent::Scope downloading(Activity::download);
    Checkpoint made;
    made.state = state;
    made.state.control.stop = STOP_NONE;
    made.history.resize(3 * std::size_t{state.control.history_length});
    run.read(call.place_of("history"), made.history.data(), made.history.size() * sizeof(double));
    for (std::size_t i = 0; i < fields.size(); ++i) {
        LargeVector<Real> values(memory.parameters().cells);
        run.read_for_first(memory.answer_buffer(state, i), values.data(), values.size() * sizeof(Real),
                           memory.answer_offset(i));
        made.names.push_back(fields[i].name);
        made.fields.emplace_back(std::move(values));
    }
    made.kept = kept_by_steps(method, memory, state, fields.size());
    for (KeptBytes &kept : made.kept) {
        run.read_for_first(call.place_of(kept.buffer), kept.bytes.data(), kept.bytes.size(), kept.offset);
    }
    return made;
}

/// Throws Failure(device) where the run is planned in another way than the one that left the checkpoint. Where another number of devices
/// shares the case, it has other groups and may have another barrier: bits do not depend on them.
inline void expect_same_plan(const CheckpointPlan &is, const CheckpointPlan &was) {
    const auto text = [&](const CheckpointPlan &plan) {
        const std::string of_all = fmt::format("{} on {}, {}, groups of {} items, {} chunks", plan.kernel,
                                               plan.backend, plan.model, plan.group_size, plan.chunks);
        return is.devices == was.devices
                   ? fmt::format("{}, {} groups, barrier {}", of_all, plan.groups, plan.barrier)
                   : of_all;
    };
    if (text(is) != text(was)) {
        throw Failure(
            ExitCode::device,
            fmt::format("the run cannot continue here in the same way: it ran as {}, but here it would run "
                        "as {}; continue it on the first machine, or start again with --force",
                        text(was), text(is)));
    }
}

/// Fields, history and what else steps keep become those of the checkpoint.
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
                "the fields of the checkpoint differ from those of this case; start again with --force");
        }
        run.write(memory.answer_buffer(from.state, i), values->data(), values->size() * sizeof(Real),
                  memory.answer_offset(i));
    }
    for (const KeptBytes &kept : from.kept) {
        if (kept.offset + kept.bytes.size() > call.buffers[call.place_of(kept.buffer)].bytes) {
            throw Failure(
                ExitCode::bad_input,
                "the steps of the checkpoint differ from those of this case; start again with --force");
        }
        run.write(call.place_of(kept.buffer), kept.bytes.data(), kept.bytes.size(), kept.offset);
    }
}

}  // namespace perdure
