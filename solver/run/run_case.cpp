#include "solver/run/run_case.hpp"
#include "solver/run/factors_in_time.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "solver/equations/equation.hpp"
#include "solver/run/discretise_case.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/initial_state.hpp"
#include "solver/run/later_needs.hpp"
#include "solver/run/multigrid_cycle.hpp"
#include "solver/run/run_in_time.hpp"
#include "solver/run/run_launches.hpp"
#include "solver/run/run_memory.hpp"
#include "solver/run/run_report.hpp"
#include "solver/run/run_solutions.hpp"
#include "solver/run/segments_of_run.hpp"

namespace perdure {
namespace {

/// One run in one precision.
template <typename Real>
class Run {
  public:
    /// `given_up`: the case, where it is not run again, else null.
    Run(const PreparedCase &prepared, PreparedCase *given_up, Progress::Style style)
        : prepared_(prepared),
          config_(prepared.config),
          grid_(prepared.problem.grid),
          fields_(prepared.problem.fields),
          discretisations_(discretise_case<Real>(prepared)),
          segments_(segments()),
          memory_(config_, grid_, fields_, prepared.cells, prepared.plan, std::move(discretisations_),
                  segments_, prepared.problem.coefficients),
          call_(memory_.call()),
          device_run_(prepare_fields()),
          progress_(style, most_work(), counted(), prepared.part, prepared.meanwhile),
          driver_(*device_run_, prepared.plan, progress_),
          words_(describe_choice(prepared, call_, memory_.bytes())),
          solutions_(prepared, memory_, call_, *device_run_, driver_, words_, time_step_) {
        if (given_up != nullptr) {
            give_up_samples(*given_up);
        }
    }

    Solution run(const SnapshotSink &sink) {
        if (!prepared_.model_choice.empty() && prepared_.said->insert(prepared_.model_choice).second) {
            progress_.say(prepared_.model_choice);
        }
        prepared_.before_launch(memory_.parameters());
        if (prepared_.said->insert(words_.choice).second) {
            progress_.say(words_.in_short);
        }
        if (config_.solver.multigrid.full_start && is_direct(*memory_.hierarchy())) {
            progress_.say(
                "solver.multigrid.start: full has no effect here, because the grid itself is solved "
                "directly");
        }
        if (prepared_.image) {
            image_.emplace(*prepared_.image, config_, grid_, fields_.front(), prepared_.cells.front(),
                           *prepared_.selected.device, prepared_.plan, memory_.parameters(),
                           memory_.discretisation().diagonal);
            image_->make_operator(call_, *device_run_);
        }
        if (in_time()) {
            RunInTime<Real> in_time(prepared_, segments_, memory_, call_, *device_run_, driver_, words_,
                                    solutions_);
            return in_time.run(sink);
        }
        const run_state_t state =
            launch_phases(prepared_, solutions_, driver_, memory_.state(), memory_.parameters(), 0,
                          std::numeric_limits<std::uint32_t>::max());
        return solutions_.make(0.0, state, image_ ? &*image_ : nullptr, nullptr);
    }

  private:
    [[nodiscard]] bool in_time() const { return prepared_.plan.method->in_time; }

    [[nodiscard]] Counted counted() const {
        return {equation_of(config_.type).unit,
                solves_systems(config_) ? "residual" : largest_of(prepared_.problem), !in_time(),
                in_time() && prepared_.plan.method->chooses_steps ? config_.time->end : 0.0,
                !in_time() || !solves_systems(config_)};
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
        write_fields(prepared_, memory_, call_, *run);
        memory_.release_fields();
        return run;
    }

    std::vector<TimeSegment> segments() {
        if (!in_time()) {
            return {};
        }
        time_step_ =
            choose_time_step(config_, stable_time_steps(discretisations_), prepared_.longest_automatic_step);
        std::vector<TimeSegment> found = time_segments(config_, time_step_);
        time_step_ = found.front().step;
        check_time_factors(config_, found);
        set_stages(config_, prepared_.problem.stable_time_step, found);
        return found;
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
    RunSolutions<Real> solutions_;
};

template <typename Real>
Solution run_in_precision(const PreparedCase &prepared, PreparedCase *given_up, Progress::Style style,
                          const SnapshotSink &sink) {
    Run<Real> run = [&] {
        const TimeSpent::Scope planning(Activity::plan);
        return Run<Real>(prepared, given_up, style);
    }();
    return run.run(sink);
}

Solution run(const PreparedCase &prepared, PreparedCase *given_up, Progress::Style style,
             const SnapshotSink &sink) {
    if (prepared.config.execution.model == ExecutionModel::automatic) {
        throw Failure(ExitCode::differs_or_internal,
                      "internal error: no execution model was chosen for the case");
    }
    if (prepared.config.execution.precision == Precision::float32) {
        return run_in_precision<float>(prepared, given_up, style, sink);
    }
    return run_in_precision<double>(prepared, given_up, style, sink);
}

}  // namespace

Solution run_case(const PreparedCase &prepared, Progress::Style style, const SnapshotSink &sink) {
    return run(prepared, nullptr, style, sink);
}

Solution run_once(PreparedCase &prepared, Progress::Style style, const SnapshotSink &sink) {
    return run(prepared, &prepared, style, sink);
}

}  // namespace perdure
