// A run in time: from snapshot to snapshot, or with a ring of snapshots in one launch, and from checkpoint to checkpoint.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solver/run/checkpoint_schedule.hpp"
#include "solver/run/implicit_steps.hpp"
#include "solver/run/run_checkpoint.hpp"
#include "solver/run/run_launches.hpp"
#include "solver/run/snapshot_ring.hpp"
#include "solver/run/upload_segments.hpp"
#include "solver/run/work_done.hpp"

namespace perdure {

/// What it is made with must outlive it.
template <typename Real>
class RunInTime {
  public:
    RunInTime(const PreparedCase &prepared, const std::vector<TimeSegment> &segments,
              const RunMemory<Real> &memory, const KernelCall &call, DeviceRun &run, LaunchDriver &driver,
              RunWords &words, RunSolutions<Real> &solutions)
        : prepared_(prepared),
          method_(*prepared.plan.method),
          segments_(segments),
          memory_(memory),
          call_(call),
          run_(run),
          driver_(driver),
          words_(words),
          solutions_(solutions),
          checkpoints_(prepared.config, prepared.resumption),
          state_(memory.state()) {
        if (method_.implicit != nullptr) {
            implicit_.emplace(prepared, segments, memory);
        }
        if (prepared.plan.ring_slots > 0) {
            ring_.emplace(run, call.place_of("ring"),
                          prepared.problem.fields.size() * memory.parameters().cells * sizeof(Real),
                          prepared.plan.ring_slots);
        }
    }

    Solution run(const SnapshotSink &sink) {
        go_on_from_checkpoint();
        for (;;) {
            const Reached here = advance(sink);
            const bool stopped = state_.control.stop == STOP_REQUESTED;
            const bool goes_on = stopped || state_.control.stop == STOP_NONE;
            const bool is_due = goes_on && checkpoints_.is_due(here.step, stopped);
            if (state_.control.stop != STOP_NONE && !is_due) {
                return solutions_.make(here.time, state_, nullptr, nullptr);
            }
            run_state_t running = state_;
            running.control.stop = STOP_NONE;
            if (here.at_snapshot) {
                sink(solutions_.make(here.time, running, nullptr, nullptr));
            }
            if (is_due) {
                save_checkpoint(here);
            }
            if (stopped && checkpoints_.is_at_end()) {
                return solutions_.make(here.time, state_, nullptr, nullptr);
            }
            if (stopped) {
                driver_.go_on();
                state_ = running;
            }
        }
    }

  private:
    /// Where a launch has left the run; `at_snapshot`: at one that no slot of a ring has taken.
    struct Reached {
        std::uint32_t step = 0;
        double time = 0.0;
        bool at_snapshot = false;
    };

    static constexpr std::uint32_t all_phases = std::numeric_limits<std::uint32_t>::max();

    Reached advance(const SnapshotSink &sink) {
        driver_.stop_at(checkpoints_.stop_at());
        return method_.chooses_steps ? advance_chosen_steps(sink)
               : implicit_           ? advance_solves(sink)
                                     : advance_given_steps(sink);
    }

    Reached advance_given_steps(const SnapshotSink &sink) {
        const std::uint32_t run_end = segments_.back().end_step();
        const TimeSegment &first = segment_with(segments_, step_);
        const TimeSegment &last_segment = last_with_factors(first, segments_.back());
        upload_segments(memory_, span_of(first, last_segment), all_phases, call_, run_);
        const std::uint32_t last = std::min(checkpoints_.next_after(step_), last_segment.end_step());
        const std::uint32_t phases = phases_of_step(method_, first);
        const std::uint32_t begin = step_ * phases;
        const std::uint32_t end = last * phases + (last == run_end ? phases_behind_the_steps(memory_) : 0);
        const run_state_t before = state_;
        launch(memory_.segment_parameters(first), begin, end, first.number, sink, [&](std::uint32_t number) {
            const TimeSegment &segment = segments_.at(first.number + number);
            const std::uint32_t checks =
                std::min(memory_.parameters().history_capacity,
                         checks_until(segments_, segment, prepared_.config.solver.check_every));
            return state_behind(segment, before, segment.end_step() * phases - begin, checks);
        });
        const std::uint32_t reached = begin + state_.control.phases - before.control.phases;
        const auto not_reached =
            std::find_if(segments_.begin() + first.number + 1, segments_.end(),
                         [&](const TimeSegment &segment) { return segment.first_step * phases >= reached; });
        finish_ring(static_cast<std::uint32_t>(not_reached - segments_.begin()) - first.number - 1);
        return behind_step(state_.control.stop != STOP_NONE ? work_done(state_) : last);
    }

    /// The kernel says where its launches end: at snapshots without a ring, at checkpoints, and where the series is full.
    Reached advance_chosen_steps(const SnapshotSink &sink) {
        const std::uint32_t first = state_.steps.segment;
        upload_segments(memory_, span_of(segments_[first], segments_[first]), checkpoints_.next_after(step_),
                        call_, run_);
        launch(memory_.segment_parameters(segments_[first]), state_.control.phases, all_phases, first, sink,
               [this](std::uint32_t number) { return marked_state(number); });
        const bool pauses = state_.control.stop == STOP_NONE || state_.control.stop == STOP_REQUESTED;
        const bool at_snapshot = pauses && is_at_snapshot(segments_, state_);
        finish_ring(state_.steps.segment - first - (at_snapshot ? 1 : 0));
        solutions_.series().take_if_full();
        step_ = state_.time.step;
        return {step_, state_.time.t, at_snapshot};
    }

