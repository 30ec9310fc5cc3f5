// The result of a run: the fields and the report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "solver/case_file/config.hpp"
#include "solver/output/effective_bounds.hpp"
#include "solver/output/effective_tensor.hpp"
#include "solver/output/series.hpp"
#include "solver/problem/problem.hpp"
#include "solver/time_spent.hpp"

namespace perdure {

struct HistoryEntry {
    std::int64_t iteration = 0;
    double residual =
        0.0;  // norm as configured, of implicit steps that at their end; of explicit ones the largest magnitude of the fields
    double device_time = 0.0;  // s since launch; NaN where the device has no clock
};

/// Through-flow of a problem whose two opposite sides along `axis` hold uniform values.
struct EffectiveProperties {
    int axis = 0;              // 0 = x, 1 = y, 2 = z
    double inflow = 0.0;       // through the high-valued side into the domain, per area of the whole side
    double outflow = 0.0;      // through the low-valued side out of the domain, per area of the whole side
    double coefficient = 0.0;  // flow * length / difference of values; which flow: effective_properties.hpp
    double mean_coefficient = 0.0;
    double tortuosity = 0.0;  // mean_coefficient / coefficient; infinite when nothing flows
    double rounding = 0.0;    // of u: what it adds to the coefficient, relative
    double plane_spread =
        0.0;  // how far what flows through a plane is from the coefficient's flow, at most, relative
    std::optional<Bounds> bounds{};     // between which the coefficient lies for certain; energy_bounds.hpp
    double plane_noise = 0.0;           // what rounding of u alone makes of that
    std::array<double, 3> mean_flux{};  // of an image: along x, y, z, times length / difference of values
};

/// Of steps in time that are solves.
struct SolvesOfSteps {
    std::int64_t iterations = 0;       // in all
    std::int64_t most_iterations = 0;  // in a step
    std::int64_t rounded_steps = 0;    // whose residual rounding kept from its tolerance
    /// By Newton's method, of systems; then iterations are those of its linear solves.
    std::optional<std::int64_t> corrections{};
    std::int64_t most_corrections = 0;  // in a step
};

/// Of a field against its exact solution, at that time: sum |e| V, sqrt(sum e^2 V), max |e|; V is the volume of a cell.
struct ErrorNorms {
    std::string field;
    double l1 = 0.0, l2 = 0.0, max = 0.0;
    double time = 0.0;
};

/// Names and numbers.
using OutcomeValues = std::vector<std::pair<std::string, double>>;

struct Report {
    Report();  // here and below: compiled once, not by each user
    Report(const Report &);
    Report(Report &&) noexcept;
    Report &operator=(const Report &);
    Report &operator=(Report &&) noexcept;
    ~Report();

    std::string version;
    std::string backend, device, model, barrier, precision, method, norm;
    std::int64_t cells = 0, excluded_cells = 0;
    std::int64_t launches = 0;        // of kernels, among them those that are nodes of graphs
    std::int64_t graph_launches = 0;  // of graphs
    std::int64_t barriers = 0, iterations = 0;
    int groups = 0, group_size = 0;
    std::int64_t device_bytes = 0;
    double right_hand_side_norm = 0.0, initial_residual = 0.0;
    double residual = 0.0;            // true residual, of the answer
    double recursive_residual = 0.0;  // as the recurrence carried it, at the last check (cg)
    double tolerance = 0.0;
    double accuracy_floor = 0.0;  // estimated attainable residual; given with accuracy_limit
    double time = 0.0, time_step = 0.0;
    std::string time_unit;  // behind these two in a sentence; empty: the case does not say
    std::optional<SolvesOfSteps> solves;
    std::optional<std::int64_t> rejected_steps;  // of methods that choose their steps
    std::vector<double> step_sizes;              // of these: of the steps made, as many as are kept
    StopReason stop = StopReason::running;
    std::optional<std::int64_t> bad_cell;  // first cell (by index) that is not finite
    std::string bad_field;        // whose value there is not finite; empty where the problem has one field
    double device_seconds = 0.0;  // in launches, of a resumed run in all its processes
    double earlier_device_seconds = 0.0;  // of these, before the checkpoint that this process resumed from
    double snapshot_wait = 0.0;           // of these, for snapshots before to be copied from the device
    /// On the case; of the only case of a call since the process started. Copies of a report share it: one that another thread takes
    /// gets its own (run_output.hpp).
    std::shared_ptr<TimeSince> time_spent = std::make_shared<TimeSince>();
    std::vector<HistoryEntry> history;
    std::vector<ErrorNorms> errors;  // of fields with an exact solution
    OutcomeValues outcome_values;    // of a member of a sweep: output/outcome_values.hpp
    std::optional<EffectiveProperties> effective;
    std::optional<EffectiveTensor> tensor;  // of an effective case
    std::string advice;                     // what to try where it did not converge
    std::vector<std::string> notes;
};

/// That of its stop reason; a tensor outside Wiener's bounds is an error of ours.
ExitCode exit_code(const Report &report);

/// The stop reason, and behind it what else the exit code is for.
std::string outcome(const Report &report);

using FieldValues = std::variant<LargeVector<float>, LargeVector<double>>;

/// A field of the answer: values per cell in z, y, x order, of a vector its components together; NaN in excluded cells.
struct FieldResult {
    std::string name;
    FieldValues values;
    int components = 1;
    std::string unit = "1";  // as files give it; empty: they do not
};

/// The fields at one time: those of the problem in their order, and behind them what is derived from them. Of an effective case
/// those of each direction, as u_x.
struct Solution {
    std::vector<FieldResult> fields;
    double time = 0.0;
    std::int64_t step = 0;
    Report report;
    std::shared_ptr<const Series>
        series;  // of the whole run, once it has ended; null where nothing was watched
};

double value_at(const FieldValues &values, std::int64_t index);

/// What `perdure info FILE` prints: grid, fields, report, case; of another HDF5 file its datasets. The file is
/// read by a helper process. Throws Failure(input_output).
nlohmann::ordered_json describe_file(const std::filesystem::path &file);

/// The same as text for people.
std::string describe(const nlohmann::ordered_json &contents);

}  // namespace perdure
