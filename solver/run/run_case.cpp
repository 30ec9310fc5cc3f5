#include "solver/run/run_case.hpp"

#include <limits>

#include <fmt/format.h>

#include "solver/backends/wait_limit.hpp"
#include "solver/equations/equation.hpp"
#include "solver/methods/advice.hpp"
#include "solver/output/derived_fields.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/output/energy_bounds.hpp"
#include "solver/problem/large_vector.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/discretise.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/finish_field.hpp"
#include "solver/run/multigrid_cycle.hpp"
#include "solver/run/run_memory.hpp"
#include "solver/run/segments_of_run.hpp"
#include "solver/run/upload_segment.hpp"
#include "solver/run/work_done.hpp"
#include "solver/version.hpp"

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
          driver_(*device_run_, prepared.plan, progress_) {
        report_.time_spent = prepared.time_spent;
    }

    Solution run(const SnapshotSink &sink) {
        if (!prepared_.model_choice.empty() && prepared_.said->insert(prepared_.model_choice).second) {
            progress_.say(prepared_.model_choice);
        }
        prepared_.before_launch(memory_.parameters());
        if (prepared_.said->insert(choice()).second) {
            progress_.say(start_line());
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
            const auto [first, end] = phases_of_segment(*prepared_.plan.method, segment, state_);
            advance(memory_.segment_parameters(segment), first, end);
            if (state_.control.stop != STOP_NONE) {
                return snapshot(time_reached(*prepared_.plan.method, segment, state_));
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
                !in_time(), in_time() && prepared_.plan.method->chooses_steps ? config_.time->end : 0.0};
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
        set_stages(config_, prepared_.problem.stable_time_step, found);
        return found;
    }

    /// What start_line() tells of, without what differs from case to case.
    [[nodiscard]] std::string choice() const {
        return fmt::format("{} on {}, {} groups of {}, {}, barrier {}", call_.kernel,
                           prepared_.selected.device->description().name, prepared_.plan.shape.groups,
                           prepared_.plan.shape.group_size, name(config_.execution.model),
                           name(prepared_.plan.barrier));
    }

    [[nodiscard]] std::string start_line() const {
        const DeviceDescription &device = prepared_.selected.device->description();
        std::string launches = name(config_.execution.model);
        if (config_.execution.model == ExecutionModel::resident) {
            launches += fmt::format(" ({})", describe(prepared_.plan.resident));
        }
        if (is_one_launch(config_.execution.model) && prepared_.plan.bounded) {
            launches += ", launches bounded to 0.5 s: ";
            launches +=
                device.time_limited ? "the driver limits kernel time" : "no memory is shared during a launch";
        } else if (is_one_launch(config_.execution.model) && in_time()) {
            launches += ", one launch from snapshot to snapshot";
        }
        if (prepared_.plan.barrier_seconds > 0.0) {
            launches += fmt::format(", barrier {} ({:.2f} us)", name(prepared_.plan.barrier),
                                    1.0e6 * prepared_.plan.barrier_seconds);
        }
        return fmt::format("{} on {} ({}), {} group{} of {}, {}, {}", call_.kernel, device.name,
                           prepared_.selected.why, prepared_.plan.shape.groups,
                           prepared_.plan.shape.groups == 1 ? "" : "s", prepared_.plan.shape.group_size,
                           launches, readable_bytes(static_cast<double>(memory_.bytes())));
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
        const DeviceDescription &device = prepared_.selected.device->description();
        const run_parameters_t &parameters = memory_.parameters();
        report_.version = version();
        report_.backend = name(device.backend);
        report_.device = device.name;
        report_.model = name(config_.execution.model);
        report_.barrier = is_one_launch(config_.execution.model) ? name(prepared_.plan.barrier) : "";
        report_.precision = name(config_.execution.precision);
        report_.method = prepared_.plan.method->title;
        report_.norm = in_time() ? largest_of(prepared_.problem) : name(config_.solver.norm);
        report_.cells = parameters.cells;
        report_.excluded_cells = count_excluded(prepared_.cells);
        report_.launches = driver_.launches();
        if (image_) {
            report_.launches += image_->beside().launches;
            report_.device_seconds += image_->beside().seconds;
        }
        report_.graph_launches = driver_.graph_launches();
        report_.barriers = driver_.barriers();
        report_.iterations = work_done(state_);
        report_chosen_steps(*prepared_.plan.method, state_, call_, *device_run_, report_);
        report_.groups = prepared_.plan.shape.groups;
        report_.group_size = prepared_.plan.shape.group_size;
        report_.device_bytes = memory_.bytes();
        report_.right_hand_side_norm = state_.solve.right_hand_side_norm;
        report_.initial_residual = state_.solve.initial_residual;
        report_.residual = last_norm(state_);
        report_.recursive_residual = state_.solve.recursive_residual;
        report_.tolerance = state_.solve.tolerance;
        report_.accuracy_floor = state_.solve.accuracy_floor;
        report_.time = solution.time;
        report_.stop = static_cast<StopReason>(state_.control.stop);
        report_.advice = advice(report_.stop, config_);
        if (state_.control.bad_cell != NO_CELL) {
            report_.bad_cell = state_.control.bad_cell;
            report_.bad_field = state_.steps.bad_field < fields_.size()
                                    ? fields_[state_.steps.bad_field].name
                                    : field_not_finite(solution, state_.control.bad_cell);
        }
        report_.history = read_history();
        report_.notes = device.notes;
        report_.notes.insert(report_.notes.begin(), start_line());
        const std::string prediction = compare_with_prediction(
            prepared_.plan.resident, report_.device_seconds, static_cast<std::int64_t>(work_done(state_)));
        if (!prediction.empty()) {
            report_.notes.push_back(prediction);
        }
        if (!prepared_.model_choice.empty()) {
            report_.notes.insert(report_.notes.begin(), prepared_.model_choice);
        }
        report_.time_spent->update();
        solution.report = report_;
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
