#include "solver/measure/bench/sync_bench.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "solver/run/interrupt.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure::bench {
namespace {

constexpr int preferred_group_size = 512;
constexpr int classical_sizes[] = {1024, 64, 32};
const char *const barrier_kernel = "bench_barrier";

/// One group per compute unit, of 512 items or what the device can.
LaunchShape standard_shape(Device &device) {
    const int largest = device.largest_group_size({barrier_kernel, Precision::float64});
    const int size =
        device.description().gpu ? std::min(preferred_group_size, largest) : device.default_group_size();
    const int resident = device.resident_groups({barrier_kernel, Precision::float64}, size);
    return {std::max(1, std::min(resident, device.description().compute_units)), size};
}

/// 1, 2, 4, ... and the number of compute units itself; on host threads up to twice as many.
std::vector<int> sweep_groups(Device &device, LaunchShape standard) {
    const int most =
        device.description().backend == BackendChoice::host ? 2 * standard.groups : standard.groups;
    std::vector<int> groups;
    for (int count = 1; count < most; count *= 2) {
        groups.push_back(count);
    }
    groups.push_back(standard.groups);
    groups.push_back(most);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
}

std::vector<int> sweep_sizes(Device &device, LaunchShape standard) {
    if (!device.description().gpu) {
        const int largest = device.largest_group_size({barrier_kernel, Precision::float64});
        return largest > standard.group_size ? std::vector<int>{standard.group_size, std::min(largest, 32)}
                                             : std::vector<int>{standard.group_size};
    }
    return {32, 128, 512, 1024};
}

void append(std::vector<TimedKernel> &list, const std::vector<TimedKernel> &more) {
    list.insert(list.end(), more.begin(), more.end());
}

std::vector<TimedKernel> contenders(Device &device, LaunchShape shape, const Floors &floors, bool with_data) {
    std::vector<TimedKernel> list = barriers(device, shape, floors, with_data);
    append(list, reductions(device, shape, floors));
    append(list, halo_exchanges(device, shape, floors));
    return list;
}

std::string published(int group_size, const std::string &name) {
    struct Published {
        const char *name;
        const char *milliseconds[3];
    };
    static const Published lines[] = {{"all_items", {"3020", "3021", "10000+"}},
                                      {"group_leader", {"1020", "1024", "10000+"}},
                                      {"lock_free", {"1405", "1377", "10000+"}},
                                      {"unsynchronised", {"220", "220", "220"}}};
    const auto *const size = std::find(std::begin(classical_sizes), std::end(classical_sizes), group_size);
    for (const Published &line : lines) {
        if (size != std::end(classical_sizes) && name == line.name) {
            return line.milliseconds[size - std::begin(classical_sizes)];
        }
    }
    return {};
}

std::vector<LaunchShape> classical_shapes(Device &device, LaunchShape standard) {
    std::vector<LaunchShape> shapes;
    for (const int size : classical_sizes) {
        shapes.push_back({static_cast<int>(classical_elements) / size, size});
    }
    if (!device.description().gpu) {
        shapes.push_back(standard);  // each group has many of the elements
    }
    return shapes;
}

std::vector<LaunchShape> sweep_shapes(Device &device, LaunchShape standard, const SyncOptions &options) {
    std::vector<LaunchShape> shapes;
    if (options.quick && options.groups.empty() && options.group_sizes.empty()) {
        return shapes;
    }
    for (const int size : options.group_sizes.empty() ? sweep_sizes(device, standard) : options.group_sizes) {
        for (const int count : options.groups.empty() ? sweep_groups(device, standard) : options.groups) {
            shapes.push_back({count, size});
        }
    }
    return shapes;
}

/// Why nothing of the list can run, or empty.
std::string why_none(Device &device, const std::vector<TimedKernel> &list) {
    std::string reason;
    for (const TimedKernel &timed : list) {
        const std::string found = why_not(device, timed);
        if (found.empty()) {
            return {};
        }
        reason = reason.empty() ? found : reason;
    }
    return reason;
}

/// A measurement of everything, step by step.
class SyncMeasurement {
  public:
    SyncMeasurement(Device &device, const SyncOptions &options) : device_(device), options_(options) {
        settings_.repetitions = options.repetitions;
        settings_.rounds = options.rounds;
        settings_.launch_seconds = options.quick ? 0.002 : 0.01;
        settings_.most_launch_seconds = device.description().time_limited ? 0.3 : options.quick ? 0.5 : 20.0;
        report_.options = options;
        report_.device = device.description();
        report_.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
        report_.shape = standard_shape(device);
        sweep_ = sweep_shapes(device, report_.shape, options);
        classical_ = classical_shapes(device, report_.shape);
    }

