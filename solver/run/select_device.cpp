#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/run/plan_launch.hpp"

namespace perdure {
namespace {

/// Empty when the device may be used.
std::string why_not(Device &device) {
    if (!device.description().refused.empty()) {
        return fmt::format("{}", fmt::join(device.description().refused, "; "));
    }
    return run_barrier_self_test(device);
}

std::vector<std::unique_ptr<Device>> devices_of(BackendChoice backend, std::string &why_none) {
    switch (backend) {
        case BackendChoice::cuda:
            return cuda_devices(why_none);
        case BackendChoice::opencl:
            return opencl_devices(why_none);
        default:
            return host_devices();
    }
}

SelectedDevice take(std::vector<std::unique_ptr<Device>> &devices, std::size_t index, std::string why) {
    return {std::move(devices[index]), static_cast<int>(index), std::move(why)};
}

SelectedDevice select_named(BackendChoice backend, std::optional<int> index) {
    std::string why_none;
    auto devices = devices_of(backend, why_none);
    const std::string advice =
        "`perdure devices` lists what there is; execution.backend: auto takes the best of it";
    if (devices.empty()) {
        throw Failure(ExitCode::device, fmt::format("execution.backend: no {} device: {}\n  {}",
                                                    name(backend), why_none, advice));
    }
    if (index && static_cast<std::size_t>(*index) >= devices.size()) {
        throw Failure(
            ExitCode::device,
            fmt::format("execution.device: {} has {} device(s), numbered from 0; asked for {}\n  {}",
                        name(backend), devices.size(), *index, advice));
    }
    std::string reasons;
    for (std::size_t i = index ? static_cast<std::size_t>(*index) : 0; i < devices.size(); ++i) {
        const std::string reason = why_not(*devices[i]);
        if (reason.empty()) {
            return take(devices, i, "as the case asks");
        }
        reasons += fmt::format("\n  {} {}: {}", i, devices[i]->description().name, reason);
        if (index) {
            break;
        }
    }
    throw Failure(ExitCode::device, fmt::format("execution.backend: no usable {} device:{}\n  {}",
                                                name(backend), reasons, advice));
}

SelectedDevice select_automatically() {
    std::string passed_over;
    for (const BackendChoice backend : {BackendChoice::cuda, BackendChoice::opencl}) {
        std::string why_none;
        auto devices = devices_of(backend, why_none);
        const auto usable =
            std::find_if(devices.begin(), devices.end(), [](const std::unique_ptr<Device> &device) {
                return device->description().gpu && why_not(*device).empty();
            });
        if (usable != devices.end()) {
            return take(devices, static_cast<std::size_t>(usable - devices.begin()),
                        fmt::format("backend: auto takes the first {} GPU", name(backend)));
        }
        passed_over +=
            fmt::format("no {} GPU ({}), ", name(backend),
                        devices.empty() ? why_none : "its devices are not GPUs, or cannot be used");
    }
    auto devices = host_devices();
    return take(devices, 0, fmt::format("backend: auto: {}so host threads", passed_over));
}

}  // namespace

SelectedDevice select_device(const ExecutionConfig &execution) {
    if (execution.backend == BackendChoice::automatic) {
        return select_automatically();
    }
    return select_named(execution.backend, execution.device);
}

}  // namespace perdure
