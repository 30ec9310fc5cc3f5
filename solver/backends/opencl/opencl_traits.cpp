#include "solver/backends/opencl/opencl_traits.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "kernels/kernel_forms.h"

namespace perdure::opencl {
namespace {

bool contains(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

cl::Platform platform(const cl::Device &device) {
    return cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>());
}

/// Major version from texts such as "OpenCL 3.0 ..." and "OpenCL C 2.0 ...".
int major_version(const std::string &text) {
    const auto digit = text.find_first_of("0123456789");
    return digit == std::string::npos ? 0 : std::atoi(text.c_str() + digit);
}

bool has_feature(const cl::Device &device, const std::string &feature) {
    const auto features = device.getInfo<CL_DEVICE_OPENCL_C_FEATURES>();
    return std::any_of(features.begin(), features.end(),
                       [&](const cl_name_version &entry) { return feature == entry.name; });
}

std::vector<std::string> reasons_to_refuse(const cl::Device &device) {
    std::vector<std::string> reasons;
    const auto refuse_if = [&](bool condition, const char *reason) {
        if (condition) {
            reasons.emplace_back(reason);
        }
    };
    refuse_if(contains(device.getInfo<CL_DEVICE_NAME>(), "llvmpipe"),
              "llvmpipe has been seen to return wrong results without an error");
    refuse_if(!device.getInfo<CL_DEVICE_AVAILABLE>(), "the driver says that the device is not available");
    refuse_if(!device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>(), "the driver has no compiler for kernel text");
    refuse_if(!device.getInfo<CL_DEVICE_ENDIAN_LITTLE>(), "the device is not little-endian, unlike the host");
    refuse_if(device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() == 0,
              "no double precision, which perdure needs for all sums");
    refuse_if(!has_extension(device, "cl_khr_int64_extended_atomics"),
              "no 64-bit atomic minimum (cl_khr_int64_extended_atomics)");
    return reasons;
}

std::vector<std::string> notes(const cl::Device &device, const DeviceDescription &description) {
    std::vector<std::string> notes;
    if (!description.shared_control) {
        notes.emplace_back(
            "no memory shared with the host during a launch, so launches are limited to 0.5 s");
    }
    if (best_language(device) == Language::opencl_c_1_2) {
        notes.emplace_back(
            "no acquire/release at device scope, so fences and atomics of OpenCL 1.2 are used instead");
    }
    return notes;
}

}  // namespace

Vendor vendor(const cl::Device &device) {
    const auto name = platform(device).getInfo<CL_PLATFORM_NAME>();
    if (contains(name, "Portable Computing Language")) {
        return Vendor::pocl;
    }
    return contains(name, "NVIDIA") ? Vendor::nvidia : Vendor::other;
}

bool residency_known(const cl::Device &device) {
    const char *const discover = std::getenv("PERDURE_OPENCL_DISCOVER");
    return vendor(device) != Vendor::other && (discover == nullptr || std::string(discover) != "1");
}

Language best_language(const cl::Device &device) {
    const char *const legacy = std::getenv("PERDURE_OPENCL_LEGACY");
    if (legacy != nullptr && std::string(legacy) == "1") {
        return Language::opencl_c_1_2;
    }
    if (major_version(device.getInfo<CL_DEVICE_VERSION>()) >= 3) {
        const bool ordered = has_feature(device, "__opencl_c_atomic_order_acq_rel") &&
                             has_feature(device, "__opencl_c_atomic_scope_device");
        return ordered ? Language::opencl_c_3_0 : Language::opencl_c_1_2;
    }
    const bool second = major_version(device.getInfo<CL_DEVICE_OPENCL_C_VERSION>()) == 2;
    return second ? Language::opencl_c_2_0 : Language::opencl_c_1_2;
}

bool has_extension(const cl::Device &device, const std::string &extension) {
    std::istringstream extensions(device.getInfo<CL_DEVICE_EXTENSIONS>());
    std::string word;
    while (extensions >> word) {
        if (word == extension) {
            return true;
        }
    }
    return false;
}

bool shares_memory(const cl::Device &device) {
    return major_version(device.getInfo<CL_DEVICE_VERSION>()) >= 2 &&
           (device.getInfo<CL_DEVICE_SVM_CAPABILITIES>() & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
}

DeviceDescription describe(const cl::Device &device) {
    DeviceDescription description;
    description.backend = BackendChoice::opencl;
    description.name = device.getInfo<CL_DEVICE_NAME>();
    description.driver =
        fmt::format("{}, {}, driver {}", platform(device).getInfo<CL_PLATFORM_NAME>(),
                    device.getInfo<CL_DEVICE_VERSION>(), device.getInfo<CL_DRIVER_VERSION>());
    description.memory_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
    description.free_bytes = description.memory_bytes;
    description.largest_allocation = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    description.compute_units = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
    description.gpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0;
    description.shared_control = shares_memory(device);
    description.line_values = LINE_VALUES_OF_OPENCL;
    description.items_progress = vendor(device) == Vendor::nvidia;
    description.refused = reasons_to_refuse(device);
    description.notes = notes(device, description);
    return description;
}

}  // namespace perdure::opencl
