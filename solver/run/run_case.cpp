#include "solver/run/run_case.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "solver/backends/wait_limit.hpp"
#include "solver/equations/equation.hpp"
#include "solver/run/checkpoint_schedule.hpp"
#include "solver/run/discretise_case.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/implicit_steps.hpp"
#include "solver/run/initial_state.hpp"
#include "solver/run/multigrid_cycle.hpp"
#include "solver/run/run_checkpoint.hpp"
#include "solver/run/run_memory.hpp"
#include "solver/run/run_report.hpp"
#include "solver/run/run_solutions.hpp"
#include "solver/run/segments_of_run.hpp"
#include "solver/run/snapshot_ring.hpp"
#include "solver/run/upload_segment.hpp"
#include "solver/run/work_done.hpp"

namespace perdure {
namespace {

/// One run in one precision.
template <typename Real>
class Run {
  public:
    Run(const PreparedCase &prepared, Progress::Style style)
        : prepared_(prepared),
          config_(prepared.config),
          grid_(prepared.problem.grid),
          fields_(prepared.problem.fields),
          discretisations_(discretise_case<Real>(prepared)),
          segments_(segments()),
          memory_(config_, grid_, fields_, prepared.cells, prepared.plan, std::move(discretisations_),
                  segments_, prepared.problem.coefficients),
          call_(memory_.call_at_once()),
          device_run_(prepare_fields()),
          progress_(style, most_work(), counted(), prepared.part, prepared.meanwhile),
          driver_(*device_run_, prepared.plan, progress_),
          words_(describe_choice(prepared, call_, memory_.bytes())),
          checkpoints_(prepared.config, prepared.resumption),
          state_(memory_.complete_state()),
          solutions_(prepared, memory_, call_, *device_run_, driver_, words_, time_step_) {
        if (prepared.plan.method->implicit != nullptr) {
            implicit_.emplace(prepared, segments_, memory_);
        }
        if (prepared.plan.ring_slots > 0) {
            ring_.emplace(*device_run_, call_.place_of("ring"),
                          fields_.size() * memory_.parameters().cells * sizeof(Real),
                          prepared.plan.ring_slots);
        }
    }

    Solution run(const SnapshotSink &sink) {
        if (!prepared_.model_choice.empty() && prepared_.said->insert(prepared_.model_choice).second) {
            progress_.say(prepared_.model_choice);
        }
        prepared_.before_launch(memory_.parameters());
        if (prepared_.said->insert(words_.choice).second) {
            progress_.say(words_.start_line);
        }
        if (config_.solver.multigrid.full_start && is_direct(*memory_.hierarchy())) {
            progress_.say("solver.multigrid.start: full has no use here: the grid itself is solved directly");
        }
        if (prepared_.image) {
            image_.emplace(*prepared_.image, config_, grid_, fields_.front(), *prepared_.selected.device,
                           prepared_.plan, memory_.parameters(), memory_.discretisation().diagonal);
            image_->make_operator(call_, *device_run_);
        }
        if (in_time()) {
            return knows_its_steps(*prepared_.plan.method) ? run_in_time(sink) : run_by_segments(sink);
        }
        advance(memory_.parameters(), 0, std::numeric_limits<std::uint32_t>::max());
        return snapshot(0.0, state_);
    }

  private:
    [[nodiscard]] bool in_time() const { return prepared_.plan.method->in_time; }

    [[nodiscard]] Counted counted() const {
        return {equation_of(config_.type).unit,
                solves_systems(config_) ? "residual" : largest_of(prepared_.problem), !in_time(),
                in_time() && prepared_.plan.method->chooses_steps ? config_.time->end : 0.0};
    }

    /// Iterations, or in time steps, at which the run ends at the latest.
    [[nodiscard]] std::int64_t most_work() const {
        return in_time() ? last_step_of(segments_, prepared_.plan.method->chooses_steps)
                         : std::int64_t{memory_.parameters().max_iterations};
    }

    std::unique_ptr<DeviceRun> prepare_fields() {
        const TimeSpent::Scope uploading(Activity::upload);
        Device &device = *prepared_.selected.device;
        KeptBuffers &kept = prepared_.image ? prepared_.image->fields : *prepared_.kept;
        std::unique_ptr<DeviceRun> run = kept.prepare(call_, prepared_.plan.shape, device);
        if (!prepared_.image) {
            kept.give_back_most();
        }
        run->write(buffer_state, &memory_.complete_state(), sizeof(run_state_t));
        memory_.release_fields();
        return run;
    }

