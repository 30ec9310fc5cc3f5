// All devices of all OpenCL platforms that the ICD loader knows.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "solver/backends/backend.hpp"
#include "solver/backends/opencl/opencl_device.hpp"
#include "solver/backends/opencl/opencl_failure.hpp"
#include "solver/backends/opencl/pocl_environment.hpp"
#include "solver/backends/opencl/pocl_folder.hpp"

namespace perdure {
namespace opencl {
namespace {

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

/// The ICD loader finds each platform by a file there. PoCL, as distributions build it, has processors alone.
std::string why_no_opencl_gpu() {
    for (const char *const variable :
         {"OPENCL_VENDOR_PATH", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_LAYERS", "POCL_DEVICES"}) {
        if (std::getenv(variable) != nullptr) {
            return {};
        }
    }
    std::error_code error;
    std::size_t platforms = 0;
    for (const auto &entry : std::filesystem::directory_iterator("/etc/OpenCL/vendors", error)) {
        std::string library;
        std::getline(std::ifstream(entry.path()), library);
        if (library.find("libpocl") == std::string::npos) {
            return {};
        }
        ++platforms;
    }
    return error || platforms == 0 ? std::string() : "only PoCL is installed, which runs on processors";
}

std::vector<std::unique_ptr<Device>> opencl_devices(std::string &why_none) {
    why_none = opencl::pocl_environment_fault();
    if (why_none.empty() && opencl::pocl_folder()->path().empty()) {
        why_none =
            "PoCL needs a folder for temporary files, but none can be created; set TMPDIR to a writable "
            "folder";
    }
    if (!why_none.empty()) {
        return {};
    }
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
    why_none = findings.empty() && devices.empty() ? "no OpenCL platform has a device" : findings;
    const char *const chosen = std::getenv("POCL_DEVICES");
    if (devices.empty() && chosen != nullptr) {
        why_none += fmt::format(
            "; the environment variable POCL_DEVICES is '{}', but it is usually 'pthread'", chosen);
    }
    return devices;
}

}  // namespace perdure
