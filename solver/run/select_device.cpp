#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/ranks/ranks.hpp"
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

SelectedDevice take(std::vector<std::unique_ptr<Device>> &devices, std::size_t index, std::string why,
                    std::string in_short) {
    return {std::move(devices[index]), static_cast<int>(index), std::move(why), std::move(in_short)};
}

/// The keys that choose a device, as the one who asks knows them.
class Words {
  public:
    Words(const ExecutionConfig &execution, AskedBy asked_by)
        : execution_(execution),
          option_(asked_by == AskedBy::backends_option ? "--backends" : "--backend"),
          command_line_(asked_by != AskedBy::case_file) {}

    [[nodiscard]] std::string backend(BackendChoice choice) const {
        return fmt::format("{} {}", command_line_ ? option_ : "execution.backend:", name(choice));
    }
    [[noreturn]] void fail_backend(const std::string &message) const {
        fail(execution_.backend_position, ExitCode::device, command_line_ ? option_ : "execution.backend",
             message + "\n  `perdure devices` lists all devices; " + backend(BackendChoice::automatic) +
                 " uses the best one");
    }
    [[noreturn]] void fail_device(ExitCode code, const std::string &message) const {
        fail(execution_.device_position, code, command_line_ ? "--device" : "execution.device", message);
    }

    [[noreturn]] void fail_devices(ExitCode code, const std::string &message) const {
        fail(execution_.devices_position, code, "execution.devices", message);
    }

    [[noreturn]] void fail_transport(const std::string &message) const {
        fail(execution_.transport_position, ExitCode::device, "execution.transport", message);
    }

  private:
    [[noreturn]] void fail(const TextPosition &position, ExitCode code, const char *key,
                           const std::string &message) const {
        const std::string text = fmt::format("{}: {}", key, message);
        if (position.file.empty() || command_line_) {
            throw Failure(code, text);
        }
        throw Failure(code, {Diagnostic{Diagnostic::Severity::error, position, text, ""}});
    }

    const ExecutionConfig &execution_;
    const char *option_;
    bool command_line_;
};

/// Several devices as one.
SelectedDevice select_several(const ExecutionConfig &execution, const Words &words) {
    const int first = execution.device.value_or(0);
    const int count = execution.devices;
    if (execution.backend != BackendChoice::automatic && execution.backend != BackendChoice::cuda) {
        words.fail_devices(ExitCode::case_or_usage,
                           fmt::format("only CUDA devices can share a case, but the back end is {}; remove "
                                       "the key or use {}",
                                       name(execution.backend), words.backend(BackendChoice::cuda)));
    }
    std::string why_none;
    const std::size_t there = cuda_devices(why_none).size();
    if (there < static_cast<std::size_t>(first) + static_cast<std::size_t>(count)) {
        words.fail_devices(
            ExitCode::device,
            fmt::format("the case asks for {} CUDA devices from number {} on, but {}", count, first,
                        there == 0 ? fmt::format("there is none: {}", why_none)
                                   : fmt::format("there {} {}", there == 1 ? "is" : "are", there)));
    }
    std::shared_ptr<Device> device = cuda_devices_as_one(first, count);
    if (const std::string reason = why_not(*device); !reason.empty()) {
        words.fail_devices(ExitCode::device,
                           fmt::format("{} cannot share a case: {}", device->description().name, reason));
    }
    return {std::move(device), first, "as the case asks", "as the case asks"};
}

/// By what way GPUs of ranks tell each other what they have made.
RanksOfKernel way_of(const ExecutionConfig &execution, const Words &words) {
    const bool on_one_host = ranks()->on_same_host() == ranks()->count();
    const RankTransport automatic = on_one_host ? RankTransport::peer : RankTransport::nvshmem;
    const RankTransport chosen =
        execution.transport == RankTransport::automatic ? automatic : execution.transport;
    if (chosen == RankTransport::peer) {
        if (!on_one_host) {
            words.fail_transport(fmt::format(
                "{} processes run on several hosts, but peer memory is that of one; use nvshmem or auto",
                ranks()->count()));
        }
        return RanksOfKernel::peers;
    }
    if (const std::string reason = why_no_nvshmem(); !reason.empty()) {
        words.fail_transport(reason);
    }
    return RanksOfKernel::nvshmem;
}

