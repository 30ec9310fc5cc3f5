#include "solver/bench/sync_bench.hpp"

#include <algorithm>
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
    const int largest = device.largest_group_size(barrier_kernel, Precision::float64);
    const int size =
        device.description().gpu ? std::min(preferred_group_size, largest) : device.default_group_size();
    const int resident = device.resident_groups(barrier_kernel, Precision::float64, size);
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
        const int largest = device.largest_group_size(barrier_kernel, Precision::float64);
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
    append(list, reductions(shape, floors));
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

std::vector<ClassicalLine> measure_classical(Device &device, LaunchShape standard, const SyncOptions &options,
                                             MeasureSettings settings) {
    std::vector<LaunchShape> shapes;
    for (const int size : classical_sizes) {
        shapes.push_back({static_cast<int>(classical_elements) / size, size});
    }
    if (!device.description().gpu) {
        shapes.push_back(standard);  // each group has many of the elements
    }
    settings.rounds = options.quick ? classical_rounds_published / 250 : classical_rounds_published;
    settings.repetitions = std::min(options.repetitions, 3);
    std::vector<ClassicalLine> lines;
    for (const LaunchShape shape : shapes) {
        for (Measurement &measurement :
             measure(device, classical(device, shape, classical_elements), settings)) {
            std::string figure = published(shape.group_size, measurement.name);
            lines.push_back({std::move(measurement), std::move(figure)});
        }
    }
    return lines;
}

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
    const SelectedDevice selected = select_device(execution);
    Device &device = *selected.device;
    MeasureSettings settings;
    settings.repetitions = options.repetitions;
    settings.rounds = options.rounds;
    settings.launch_seconds = options.quick ? 0.002 : 0.01;
    settings.most_launch_seconds = device.description().time_limited ? 0.3 : options.quick ? 0.5 : 20.0;

    SyncReport report;
    report.options = options;
    report.device = device.description();
    report.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    report.shape = standard_shape(device);
    report.primitives = measure(device, primitives(device, report.shape), settings);
    report.floors = floors_of(device, report.primitives);
    report.standard = measure(device, contenders(device, report.shape, report.floors, true), settings);
    settings.launch_seconds *= 0.3;  // many shapes
    const bool sweep = !options.quick || !options.groups.empty() || !options.group_sizes.empty();
    const std::vector<int> groups =
        options.groups.empty() ? sweep_groups(device, report.shape) : options.groups;
    const std::vector<int> sizes =
        options.group_sizes.empty() ? sweep_sizes(device, report.shape) : options.group_sizes;
    for (std::size_t i = 0; sweep && i < sizes.size() && !interrupted(); ++i) {
        for (const int count : groups) {
            const auto measured =
                measure(device, contenders(device, {count, sizes[i]}, report.floors, false), settings);
            report.sweep.insert(report.sweep.end(), measured.begin(), measured.end());
        }
    }
    report.classical = measure_classical(device, report.shape, options, settings);
    report.stopped = interrupted();
    return report;
}

}  // namespace perdure::bench
