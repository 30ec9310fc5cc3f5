#include "solver/backends/opencl/opencl_device.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "solver/backends/occupancy_discovery.hpp"
#include "solver/backends/opencl/opencl_build.hpp"
#include "solver/backends/opencl/opencl_failure.hpp"
#include "solver/backends/opencl/opencl_program.hpp"
#include "solver/backends/opencl/opencl_run.hpp"
#include "solver/backends/opencl/opencl_traits.hpp"

namespace perdure::opencl {

OpenclDevice::OpenclDevice(cl::Device device) : device_(std::move(device)), description_(describe(device_)) {}

int OpenclDevice::default_group_size() const {
    return description_.gpu ? static_cast<int>(LANES) : 1;
}

const cl::Context &OpenclDevice::context() {
    if (context_() == nullptr) {
        context_ = checked(description_.name, "make a context", [&] { return cl::Context(device_); });
    }
    return context_;
}

OpenclProgram OpenclDevice::program_of(const KernelVariant &variant, bool one_item) const {
    const bool experiment = is_experiment(variant.kernel);
    std::string options = build_options(device_, best_language(device_),
                                        experiment ? nvidia_experiment_registers : nvidia_registers);
    if (one_item && !experiment) {
        options += one_item_option;
    }
    return make_program(variant, options);
}

const cl::Program &OpenclDevice::program(const KernelVariant &variant, bool one_item) {
    const std::tuple name(variant.kernel, variant.precision, variant.form, one_item, variant.definitions);
    if (const auto known = known_programs_.find(name); known != known_programs_.end()) {
        return known->second;
    }
    if (!programs_) {
        programs_.emplace(context(), device_, cache_, kept_for(device_));
    }
    return known_programs_.emplace(name, programs_->find(program_of(variant, one_item))).first->second;
}

cl::Kernel OpenclDevice::kernel(const KernelVariant &variant, int group_size) {
    return checked(description_.name, fmt::format("make kernel '{}'", variant.kernel),
                   [&] { return cl::Kernel(program(variant, group_size == 1), variant.kernel.c_str()); });
}

int OpenclDevice::largest_group_size(const KernelVariant &variant) {
    return checked(
        description_.name, fmt::format("ask for the largest group of kernel '{}'", variant.kernel), [&] {
            const auto largest =
                kernel(variant, default_group_size()).getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_);
            return static_cast<int>(is_experiment(variant.kernel) ? largest
                                                                  : std::min<std::size_t>(largest, LANES));
        });
}

// NVIDIA: a multiprocessor has 65536 registers and the compiler gives an item `registers` at most. Local
// memory is counted against what one group may have, which is less than a multiprocessor has. No more than
// two groups are relied upon: how the driver divides the cache between local memory and L1 is not known.
int OpenclDevice::groups_per_compute_unit(const cl::Kernel &kernel, int group_size, int registers) const {
    constexpr std::size_t relied_upon = 2;
    constexpr std::size_t all_registers = 65536;
    constexpr std::size_t warp = 32;
    constexpr std::size_t reserved_local_memory = 1024;
    if (vendor(device_) != Vendor::nvidia) {
        return 1;
    }
    const std::size_t items = (static_cast<std::size_t>(group_size) + warp - 1) / warp * warp;
    const std::size_t by_registers = all_registers / (items * static_cast<std::size_t>(registers));
    const auto local = kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device_) + reserved_local_memory;
    const std::size_t by_local_memory = device_.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>() / local;
    return static_cast<int>(std::clamp<std::size_t>(std::min(by_registers, by_local_memory), 1, relied_upon));
}