/// The GPU of this process, of several on its host that share cases: all see the same GPUs, or a launcher shows each its own. That no two have
/// the same one turns out once all are there: solver/backends/cuda/rank_memory.cpp.
SelectedDevice select_of_rank(const ExecutionConfig &execution, std::size_t there, const Words &words) {
    const int first = execution.device.value_or(0), seen = static_cast<int>(there);
    if (first >= seen) {
        words.fail_device(
            ExitCode::device,
            fmt::format("the first process of a host is to have CUDA device {}, but rank {} sees {}", first,
                        ranks()->index(), seen));
    }
    const int index = first + ranks()->index_on_host() % (seen - first);
    std::shared_ptr<Device> device = cuda_device_of_rank(index, way_of(execution, words));
    if (const std::string reason = why_not(*device); !reason.empty()) {
        words.fail_backend(fmt::format("CUDA device {}: {}", index, reason));
    }
    return {std::move(device), index, "one GPU for each process", "one GPU for each process"};
}

/// GPUs that ranks may have one each of; 0: they run on host threads, or on what cannot be shared.
std::size_t gpus_for_ranks(const ExecutionConfig &execution) {
    const bool is_asked = execution.backend == BackendChoice::cuda ||
                          (execution.backend == BackendChoice::automatic && !execution.device);
    if (ranks() == nullptr || !is_asked || execution.devices > 1) {
        return 0;
    }
    std::string why_none;
    return cuda_devices(why_none).size();
}

SelectedDevice select_named(const ExecutionConfig &execution, const Words &words) {
    const std::optional<int> index = execution.device;
    std::string why_none;
    auto devices = devices_of(execution.backend, why_none);
    if (devices.empty()) {
        words.fail_backend(fmt::format("there is no {} device: {}", name(execution.backend), why_none));
    }
    if (index && static_cast<std::size_t>(*index) >= devices.size()) {
        words.fail_device(
            ExitCode::device,
            fmt::format("{} has {} device{}, numbered from 0, but the case asks for number {}\n  `perdure "
                        "devices` lists all devices",
                        name(execution.backend), devices.size(), devices.size() == 1 ? "" : "s", *index));
    }
    std::string reasons;
    for (std::size_t i = index ? static_cast<std::size_t>(*index) : 0; i < devices.size(); ++i) {
        const std::string reason = why_not(*devices[i]);
        if (reason.empty()) {
            return take(devices, i, "as the case asks", "as the case asks");
        }
        reasons += fmt::format("\n  {} {}: {}", i, devices[i]->description().name, reason);
        if (index) {
            break;
        }
    }
    words.fail_backend(fmt::format("no usable {} device:{}", name(execution.backend), reasons));
}

SelectedDevice select_automatically() {
    std::string passed_over;
    for (const BackendChoice backend : {BackendChoice::cuda, BackendChoice::opencl}) {
        std::string why_none = backend == BackendChoice::opencl ? why_no_opencl_gpu() : "";
        auto devices =
            why_none.empty() ? devices_of(backend, why_none) : std::vector<std::unique_ptr<Device>>();
        const auto usable =
            std::find_if(devices.begin(), devices.end(), [](const std::unique_ptr<Device> &device) {
                return device->description().gpu && why_not(*device).empty();
            });
        if (usable != devices.end()) {
            return take(devices, static_cast<std::size_t>(usable - devices.begin()),
                        fmt::format("backend: auto chose the first {} GPU", name(backend)), "the first GPU");
        }
        passed_over += fmt::format("{}no {} GPU ({})", passed_over.empty() ? "" : ", ", name(backend),
                                   devices.empty() ? why_none : "its devices are not GPUs or cannot be used");
    }
    auto devices = host_devices();
    return take(devices, 0, fmt::format("backend: auto chose host threads: {}", passed_over),
                "no GPU to use: see `perdure devices`");
}

}  // namespace

SelectedDevice select_device(const ExecutionConfig &execution, AskedBy asked_by) {
    const Words words(execution, asked_by);
    if (const std::size_t there = gpus_for_ranks(execution); there > 0) {
        return select_of_rank(execution, there, words);
    }
    if (execution.devices > 1) {
        return select_several(execution, words);
    }
    if (execution.backend != BackendChoice::automatic) {
        return select_named(execution, words);
    }
    if (execution.device) {
        words.fail_device(ExitCode::case_or_usage,
                          fmt::format("each back end numbers its devices from 0, so {} needs a back end, "
                                      "too: add {} (or {}, {})\n  `perdure devices` lists all devices",
                                      *execution.device, words.backend(BackendChoice::host),
                                      name(BackendChoice::opencl), name(BackendChoice::cuda)));
    }
    return select_automatically();
}

}  // namespace perdure
