// All devices of all OpenCL platforms that the ICD loader knows.
#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

#include "solver/backends/backend.hpp"
#include "solver/backends/opencl/opencl_device.hpp"
#include "solver/backends/opencl/opencl_failure.hpp"

namespace perdure {
namespace opencl {
namespace {

/// Whether this process may run on every processor of the machine, numbered from 0.
bool may_use_every_processor() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || online < 1 || CPU_COUNT(&allowed) != online) {
        return false;
    }
    return CPU_ISSET(static_cast<std::size_t>(online - 1), &allowed);
}

/// PoCL's grid barriers take microseconds instead of milliseconds when its threads stay on their processors;
/// but it aborts when it has more threads than processors, or may not use one. Nothing that the user has set
/// is changed.
void keep_pocl_threads_in_place() {
    if (std::getenv("POCL_MAX_PTHREAD_COUNT") == nullptr && may_use_every_processor()) {
        setenv("POCL_AFFINITY", "1", 0);
    }
}

void add_devices(const cl::Platform &platform, std::vector<std::unique_ptr<Device>> &devices,
                 std::string &findings) {
    std::string name = "without a name";
    try {
        name = platform.getInfo<CL_PLATFORM_NAME>();
        std::vector<cl::Device> found;
        platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
        for (const cl::Device &device : found) {
            devices.push_back(std::make_unique<OpenclDevice>(device));
        }
    } catch (const cl::Error &error) {
        findings +=
            fmt::format("{}platform '{}': {}", findings.empty() ? "" : "; ", name, error_text(error.err()));
    }
}

}  // namespace
}  // namespace opencl

std::vector<std::unique_ptr<Device>> opencl_devices(std::string &why_none) {
    opencl::keep_pocl_threads_in_place();
    std::vector<std::unique_ptr<Device>> devices;
    std::string findings;
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error &error) {
        findings = opencl::error_text(error.err());
    }
    for (const cl::Platform &platform : platforms) {
        opencl::add_devices(platform, devices, findings);
    }
    why_none = findings.empty() && devices.empty() ? "no platform has a device" : findings;
    return devices;
}

}  // namespace perdure