    SyncReport run() {
        refuse_shapes();
        report_.primitives = step("loads, fences and atomics", primitives(device_, report_.shape), settings_);
        report_.floors = floors_of(device_, report_.primitives);
        report_.standard =
            step(text_of(report_.shape), contenders(device_, report_.shape, report_.floors, true), settings_);
        measure_sweep();
        measure_classical();
        report_.stopped = interrupted();
        return report_;
    }

  private:
    /// Says at once what cannot run.
    void refuse_shapes() {
        std::string reasons;
        std::size_t refused = 0;
        for (const LaunchShape &shape : sweep_) {
            const std::string reason = why_none(device_, contenders(device_, shape, {}, false));
            if (!reason.empty()) {
                const std::string line = fmt::format("{}: {}", text_of(shape), reason);
                options_.say(line);
                reasons += "\n  " + line;
                ++refused;
            }
        }
        const bool asked = !options_.groups.empty() || !options_.group_sizes.empty();
        if (asked && refused == sweep_.size()) {
            throw Failure(
                ExitCode::case_or_usage,
                fmt::format("none of the shapes given by --groups and --group-size can run on {}:{}",
                            report_.device.name, reasons));
        }
        steps_ = 2 + sweep_.size() - refused + classical_.size();
        for (const LaunchShape &shape : classical_) {
            const std::string reason = why_none(device_, classical(device_, shape, classical_elements));
            if (!reason.empty()) {
                options_.say(fmt::format("classical experiment, {}: {}", text_of(shape), reason));
                --steps_;
            }
        }
    }

    std::vector<Measurement> step(const std::string &what, const std::vector<TimedKernel> &list,
                                  const MeasureSettings &settings) {
        if (!interrupted() && why_none(device_, list).empty()) {
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
            options_.say(
                fmt::format("{:>2} of {}, after {:.0f} s: {}", ++step_, steps_, seconds.count(), what));
        }
        return measure(device_, list, settings);
    }

    void measure_sweep() {
        MeasureSettings settings = settings_;
        settings.launch_seconds *= 0.3;  // many shapes
        for (std::size_t i = 0; i < sweep_.size() && !interrupted(); ++i) {
            const auto measured =
                step(text_of(sweep_[i]), contenders(device_, sweep_[i], report_.floors, false), settings);
            report_.sweep.insert(report_.sweep.end(), measured.begin(), measured.end());
        }
    }

    void measure_classical() {
        MeasureSettings settings = settings_;
        settings.rounds = options_.quick ? classical_rounds_published / 250 : classical_rounds_published;
        settings.repetitions = std::min(options_.repetitions, 3);
        for (const LaunchShape &shape : classical_) {
            for (Measurement &measurement : step(fmt::format("classical experiment, {}", text_of(shape)),
                                                 classical(device_, shape, classical_elements), settings)) {
                std::string figure = published(shape.group_size, measurement.name);
                report_.classical.push_back({std::move(measurement), std::move(figure)});
            }
        }
    }

    Device &device_;
    const SyncOptions &options_;
    MeasureSettings settings_;
    SyncReport report_;
    std::vector<LaunchShape> sweep_, classical_;
    std::size_t step_ = 0, steps_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <typename Visit>
void visit_all(const SyncReport &report, const Visit &visit) {
    for (const auto *list : {&report.primitives, &report.standard, &report.sweep}) {
        std::for_each(list->begin(), list->end(), visit);
    }
    for (const ClassicalLine &line : report.classical) {
        visit(line.measurement);
    }
}

}  // namespace

std::uint64_t SyncReport::wrong() const {
    std::uint64_t count = 0;
    visit_all(*this, [&](const Measurement &measurement) {
        count += measurement.expected_to_be_wrong ? 0 : measurement.wrong;
    });
    return count;
}

std::vector<std::string> SyncReport::failures() const {
    std::vector<std::string> list;
    visit_all(*this, [&](const Measurement &measurement) {
        if (!measurement.failure.empty()) {
            list.push_back(fmt::format("{} {}, {} groups of {}: {}", measurement.section, measurement.name,
                                       measurement.shape.groups, measurement.shape.group_size,
                                       measurement.failure));
        }
    });
    return list;
}

const Measurement *reference(const std::vector<Measurement> &measurements, LaunchShape shape) {
    for (const char *const name : {"cooperative", "group_leader"}) {
        for (const Measurement &measurement : measurements) {
            if (measurement.section == "barrier" && measurement.name == name && measurement.measured() &&
                measurement.shape.groups == shape.groups &&
                measurement.shape.group_size == shape.group_size) {
                return &measurement;
            }
        }
    }
    return nullptr;
}

SyncReport measure_sync(const SyncOptions &options) {
    ExecutionConfig execution;
    execution.backend = options.backend;
    execution.device = options.device;
    const SelectedDevice selected = select_device(execution, AskedBy::command_line);
    return SyncMeasurement(*selected.device, options).run();
}

}  // namespace perdure::bench