    /// Steps that are solves, whose matrix the host makes anew where it changes from segment to segment.
    Reached advance_solves(const SnapshotSink &sink) {
        const TimeSegment &first = segment_with(segments_, step_);
        const TimeSegment &last = last_with_factors(first, implicit_->last_alike(first));
        upload_segments(memory_, span_of(first, last), all_phases, call_, run_);
        const std::uint32_t end = std::min(checkpoints_.next_after(step_), last.end_step());
        const run_parameters_t parameters = implicit_->begin(first, end, state_, call_, run_);
        if (step_ > first.first_step) {
            run_.write(buffer_state, &state_.time.t, sizeof state_.time.t,
                       offsetof(run_state_t, time) + offsetof(time_state_t, t));
        }
        launch(parameters, state_.control.phases, all_phases, first.number, sink,
               [this](std::uint32_t number) { return marked_state(number); });
        finish_ring(state_.time.segment - first.number);
        if (state_.control.stop == STOP_COMPLETE && state_.time.step < segments_.back().end_step()) {
            state_.control.stop = STOP_NONE;
        }
        return behind_step(state_.time.step);
    }

    [[nodiscard]] std::span<const TimeSegment> span_of(const TimeSegment &first,
                                                       const TimeSegment &last) const {
        return std::span(segments_).subspan(first.number, last.number - first.number + 1);
    }

    /// Where a launch that begins in `first` ends, without a ring with that segment. With one it goes on to `last` at most, as long as the
    /// factors in time of its steps have room on the device.
    [[nodiscard]] const TimeSegment &last_with_factors(const TimeSegment &first,
                                                       const TimeSegment &last) const {
        const auto begin = segments_.begin() + first.number, end = segments_.begin() + last.number + 1;
        const auto has_no_room = [&](const TimeSegment &segment) {
            return segment.end_step() - first.first_step > memory_.factor_rows();
        };
        return ring_ ? *(std::find_if(begin + 1, end, has_no_room) - 1) : first;
    }

    /// `state_of`: the state at snapshot `number` of the launch; it and the sink are asked until finish_ring() too.
    void launch(run_parameters_t parameters, std::uint32_t first, std::uint32_t last, std::uint32_t segment,
                const SnapshotSink &sink, std::function<run_state_t(std::uint32_t)> state_of) {
        if (ring_) {
            parameters.ring_slots = prepared_.plan.ring_slots;
            ring_->begin({[this, segment, state_of = std::move(state_of)](std::uint32_t number,
                                                                          const SnapshotRing::Read &slot) {
                              copied_ = solutions_.make(segments_.at(segment + number).end_time,
                                                        state_of(number), nullptr, &slot);
                          },
                          [this, &sink] { sink(*std::exchange(copied_, std::nullopt)); }},
                         checkpoints_.stop_at());
            driver_.do_meanwhile([this] { ring_->drain(); });
        }
        state_ = launch_phases(prepared_, solutions_, driver_, state_, parameters, first, last);
    }

    /// The state at snapshot `number` of the launch, where the run alone knows it.
    [[nodiscard]] run_state_t marked_state(std::uint32_t number) {
        run_state_t mark{};
        run_.read_while_running(call_.place_of("marks"), &mark, sizeof mark,
                                number % prepared_.plan.ring_slots * sizeof mark);
        return mark;
    }

    void finish_ring(std::uint32_t made) {
        if (ring_) {
            ring_->finish(made);
        }
    }

    Reached behind_step(std::uint32_t step) {
        step_ = step;
        const TimeSegment &segment = segment_with(segments_, std::max(step, 1U) - 1);
        const bool ends = segment.end_step() == step;
        return {step, ends ? segment.end_time : time_reached(segments_, step),
                ends && segment.ends_on_snapshot};
    }

    void go_on_from_checkpoint() {
        if (!prepared_.resumption.from) {
            return;
        }
        const Checkpoint &from = *prepared_.resumption.from;
        expect_same_plan(plan_of(prepared_, call_, words_), from.plan);
        restore_checkpoint(from, memory_, call_, run_);
        solutions_.series().restore(from.series);
        driver_.continue_from(from.state, from.launches, from.graph_launches, from.barriers);
        words_.start_line = from.plan.start_line;
        solutions_.continue_from(from.device_seconds);
        state_ = from.state;
        step_ = from.step;
    }

    void save_checkpoint(const Reached &here) {
        Checkpoint made = make_checkpoint(method_, memory_, call_, run_, state_, prepared_.problem.fields);
        made.series = solutions_.series().values();
        made.plan = plan_of(prepared_, call_, words_);
        made.step = here.step;
        made.time = here.time;
        made.launches = driver_.launches();
        made.graph_launches = driver_.graph_launches();
        made.barriers = driver_.barriers();
        made.device_seconds = solutions_.device_seconds();
        prepared_.resumption.save(std::move(made));
        checkpoints_.saved();
    }

    const PreparedCase &prepared_;
    const Method &method_;
    const std::vector<TimeSegment> &segments_;
    const RunMemory<Real> &memory_;
    const KernelCall &call_;
    DeviceRun &run_;
    LaunchDriver &driver_;
    RunWords &words_;
    RunSolutions<Real> &solutions_;
    CheckpointSchedule checkpoints_;
    std::optional<ImplicitSteps<Real>> implicit_;
    std::uint32_t step_ = 0;  // that the next launch begins with
    run_state_t state_;
    std::optional<Solution> copied_;    // a snapshot from a slot, until it is passed on
    std::optional<SnapshotRing> ring_;  // last: it ends before what it uses
};

}  // namespace perdure
