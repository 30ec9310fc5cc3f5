// Plans how a case runs: which device, how many groups, how much memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/case_file/config.hpp"
#include "solver/methods/method.hpp"
#include "solver/problem/problem.hpp"
#include "solver/resident/plan_resident.hpp"
#include "solver/run/boxes.hpp"

namespace perdure {

/// The device of the case, opened and tested: passes its barrier self-test.
struct SelectedDevice {
    std::shared_ptr<Device> device;
    int index = 0;
    std::string why;       // in full: what `auto` passed over, and for which reasons
    std::string in_short;  // the same in some words
};

/// What messages call the keys: execution.device, or --device.
enum class AskedBy { case_file, command_line, backends_option };  // --backends of compare

/// Throws Failure(device) when the back end or device asked for is not there or fails, and what there is is named;
/// Failure(case_or_usage) for a device without a back end: devices are counted back end by back end. Errors are at the
/// place of the key, where a case file or an override gave it.
SelectedDevice select_device(const ExecutionConfig &execution, AskedBy asked_by = AskedBy::case_file);

struct LaunchPlan {
    std::string
        definitions;  // of a case whose kernel is compiled for its formulas; empty: it is interpreted, or of any case
    const Method *method = nullptr;  // null: of a kernel that prepares a run
    std::string launched;            // the kernel
    ResidentPlan resident;           // model: resident
    LaunchShape shape;
    ExecutionModel model = ExecutionModel::persistent;
    BarrierChoice barrier = BarrierChoice::group_leader;
    double barrier_seconds = 0.0;  // of one barrier as measured beforehand; 0: not measured
    bool bounded = false;          // launches of at most 0.5 s: nothing is shared with the host during one
    Boxes boxes;
    std::uint32_t chunks = 0;
    std::int64_t least_bytes = 0;  // device memory that the run needs at least, of ranks that which has most
    std::uint32_t ring_slots =
        0;  // snapshots that the device holds while its one launch goes on; 0: a launch for each
    bool on_gpu = false;
    std::int64_t line_values = 0;            // that a group has room for, of lines that are transformed
    int reach = 1;                           // cells that a phase looks away along the last axis
    bool by_labels = false;                  // coefficients come by labels, unless they turn out uniform
    std::vector<CellRange> held_cells = {};  // of a rank that holds a part of each array; none: all
    double held_part = 1.0;                  // of the grid that the rank with the largest part holds
    std::uint32_t prefetch = 0;              // so many fields of one phase; 0: the device's cache holds all
};

/// What `description` offers resident kernels.
ResidentDevice resident_device(const DeviceDescription &description);

/// Throws Failure(case_or_usage) for groups or a group size that the device cannot run, with the limit,
/// Failure(device) when the fields cannot fit its memory. Allocates nothing.
LaunchPlan plan_launch(const Config &config, Device &device);

/// Of a kernel without reductions that makes what the runs of `of_runs` work on.
LaunchPlan plan_preparation(const std::string &kernel, const LaunchPlan &of_runs, const Config &config,
                            Device &device);

}  // namespace perdure
