// The steps of a run in time, cut at its snapshots.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/methods/method.hpp"

namespace perdure {

/// Steps from one snapshot to the next, all of one size but for the last, which ends on the snapshot. Implicit steps are all of one size,
/// since their matrix depends on it: as many as dt needs at least, and with them the segment is divided evenly. Those that remember the
/// field before the last step have a segment for the first step of another size than that before it.
struct TimeSegment {
    std::uint32_t first_step = 0;
    std::uint32_t steps = 0;
    double start_time = 0.0, end_time = 0.0;
    double step = 0.0, last_step = 0.0;
    double step_before = 0.0;  // of implicit steps that remember: the one before the first; 0: there is none
    bool ends_on_snapshot = true;
    std::uint32_t stages = 0;  // of a step, where its size decides; each is a phase
    std::uint32_t number = 0;  // among those of the run

    [[nodiscard]] std::uint32_t end_step() const { return first_step + steps; }
    /// When so many steps of the run are `done`; no later than a step behind the segment's end.
    [[nodiscard]] double time_after(double done) const { return start_time + step * (done - first_step); }
};

/// Whether a run chooses its steps itself. Its segments are then steps from snapshot to snapshot as far as these functions go.
bool chooses_steps(const Config &config);

/// Of a run that chooses them, the first step that the case gives, or 0. Else
/// the step of a case: the one given, or 0.9 of the largest that is certain to be stable with its integrator.
/// `of_explicit_euler`: the largest stable step of explicit Euler on the operator of each field. `longest_automatic`: of a prepared case.
/// Throws Failure(case_or_usage) at time.dt when the one given is larger than that.
double choose_time_step(const Config &config, const std::vector<double> &of_explicit_euler,
                        double longest_automatic = std::numeric_limits<double>::infinity());

/// Throws Failure(case_or_usage) when there would be more than 4e9 steps.
std::vector<TimeSegment> time_segments(const Config &config, double step);

/// Of a method where the size of a step decides (integrators/integrator.hpp); `stable`: the largest stable step of explicit Euler.
void set_stages(const Config &config, double stable, std::vector<TimeSegment> &segments);

std::uint32_t most_steps_of_a_segment(const std::vector<TimeSegment> &segments);

/// Of the first step of a segment, in sizes; 0 where there is none before it.
double ratio_to_step_before(const TimeSegment &segment);

/// Of the steps of a segment.
StepWeights step_weights(const ImplicitRule &implicit, const TimeSegment &segment);
/// The segment that has step number `step`.
const TimeSegment &segment_with(const std::vector<TimeSegment> &segments, std::uint32_t step);

/// When so many steps of the run are done.
double time_reached(const std::vector<TimeSegment> &segments, std::uint32_t steps);

/// Checks of steps up to the end of a segment: every so many steps, and at the ends of segments.
std::uint32_t checks_until(const std::vector<TimeSegment> &segments, const TimeSegment &last,
                           std::int64_t check_every);

/// Size of every step, in order.
std::vector<double> step_sizes(const std::vector<TimeSegment> &segments);

}  // namespace perdure
