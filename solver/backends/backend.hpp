// The interface between the solver and a back end. Each of host, opencl and cuda implements these two classes and nothing
// else.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/parameters.h"
#include "solver/backends/kernel_call.hpp"
#include "solver/case_file/config.hpp"

namespace perdure {

/// What `perdure devices` prints and what a plan is made from.
struct DeviceDescription {
    BackendChoice backend = BackendChoice::host;
    std::string name;
    std::string driver;                  // runtime and driver versions
    std::size_t memory_bytes = 0;        // of the device
    std::size_t free_bytes = 0;          // at this moment; memory_bytes where the device does not tell
    std::size_t largest_allocation = 0;  // of one buffer
    int compute_units = 0;
    std::int64_t least_cells_of_group = 1;  // with fewer of them a group waits for longer than it works
    int devices = 1;  // that it consists of, each with an equal part of units and memory
    bool gpu = false;
    bool holds_parts = true;            // a rank can have memory for its part of an array alone
    bool shared_control = false;        // host and kernel see each other's words during a launch
    bool copies_while_running = false;  // the host can copy device memory during a launch
    bool clock = false;                 // a kernel can tell the time
    bool items_progress = false;        // items of one group make progress each on their own
    bool cooperative_barrier = false;   // the platform has a grid barrier of its own
    bool time_limited = false;          // the driver ends kernels that run for long (desktop GPUs)
    bool groups_queue = false;          // a launch may have more groups than run at once: the rest wait
    // Why no graph of launches can be replayed, and none with a loop in it; empty: it can.
    std::string no_graph = "only CUDA devices can replay launch graphs";
    std::string no_graph_while;
    // Why no kernel of kernels/resident runs; empty: they do, with this much of a unit.
    std::string no_resident = "only CUDA devices have kernels that keep fields on the chip";
    std::int64_t registers_per_unit = 0;  // of 32 bits
    std::int64_t items_per_unit = 0;
    std::int64_t shared_bytes_per_group = 0;
    /// Values that a group has room for beside those of its own in kernels that transform lines, and whether that is memory
    /// whose size the launch says.
    std::int64_t line_values = 0;
    bool memory_by_launch = false;
    std::int64_t cache_bytes =
        0;  // that all units share, where prefetching past it pays; 0: nothing is prefetched
    std::vector<std::string> refused;  // why the device cannot be used; empty: it can
    std::vector<std::string> notes;  // e.g. "no memory shared during a launch: launches are bounded to 0.5 s"
};

struct LaunchShape {
    int groups = 1;
    int group_size = 1;
    std::size_t shared_bytes = 0;  // of memory on the chip a group, where the kernel asks for it
    // Of devices that share a case: where in every array the parts of all but the first begin, from 0 to 1; none: the parts are equal.
    std::vector<double> cuts = {};
};

/// The parts of the last axis, from 0 to 1, between such cuts.
inline std::vector<double> parts_between(const std::vector<double> &cuts) {
    std::vector<double> parts;
    double begin = 0.0;
    for (const double end : cuts) {
        parts.push_back(end - begin);
        begin = end;
    }
    parts.push_back(1.0 - begin);
    return parts;
}

/// The largest part that a device has, from 0 to 1.
inline double largest_part(const std::vector<double> &cuts) {
    return std::ranges::max(parts_between(cuts));
}

/// Phases that are launched together: `phases` launches of one phase each, with their order known beforehand.
struct PhaseGraph {
    std::uint32_t phases = 1;
    bool loop = false;  // batch after batch on the device, until the run stops or its phases are used up
};

/// A kernel with its memory on one device.
class DeviceRun {
  public:
    DeviceRun() = default;
    DeviceRun(const DeviceRun &) = delete;
    DeviceRun &operator=(const DeviceRun &) = delete;
    /// Waits for a launch under way.
    virtual ~DeviceRun() = default;

    /// Starts the phases that the parameters name and returns at once. `synchronised`: the kernel contains
    /// grid barriers, so all groups must be resident; false for one phase per launch. Throws Failure(device).
    virtual void launch(const run_parameters_t &parameters, bool synchronised) = 0;
    /// Starts one phase at the least cost: launch_seconds() need not know of it. Throws Failure(device).
    virtual void launch_phase(const run_parameters_t &parameters) { launch(parameters, false); }
    /// Starts the next batch of phases, from the state's graph_phase to its graph_end, and returns at once;
    /// each batch moves graph_phase on. `parameters` say all but the phases. Throws Failure(device).
    virtual void launch_graph(const run_parameters_t & /*parameters*/, PhaseGraph /*graph*/) {
        throw Failure(ExitCode::differs_or_internal, "internal error: this back end cannot launch graphs");
    }
    /// From the next launch on the form of the kernel with clocks in it (kernels/part_times.h; its words stand behind
    /// the partial sums), or the plain one again. False where there is no such form: nothing is changed.
    virtual bool instrument(bool /*on*/) { return false; }
    /// True when nothing is under way; waits up to `timeout` for that. Throws Failure(device) when the
    /// launch failed.
    virtual bool finished(std::chrono::milliseconds timeout) = 0;
    /// Device time of the last launch in seconds.
    virtual double launch_seconds() = 0;
    /// Copies between launches; what ranks have parts of all of them read together. Throws Failure(device).
    virtual void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset = 0) = 0;
    /// The same for rank 0 alone: the others only pass on their parts, and `to` may be null there.
    virtual void read_for_first(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset = 0) {
        read(buffer, to, bytes, offset);
    }
    /// A rank that holds a part of the buffer keeps of it what it holds.
    virtual void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset = 0) = 0;
    /// Copies during a launch what the kernel has finished and does not write to meanwhile: whoever calls has seen that by an
    /// acquire of a word of control(). Between launches as read(). Throws Failure(device).
    virtual void read_while_running(std::size_t /*buffer*/, void * /*to*/, std::size_t /*bytes*/,
                                    std::size_t /*offset*/) {
        throw Failure(ExitCode::differs_or_internal,
                      "internal error: this back end cannot copy during a launch");
    }
    /// Zeros into the first bytes of a buffer, between launches. Throws Failure(device).
    virtual void clear(std::size_t buffer, std::size_t bytes) {
        const std::vector<std::byte> zeros(std::min(bytes, std::size_t{1} << 24U));
        for (std::size_t done = 0; done < bytes; done += zeros.size()) {
            write(buffer, zeros.data(), std::min(zeros.size(), bytes - done), done);
        }
    }
    /// A buffer's memory, for a run to come; null where it cannot be handed on, as a control block that the host sees. Behind a launch that
    /// ranks share it has the values of all cells.
    virtual SharedMemory memory(std::size_t /*buffer*/) { return nullptr; }
    /// Behind a launch whose waits ran out: what other ranks had not sent by then; empty where that is nothing. Throws Failure(device).
    virtual std::string missing_messages() { return {}; }
    /// The control block as the host sees it during a launch; null where the device shares no memory.
    virtual control_t *control() = 0;
};

