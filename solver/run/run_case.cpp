#include "solver/run/run_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/backends/wait_limit.hpp"
#include "solver/equations/equation.hpp"
#include "solver/output/derived_fields.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/output/energy_bounds.hpp"
#include "solver/problem/large_vector.hpp"
#include "solver/run/discretise.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/finish_field.hpp"
#include "solver/run/multigrid_cycle.hpp"
#include "solver/run/run_memory.hpp"
#include "solver/run/run_report.hpp"
#include "solver/run/upload_segment.hpp"
#include "solver/run/work_done.hpp"

namespace perdure {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One run in one precision.
template <typename Real>
class Run {
  public:
    Run(const PreparedCase &prepared, Progress::Style style)
        : prepared_(prepared),
          config_(prepared.config),
          grid_(prepared.problem.grid),
          fields_(prepared.problem.fields),
          discretisations_(discretise_all(prepared)),
          segments_(segments()),
          memory_(config_, grid_, fields_, prepared.cells, prepared.plan, std::move(discretisations_),
                  segments_, prepared.problem.coefficients),
          call_(memory_.call_at_once()),
          device_run_(prepare_fields()),
          progress_(style, memory_.parameters().max_iterations, counted(), prepared.part, prepared.meanwhile),
          driver_(*device_run_, prepared.plan, progress_),
          words_(describe_choice(prepared, call_, memory_.bytes())) {
        report_.time_spent = prepared.time_spent;
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
        if (!in_time()) {
            advance(memory_.parameters(), 0, std::numeric_limits<std::uint32_t>::max());
            return snapshot(0.0);
        }
        for (const TimeSegment &segment : segments_) {
            upload_segment(memory_, segment, call_, *device_run_);
            const auto phases = static_cast<std::uint32_t>(prepared_.plan.method->phases_per_iteration);
            advance(memory_.segment_parameters(segment), segment.first_step * phases,
                    (segment.first_step + segment.steps) * phases);
            if (state_.control.stop != STOP_NONE && state_.control.stop != STOP_COMPLETE) {
                return snapshot(std::min(segment.end_time, segment.time_after(work_done(state_))));
            }
            if (state_.control.stop == STOP_COMPLETE) {
                return snapshot(segment.end_time);
            }
            sink(snapshot(segment.end_time));
        }
        throw Failure(ExitCode::differs_or_internal, "the last time step did not end the run");
    }

  private:
    static std::vector<Discretisation<Real>> discretise_all(const PreparedCase &prepared) {
        const Problem &problem = prepared.problem;
        return prepared.image
                   ? std::vector{discretise_image<Real>(problem.grid, problem.only_field(),
                                                        prepared.cells.front(), prepared.plan.by_labels)}
                   : discretise<Real>(problem, prepared.cells, prepared.plan.by_labels);
    }

    [[nodiscard]] bool in_time() const { return prepared_.plan.method->in_time; }

    [[nodiscard]] Counted counted() const {
        return {equation_of(config_.type).unit, in_time() ? largest_of(prepared_.problem) : "residual",
                !in_time()};
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
        report_.time_step = choose_time_step(config_, stable_time_steps(discretisations_));
        std::vector<TimeSegment> found = time_segments(config_, report_.time_step);
        check_time_factors(config_, found);
        return found;
    }

    void advance(run_parameters_t parameters, std::uint32_t first, std::uint32_t last) {
        parameters.wait_limit = watchdog_limit(*prepared_.selected.device, config_.execution);
        const Clock::time_point start = Clock::now();
        state_ = driver_.run(parameters, first, last);
        report_.device_seconds += seconds_since(start);
    }

    Solution snapshot(double time) {
        Solution solution;
        if (image_) {
            report_.effective = image_->through_flow(call_, *device_run_, memory_.answer_buffer(state_));
        }
        if (!image_ || !written_fields(config_).empty() ||
            memory_.parameters().cells <= most_cells_to_bound) {
            for (std::size_t i = 0; i < fields_.size(); ++i) {
                LargeVector<Real> u = download_answer(i);
                finish_field(fields_[i], prepared_.cells[i], u);
                solution.fields.push_back({fields_[i].name, std::move(u), 1, fields_[i].unit.value_or("1")});
            }
            complete_effective(grid_, fields_.front(), solution.fields.front().values, report_.effective);
        }
        add_derived_fields(config_, prepared_.problem, solution);
        solution.time = time;
        solution.step = work_done(state_);
        complete_report(solution);
        return solution;
    }

    LargeVector<Real> download_answer(std::size_t field) {
        const TimeSpent::Scope downloading(Activity::download);
        LargeVector<Real> u(memory_.parameters().cells);
        fetch_memory(u);
        device_run_->read(memory_.answer_buffer(state_, field), u.data(), u.size() * sizeof(Real),
                          memory_.answer_offset(field));
        return u;
    }

    void complete_report(Solution &solution) {
        report_.launches = driver_.launches();
        report_.graph_launches = driver_.graph_launches();
        report_.barriers = driver_.barriers();
        report_.device_bytes = memory_.bytes();
        report_.history = read_history();
        Report report = report_;
        if (image_) {
            report.launches += image_->beside().launches;
            report.device_seconds += image_->beside().seconds;
        }
        describe_run(prepared_, words_, memory_.parameters(), state_, solution, report);
        report.time_spent->update();
        solution.report = std::move(report);
    }

    std::vector<HistoryEntry> read_history() {
        const TimeSpent::Scope downloading(Activity::download);
        std::vector<double> raw(3 * static_cast<std::size_t>(state_.control.history_length));
        device_run_->read(call_.place_of("history"), raw.data(), raw.size() * sizeof(double));
        std::vector<HistoryEntry> history(state_.control.history_length);
        for (std::size_t i = 0; i < history.size(); ++i) {
            history[i] = {static_cast<std::int64_t>(raw[3 * i]), raw[3 * i + 1], raw[3 * i + 2] - raw[2]};
        }
        return history;
    }

    const PreparedCase &prepared_;
    const Config &config_;
    Report report_;
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
    run_state_t state_{};
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
