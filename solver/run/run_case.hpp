// Runs a case, from its config to its solution: problem, plan, launch.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solver/output/solution.hpp"
#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/image_operator.hpp"
#include "solver/run/open_devices.hpp"
#include "solver/run/progress.hpp"
#include "solver/run/time_steps.hpp"

namespace perdure {

struct Checkpoint;  // output/checkpoint.hpp

/// What a run in time leaves for another one, and what it goes on from.
struct Resumption {
    std::shared_ptr<const Checkpoint> from;                        // null: the run begins
    std::function<void(Checkpoint)> save;                          // empty: it leaves nothing
    std::optional<std::chrono::steady_clock::time_point> stop_at;  // of execution.time_limit
};

class Ensemble;  // run/ensemble.hpp

/// A case made ready: everything that can be refused has been refused.
struct PreparedCase {
    Config config;
    SelectedDevice selected;
    LaunchPlan plan;
    Problem problem;
    /// That dt: auto takes however long stable steps are (stable_system_step.hpp).
    double longest_automatic_step = std::numeric_limits<double>::infinity();
    std::vector<ActiveCells> cells;                                       // of each field
    std::shared_ptr<KeptBuffers> kept = std::make_shared<KeptBuffers>();  // of the case before
    std::shared_ptr<ImageOnDevice> image;  // of an effective case once percolation is known
    std::function<void(const run_parameters_t &)> before_launch = [](const run_parameters_t &) {};
    Resumption resumption;
    std::shared_ptr<Ensemble>
        ensemble;  // null: the case runs alone; else each call of run_case is for a thread of its own
    bool keeps_unwritten = true;  // solutions have the fields even where the case writes none
    std::string model_choice;     // execution.model: auto: what was taken and why (measurements.hpp)
    std::string part;             // of an effective case: the direction that is solved, in words
    Announcement meanwhile;       // of the case before, whose result is being written
    std::shared_ptr<TimeSince> time_spent = std::make_shared<TimeSince>();  // on the case
    /// Choices of device, kernel and model that have been said: each is said once among all that share this.
    std::shared_ptr<std::set<std::string>> said = std::make_shared<std::set<std::string>>();
};

/// Opens the device, plans (memory of the device is checked before any of it is allocated), samples the problem, the last of them while a
/// driver opens where the host has memory enough.
/// `check_first` may throw a Failure too. Throws one Failure with everything that is wrong. `cases`: of the batch, among which small ones
/// may run together.
PreparedCase prepare_case(Config config, OpenDevices &devices, const std::function<void()> &check_first,
                          std::size_t cases = 1);
/// The same for a single case.
PreparedCase prepare_case(
    Config config, const std::function<void()> &check_first = [] {});

/// The cells that each field takes part in; where the device would find them, they are found on the host.
std::vector<ActiveCells> known_cells(const PreparedCase &prepared);

/// Receives each snapshot before the last one as soon as it is there; a steady run has none.
using SnapshotSink = std::function<void(Solution)>;

/// Runs on the device and returns the last snapshot; a case of execution.model: auto once its model is chosen. Throws
/// Failure for what stops a run without an answer.
Solution run_case(const PreparedCase &prepared, Progress::Style style, const SnapshotSink &sink);

/// The same of a case that is not run again: samples of its problem are given up once the device has what is made of them.
Solution run_once(PreparedCase &prepared, Progress::Style style, const SnapshotSink &sink);

/// The steps of a case in time, as run_case takes them; none of a steady one.
std::vector<TimeSegment> time_segments(const PreparedCase &prepared);

}  // namespace perdure