    std::vector<TimeSegment> segments() {
        if (!in_time()) {
            return {};
        }
        time_step_ = choose_time_step(config_, stable_time_steps(discretisations_));
        std::vector<TimeSegment> found = time_segments(config_, time_step_);
        time_step_ = found.front().step;
        check_time_factors(config_, found);
        set_stages(config_, prepared_.problem.stable_time_step, found);
        return found;
    }

    /// A launch for each segment, of a run whose steps are not known beforehand, or are solves.
    Solution run_by_segments(const SnapshotSink &sink) {
        for (const TimeSegment &segment : segments_) {
            upload_segment(memory_, segment, call_, *device_run_);
            if (implicit_) {
                advance(implicit_->begin(segment, state_, call_, *device_run_), state_.control.phases,
                        std::numeric_limits<std::uint32_t>::max());
            } else {
                const auto [first, end] = phases_of_segment(*prepared_.plan.method, segment, state_);
                advance(memory_.segment_parameters(segment), first, end);
            }
            if (state_.control.stop != STOP_NONE && state_.control.stop != STOP_COMPLETE) {
                return snapshot(time_reached(*prepared_.plan.method, segment, state_), state_);
            }
            if (&segment == &segments_.back()) {
                return snapshot(segment.end_time, state_);
            }
            if (segment.ends_on_snapshot) {
                sink(snapshot(segment.end_time, state_));
            }
        }
        throw Failure(ExitCode::differs_or_internal, "the last time step did not end the run");
    }

    /// A launch for each segment, or with a ring of snapshots one for all of them; and one from checkpoint to checkpoint.
    Solution run_in_time(const SnapshotSink &sink) {
        std::uint32_t step = begin_or_go_on();
        for (const std::uint32_t end = segments_.back().end_step(); step < end;) {
            const TimeSegment &segment = segment_with(segments_, step);
            upload_segment(memory_, segment, call_, *device_run_);
            const std::uint32_t last =
                std::min(checkpoints_.next_after(step), ring_ ? end : segment.end_step());
            advance_steps(segment, step, last, sink);
            const bool stopped = state_.control.stop == STOP_REQUESTED;
            step = state_.control.stop != STOP_NONE ? work_done(state_) : last;
            const bool is_due =
                (stopped || state_.control.stop == STOP_NONE) && checkpoints_.is_due(step, stopped);
            if (state_.control.stop == STOP_COMPLETE) {
                return snapshot(segments_.back().end_time, state_);
            }
            if (state_.control.stop != STOP_NONE && !is_due) {
                return snapshot(time_reached(segments_, step), state_);
            }
            run_state_t running = state_;
            running.control.stop = STOP_NONE;
            if (const TimeSegment &behind = segment_with(segments_, step - 1); behind.end_step() == step) {
                sink(snapshot(behind.end_time, running));
            }
            if (is_due) {
                save_checkpoint(step);
            }
            if (stopped && checkpoints_.is_at_end()) {
                return snapshot(time_reached(segments_, step), state_);
            }
            if (stopped) {
                driver_.go_on();
                state_ = running;
            }
        }
        throw Failure(ExitCode::differs_or_internal, "the last time step did not end the run");
    }

    /// The first step.
    std::uint32_t begin_or_go_on() {
        if (!prepared_.resumption.from) {
            return 0;
        }
        const Checkpoint &from = *prepared_.resumption.from;
        expect_same_plan(plan_of(prepared_, call_, words_), from.plan);
        restore_checkpoint(from, memory_, call_, *device_run_);
        driver_.continue_from(from.state, from.launches, from.graph_launches, from.barriers);
        words_.start_line = from.plan.start_line;
        solutions_.continue_from(from.device_seconds);
        state_ = from.state;
        return from.step;
    }

