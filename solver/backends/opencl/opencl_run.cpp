#include "solver/backends/opencl/opencl_run.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "solver/backends/opencl/opencl_failure.hpp"
#include "solver/backends/opencl/opencl_memory.hpp"

namespace perdure::opencl {
namespace {

using Clock = std::chrono::steady_clock;

/// Short waits stay awake, long ones do not take a processor from the kernel.
void wait_politely(Clock::time_point since, Clock::time_point deadline) {
    constexpr auto awake = std::chrono::microseconds(100);
    constexpr Clock::duration longest_sleep = std::chrono::milliseconds(1);
    const auto now = Clock::now();
    if (now - since < awake) {
        std::this_thread::yield();
    } else {
        std::this_thread::sleep_for(std::min({longest_sleep, deadline - now, (now - since) / 4}));
    }
}

}  // namespace

OpenclRun::OpenclRun(RunPlace place, cl::Kernel kernel, const KernelCall &call, LaunchShape shape)
    : place_(std::move(place)),
      name_(place_.description->name),
      kernel_name_(call.kernel),
      kernel_(std::move(kernel)),
      shape_(shape),
      queue_(place_.context, place_.device, cl::QueueProperties::Profiling) {
    check_memory(*place_.description, call.buffers);
    for (const KernelBuffer &buffer : call.buffers) {
        add_buffer(buffer);
    }
}

void OpenclRun::add_buffer(const KernelBuffer &buffer) {
    const auto argument = static_cast<cl_uint>(memory_.size() + 1);
    if (memory_.empty() && place_.description->shared_control) {
        control_ = make_shared_control(place_.context, place_.device);
        if (buffer.initial != nullptr) {
            std::memcpy(control_.get(), buffer.initial, std::min(buffer.bytes, sizeof(control_t)));
        }
        kernel_.setArg(argument, control_.get());
        memory_.push_back({buffer.name, sizeof(control_t), cl::Buffer()});
        return;
    }
    try {
        memory_.push_back({buffer.name, buffer.bytes, make_buffer(place_.context, queue_, buffer)});
    } catch (const cl::Error &error) {
        fail(name_, fmt::format("allocate and fill '{}' ({} bytes)", buffer.name, buffer.bytes), error.err());
    }
    kernel_.setArg(argument, memory_.back().buffer);
}

OpenclRun::~OpenclRun() {
    // The C function: it reports a failed launch by its return value, which nobody is left to hear.
    static_cast<void>(clFinish(queue_()));
}

void OpenclRun::launch(const run_parameters_t &parameters, bool synchronised) {
    if (synchronised && shape_.groups > place_.resident_groups) {
        throw Failure(ExitCode::device,
                      fmt::format("OpenCL device '{}': {} groups of {} items cannot all run at the same "
                                  "time, at most {}; lower execution.groups",
                                  name_, shape_.groups, shape_.group_size, place_.resident_groups));
    }
    const auto items = static_cast<std::size_t>(shape_.groups) * static_cast<std::size_t>(shape_.group_size);
    checked(name_, fmt::format("launch kernel '{}'", kernel_name_), [&] {
        kernel_.setArg(0, sizeof parameters, &parameters);
        queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(items),
                                    cl::NDRange(static_cast<std::size_t>(shape_.group_size)), nullptr,
                                    &event_);
        under_way_ = true;
        queue_.flush();
    });
}

bool OpenclRun::complete() {
    const auto status = event_.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    if (status < 0) {
        under_way_ = false;
        fail(name_, fmt::format("complete kernel '{}'", kernel_name_), status);
    }
    under_way_ = status != CL_COMPLETE;
    return !under_way_;
}

bool OpenclRun::finished(std::chrono::milliseconds timeout) {
    const auto since = Clock::now();
    const auto deadline = since + timeout;
    return !under_way_ || checked(name_, fmt::format("ask for the state of kernel '{}'", kernel_name_), [&] {
        while (!complete()) {
            if (Clock::now() >= deadline) {
                return false;
            }
            wait_politely(since, deadline);
        }
        return true;
    });
}

double OpenclRun::launch_seconds() {
    return checked(name_, "read the time of a launch", [&] {
        const auto start = event_.getProfilingInfo<CL_PROFILING_COMMAND_START>();
        const auto end = event_.getProfilingInfo<CL_PROFILING_COMMAND_END>();
        return 1.0e-9 * static_cast<double>(end - start);
    });
}

const OpenclRun::Memory &OpenclRun::part_of(std::size_t buffer, std::size_t bytes, std::size_t offset) const {
    const Memory &memory = memory_.at(buffer);
    if (offset > memory.bytes || bytes > memory.bytes - offset) {
        throw Failure(
            ExitCode::differs_or_internal,
            fmt::format("internal error: OpenCL device '{}': bytes {} to {} of '{}', which has {} bytes",
                        name_, offset, offset + bytes, memory.name, memory.bytes));
    }
    return memory;
}

SharedMemory OpenclRun::memory(std::size_t buffer) {
    const cl::Buffer &held = memory_.at(buffer).buffer;
    return held() == nullptr ? nullptr : std::make_shared<cl::Buffer>(held);
}

void OpenclRun::read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) {
    const Memory &from = part_of(buffer, bytes, offset);
    if (from.buffer() == nullptr) {
        std::memcpy(to, reinterpret_cast<const std::byte *>(control_.get()) + offset, bytes);
    } else if (bytes > 0) {
        checked(name_, fmt::format("read '{}'", from.name),
                [&] { queue_.enqueueReadBuffer(from.buffer, CL_TRUE, offset, bytes, to); });
    }
}

void OpenclRun::write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) {
    const Memory &to = part_of(buffer, bytes, offset);
    if (to.buffer() == nullptr) {
        std::memcpy(reinterpret_cast<std::byte *>(control_.get()) + offset, from, bytes);
    } else if (bytes > 0) {
        checked(name_, fmt::format("write '{}'", to.name),
                [&] { queue_.enqueueWriteBuffer(to.buffer, CL_TRUE, offset, bytes, from); });
    }
}

}  // namespace perdure::opencl