/// One member of an ensemble to be started: its run, whose call said `ensemble`, and what it is told.
struct MemberLaunch {
    DeviceRun *run;
    run_parameters_t parameters;
};

/// Members that were started together.
class EnsembleLaunch {
  public:
    EnsembleLaunch() = default;
    EnsembleLaunch(const EnsembleLaunch &) = delete;
    EnsembleLaunch &operator=(const EnsembleLaunch &) = delete;
    /// Waits until all members have ended.
    virtual ~EnsembleLaunch() = default;

    /// True when all members have ended; waits up to `timeout` for that. Throws Failure(device) when the launch failed.
    virtual bool finished(std::chrono::milliseconds timeout) = 0;
    /// Device time of one member in s, once all have ended; a member that was never begun has none, which is a negative number.
    virtual double seconds(std::size_t member) = 0;
};

class Device {
  public:
    Device() = default;
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    virtual ~Device() = default;

    [[nodiscard]] virtual const DeviceDescription &description() const = 0;
    /// Brings free_bytes of the description up to this moment, where the device tells. Throws Failure(device).
    virtual void update_free_bytes() {}
    /// Items per group when the case does not say. LANES on GPUs (one lane per item).
    [[nodiscard]] virtual int default_group_size() const = 0;
    [[nodiscard]] virtual int largest_group_size(const KernelVariant &variant) = 0;
    /// Groups of that size that are certain to run at the same time. On the host any number is (threads
    /// yield): what is best.
    [[nodiscard]] virtual int resident_groups(const KernelVariant &variant, int group_size) = 0;
    /// The same where a group is given the shape's shared_bytes.
    [[nodiscard]] virtual int resident_groups_with(const KernelVariant &variant, LaunchShape shape) {
        return resident_groups(variant, shape.group_size);
    }
    /// Whether more groups than resident_groups may be asked for (host threads: up to 1024).
    [[nodiscard]] virtual int most_groups(const KernelVariant &variant, int group_size) = 0;
    /// Units of run_parameters_t::wait_limit per second: 1e9 with a clock, calibrated polls per second
    /// without.
    [[nodiscard]] virtual double wait_units_per_second() = 0;
    /// About how long the kernel would have to be compiled before its first launch, in s; 0 where its code is there.
    [[nodiscard]] virtual double seconds_to_compile(const KernelVariant & /*variant*/) { return 0.0; }
    /// Allocates and fills the buffers. Throws Failure(device), also when memory runs out (with the figures).
    virtual std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) = 0;
    /// Whether runs can be the members of an ensemble.
    [[nodiscard]] virtual bool has_ensembles() const { return false; }
    /// Starts runs of one kernel variant and one shape in one launch and returns at once. More than run at the same time wait for those
    /// before them to end. The runs must live until all have ended. Throws Failure(device).
    virtual std::unique_ptr<EnsembleLaunch> launch_members(std::span<const MemberLaunch> /*members*/) {
        throw Failure(ExitCode::differs_or_internal, "internal error: this back end has no ensembles");
    }
};

/// The devices of one back end, in the order that `execution.device` counts. Empty when there are none or the
/// back end was not built; `why_none` then says so for people.
std::vector<std::unique_ptr<Device>> host_devices();
std::vector<std::unique_ptr<Device>> opencl_devices(std::string &why_none);
/// Why none of the OpenCL devices is a GPU, where that can be said without loading their platforms, which takes up to a tenth of a second;
/// empty: opencl_devices() tells.
std::string why_no_opencl_gpu();
std::vector<std::unique_ptr<Device>> cuda_devices(std::string &why_none);
/// Whether an NVIDIA driver is installed; it is not opened. Sets what CUDA reads from the environment, so that a thread can open devices
/// while another one starts processes.
bool cuda_driver_is_there();
/// `count` CUDA devices from number `first` on as one, over which a launch runs: its groups are numbered through, each device has as many of
/// them, and its memory lies on all. What is wrong with them the description says.
std::unique_ptr<Device> cuda_devices_as_one(int first, int count);
/// That CUDA device, on which this process computes its part of a case that ranks share, telling them by that way what it has made.
std::unique_ptr<Device> cuda_device_of_rank(int device, RanksOfKernel way);
/// Why ranks cannot tell each other by NVSHMEM, and what to do; empty: they can.
std::string why_no_nvshmem();

/// Runs kernels/barrier_self_test on the device; empty when it passed, else what went wrong.
std::string run_barrier_self_test(Device &device);

}  // namespace perdure