    void save_checkpoint(std::uint32_t step) {
        Checkpoint made = make_checkpoint(memory_, call_, *device_run_, state_, fields_);
        made.plan = plan_of(prepared_, call_, words_);
        made.step = step;
        made.time = time_reached(segments_, step);
        made.launches = driver_.launches();
        made.graph_launches = driver_.graph_launches();
        made.barriers = driver_.barriers();
        made.device_seconds = solutions_.device_seconds();
        prepared_.resumption.save(std::move(made));
        checkpoints_.saved();
    }

    void advance_steps(const TimeSegment &first, std::uint32_t step, std::uint32_t last_step,
                       const SnapshotSink &sink) {
        run_parameters_t parameters = memory_.segment_parameters(first);
        const std::uint32_t phases = phases_of_step(*prepared_.plan.method, first);
        const bool is_end = last_step == segments_.back().end_step();
        const std::uint32_t begin = step * phases;
        const std::uint32_t end = last_step * phases + (is_end ? phases_behind_the_steps(memory_) : 0);
        driver_.stop_at(checkpoints_.stop_at());
        if (!ring_) {
            advance(parameters, begin, end);
            return;
        }
        parameters.ring_slots = prepared_.plan.ring_slots;
        const run_state_t before = state_;
        std::optional<Solution> copied;
        ring_->begin({[&](std::uint32_t number, const SnapshotRing::Read &slot) {
                          const TimeSegment &segment = segments_.at(first.number + number);
                          const std::uint32_t checks =
                              std::min(memory_.parameters().history_capacity,
                                       checks_until(segments_, segment, config_.solver.check_every));
                          const std::uint32_t done = segment.end_step() * phases - begin;
                          copied =
                              snapshot(segment.end_time, state_behind(segment, before, done, checks), &slot);
                      },
                      [&] { sink(*std::exchange(copied, std::nullopt)); }},
                     checkpoints_.stop_at());
        driver_.do_meanwhile([this] { ring_->drain(); });
        advance(parameters, begin, end);
        const std::uint32_t reached = begin + state_.control.phases - before.control.phases;
        const auto not_reached =
            std::find_if(segments_.begin() + first.number + 1, segments_.end(),
                         [&](const TimeSegment &segment) { return segment.first_step * phases >= reached; });
        ring_->finish(static_cast<std::uint32_t>(not_reached - segments_.begin()) - first.number - 1);
    }

    void advance(run_parameters_t parameters, std::uint32_t first, std::uint32_t last) {
        parameters.wait_limit = watchdog_limit(*prepared_.selected.device, config_.execution);
        solutions_.begin_launch(state_);
        state_ = driver_.run(parameters, first, last);
        solutions_.end_launch(ring_.has_value());
    }

    Solution snapshot(double time, const run_state_t &state, const SnapshotRing::Read *slot = nullptr) {
        return solutions_.make(time, state, image_ ? &*image_ : nullptr, slot);
    }

    const PreparedCase &prepared_;
    const Config &config_;
    double time_step_ = 0.0;
    const Grid &grid_;
    const std::vector<Field> &fields_;
    std::vector<Discretisation<Real>> discretisations_;
    std::vector<TimeSegment> segments_;
    RunMemory<Real> memory_;
    KernelCall call_;
    std::unique_ptr<DeviceRun> device_run_;
    std::optional<ImageSolve<Real>> image_;
    Progress progress_;
    LaunchDriver driver_;
    RunWords words_;
    std::optional<ImplicitSteps<Real>> implicit_;
    CheckpointSchedule checkpoints_;
    run_state_t state_;
    RunSolutions<Real> solutions_;
    std::optional<SnapshotRing> ring_;  // last: it ends before what it uses
};

template <typename Real>
Solution run_in_precision(const PreparedCase &prepared, Progress::Style style, const SnapshotSink &sink) {
    Run<Real> run = [&] {
        const TimeSpent::Scope planning(Activity::plan);
        return Run<Real>(prepared, style);
    }();
    return run.run(sink);
}

}  // namespace

Solution run_case(const PreparedCase &prepared, Progress::Style style, const SnapshotSink &sink) {
    if (prepared.config.execution.model == ExecutionModel::automatic) {
        throw Failure(ExitCode::differs_or_internal, "internal error: the model of the case was not chosen");
    }
    if (prepared.config.execution.precision == Precision::float32) {
        return run_in_precision<float>(prepared, style, sink);
    }
    return run_in_precision<double>(prepared, style, sink);
}

}  // namespace perdure
