// `perdure compare`: the same phases under every execution model. What was measured, and what follows from
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/failure.hpp"
#include "solver/measure/compare/part_shares.hpp"

namespace perdure::compare {

/// Seconds, one of each round.
struct Samples {
    std::vector<double> values;

    [[nodiscard]] bool empty() const { return values.empty(); }
    [[nodiscard]] double median() const;
    [[nodiscard]] double lowest() const;
    [[nodiscard]] double highest() const;
};

/// One execution model (persistent: with one barrier) at one point of the sweep.
struct Result {
    std::string name;        // model, and the barrier where several are compared: "persistent/tree"
    std::string model;       // as in a case file
    std::string barrier;     // persistent: the one it ran with
    std::string cannot_run;  // left out, and why
    std::string failure;     // a wait that was abandoned, a device error
    std::string wrong;       // where its answer differs from that of the model it was compared with
    double bound = 0.0;      // of the field's norm: what its answer may differ by; 0: nothing, not a bit
    int groups = 0, group_size = 0;
    Samples seconds;         // per iteration, by the host's clock around the driver's loop
    Samples device_seconds;  // per iteration; only where the whole run is on the device
    // of one run
    std::int64_t launches = 0, graph_launches = 0, barriers = 0, looks = 0;
    double barrier_seconds = 0.0;         // of one barrier with nothing between, as measured beforehand
    std::optional<double> check_seconds;  // what one more check costs
    bool check_seen = false;              // that is more than what the rounds spread
    std::optional<PartShares> shares;     // where the time of an instrumented run went
    std::string no_shares;                // why that is not known
    Samples
        bare_seconds;  // per iteration, of the same run by itself: what the comparison adds is the difference

    [[nodiscard]] bool measured() const { return !seconds.empty(); }
    /// Measured, and its answer is that of the others.
    [[nodiscard]] bool counts() const { return measured() && wrong.empty() && failure.empty(); }
    /// More than one launch (a graph: of nodes) a run.
    [[nodiscard]] bool multi_launch() const { return model != "persistent" && model != "resident"; }
};

/// All results on one device, in one precision, at one size.
struct Point {
    std::string backend, device, precision;
    std::vector<std::int64_t> shape;  // as in a case file: slowest axis first
    std::int64_t cells = 0;
    std::int64_t iterations = 0;  // of each run
    std::int64_t check_every = 0;
    int rounds = 0;                      // that were measured
    bool complete = false;               // all rounds that were asked for
    double seconds = 0.0;                // that the point took
    double bytes_per_iteration = 0.0;    // that must move: from the kernel's own header
    double bytes_touched = 0.0;          // fields that an iteration reads or writes
    double copy_bytes_per_second = 0.0;  // of a copy of as many bytes as are touched; 0: not measured
    std::vector<Result> results;

    /// Cells along the longest side.
    [[nodiscard]] std::int64_t size() const;
    [[nodiscard]] bool is_at(const Point &place) const {
        return backend == place.backend && device == place.device && precision == place.precision &&
               shape == place.shape;
    }
    /// At least one candidate ran and did not fail.
    [[nodiscard]] bool usable() const {
        return std::any_of(results.begin(), results.end(), [](const Result &result) {
            return result.cannot_run.empty() && result.failure.empty();
        });
    }
    /// No candidate failed or gave a wrong answer.
    [[nodiscard]] bool right() const {
        return std::all_of(results.begin(), results.end(), [](const Result &result) {
            return result.wrong.empty() && result.failure.empty();
        });
    }
};

/// A size, precision or back end that was not measured.
struct NotMeasured {
    std::string what, why;
};

struct DeviceNote {
    std::string backend, name, driver;
    int compute_units = 0;
    bool gpu = false;
    double copy_bytes_per_second = 0.0;  // read and written, of arrays that no cache holds
    std::vector<NotMeasured> missing;    // models
};

struct Comparison {
    std::string version, built_with, build_id, date, command;
    std::string title, case_path, case_text, method;
    std::vector<std::string> models;  // those that were asked for
    int repetitions = 0;
    std::int64_t iterations = 0;  // 0: chosen at each point
    double run_seconds = 0.1;     // that they then fill
    std::vector<DeviceNote> devices;
    std::vector<Point> points;
    std::vector<NotMeasured> not_measured;
    ExitCode why_nothing = ExitCode::device;  // where no point could be measured
    bool stopped = false;                     // by Ctrl-C or SIGTERM
    bool out_of_time = false;                 // by --time-limit

    [[nodiscard]] const DeviceNote *device_of(const Point &point) const;
    [[nodiscard]] bool wrong() const;
    [[nodiscard]] std::vector<std::string> failures() const;
};

/// The fastest correct result with more than one launch a run, and of those with one; null when there is none.
const Result *best_multi_launch(const Point &point);
const Result *best_single_launch(const Point &point);

/// Time of the best multi-launch result over that of `result`; empty for a wrong answer or where there is
/// none.
std::optional<double> speed_up(const Point &point, const Result &result);

/// Their medians are within 2 %, or each lies in the range of the other's rounds.
bool level(const Result &one, const Result &other);

/// Where the order of the best single-launch and the best multi-launch result changes; sizes at which they
/// are level are passed over.
struct OrderChange {
    std::string backend, device, precision;
    std::int64_t from = 0, to = 0;  // sizes that were measured
    double estimated = 0.0;         // where the two lines cross, drawn straight between them over logarithms
    std::string faster_below, faster_above;
};

/// Of points of one device and precision each, by size.
std::vector<OrderChange> order_changes(const std::vector<Point> &points);

/// A sentence for each device and precision: what to take at which size.
std::vector<std::string> advice(const std::vector<Point> &points);

/// Bytes that must move in an iteration per second of the result, at its median.
double bytes_per_second(const Point &point, const Result &result);

/// Why a fraction of the copy's throughput means nothing here; empty: it means something.
std::string why_no_fraction(const Point &point, const DeviceNote &device);
inline std::string why_no_fraction(const Point &point, const Result &result, const DeviceNote &device) {
    return result.model == "resident" ? "fields that stay on the chip are not moved in every iteration"
                                      : why_no_fraction(point, device);
}

/// What the comparison adds to a result's runs, as a fraction of the same runs by themselves, the fastest
/// against the fastest: what else the machine does would hide it. Empty where it was not measured.
std::optional<double> overhead(const Result &result);

/// Shares of a result's time, estimated: of the host, from its clock less the device's; of barriers, from
/// their number and the time of one that has nothing to wait for. Empty where they are not known.
std::optional<double> host_share(const Result &result);
std::optional<double> barrier_share(const Point &point, const Result &result);

}  // namespace perdure::compare