// At most one group per compute unit is relied upon: a kernel may need more of it than that of the discovery.
int OpenclDevice::discovered_groups(int group_size) {
    constexpr int launched_per_compute_unit = 8;
    constexpr std::uint32_t rounds = 10;
    const auto known = discovered_.find(group_size);
    if (known != discovered_.end()) {
        return known->second;
    }
    if (discovering_) {
        return description_.compute_units;
    }
    discovering_ = true;
    const int launched = launched_per_compute_unit * description_.compute_units;
    const Discovery found = discover_groups(*this, launched, group_size, rounds);
    discovering_ = false;
    if (found.wrong) {
        throw Failure(ExitCode::device, fmt::format("OpenCL device '{}': in a test launch of {} groups of {} "
                                                    "items, {}; its memory is not reliable",
                                                    description_.name, launched, group_size, found.failure));
    }
    const int usable = std::clamp(found.groups, 1, description_.compute_units);
    description_.notes.push_back(
        found.failure.empty()
            ? fmt::format("OpenCL does not guarantee that groups run at the same time: of {} groups of {} "
                          "items, {} did so in a test, and {} are used; a later launch may get fewer, so "
                          "every wait has a time limit",
                          launched, group_size, found.groups, usable)
            : fmt::format("OpenCL does not guarantee that groups run at the same time, and of {} groups of "
                          "{} items none did so in a test, so 1 is used: {}",
                          launched, group_size, found.failure));
    return discovered_.emplace(group_size, usable).first->second;
}

int OpenclDevice::resident_groups(const KernelVariant &variant, int group_size) {
    if (!residency_known(device_)) {
        return discovered_groups(group_size);
    }
    return checked(
        description_.name, fmt::format("ask how many groups of kernel '{}' fit", variant.kernel), [&] {
            return description_.compute_units *
                   groups_per_compute_unit(
                       kernel(variant, group_size), group_size,
                       is_experiment(variant.kernel) ? nvidia_experiment_registers : nvidia_registers);
        });
}

int OpenclDevice::most_groups(const KernelVariant &variant, int group_size) {
    return resident_groups(variant, group_size);
}

/// By the first item of a group as the barrier's test has it: the same program.
double OpenclDevice::time_polls(std::uint32_t polls) {
    KernelCall call{
        "barrier_self_test",
        Precision::float64,
        {{"control", sizeof(control_t)}, {"sync", grid_sync_bytes(1)}, {"state", sizeof(run_state_t)}}};
    const int items = std::min(default_group_size(), largest_group_size(call.variant()));
    call.buffers.push_back({"ring", static_cast<std::size_t>(items) * sizeof(uint32)});
    run_parameters_t parameters{};
    parameters.check_every = polls;
    const auto run = prepare(call, {1, items});
    run->launch(parameters, true);
    while (!run->finished(std::chrono::seconds(1))) {
    }
    return run->launch_seconds();
}

/// The fastest of some samples: one in which the process was suspended would shorten every wait of the run.
double OpenclDevice::wait_units_per_second() {
    constexpr double long_enough = 0.01;  // s: start-up no longer matters
    constexpr int samples = 3;
    constexpr std::uint32_t most_polls = std::numeric_limits<std::uint32_t>::max() / 4;
    std::uint32_t polls = 1U << 14U;
    double fastest = polls_per_second_;
    for (int sample = 0; polls_per_second_ == 0.0 && sample < samples;) {
        const double seconds = time_polls(polls);
        if (seconds >= long_enough || (polls > most_polls && seconds > 0.0)) {
            fastest = std::max(fastest, polls / seconds);
            ++sample;
        } else if (polls > most_polls) {
            throw Failure(ExitCode::device, fmt::format("OpenCL device '{}': {} polls of a word take no "
                                                        "measurable time, so waits cannot have a time limit",
                                                        description_.name, polls));
        } else {
            polls *= 4;
        }
    }
    polls_per_second_ = fastest;
    return polls_per_second_;
}

void OpenclDevice::check_shape(const KernelCall &call, LaunchShape shape) {
    const int largest = largest_group_size(call.variant());
    if (shape.groups < 1 || shape.group_size < 1 || shape.group_size > largest) {
        throw Failure(ExitCode::device,
                      fmt::format("OpenCL device '{}' cannot run {} groups of {} items; kernel '{}' needs at "
                                  "least one group, of 1 to {} items (execution.group_size)",
                                  description_.name, shape.groups, shape.group_size, call.kernel, largest));
    }
}

std::unique_ptr<DeviceRun> OpenclDevice::prepare(const KernelCall &call, LaunchShape shape) {
    return checked(description_.name, fmt::format("prepare kernel '{}'", call.kernel), [&] {
        check_shape(call, shape);
        const int resident = resident_groups(call.variant(), shape.group_size);
        return std::make_unique<OpenclRun>(RunPlace{context(), device_, &description_, resident},
                                           kernel(call.variant(), shape.group_size), call, shape);
    });
}

}  // namespace perdure::opencl
