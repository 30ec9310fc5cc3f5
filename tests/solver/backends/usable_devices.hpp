// OpenCL devices that tests run on.
#pragma once

#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/opencl/opencl.hpp"
#include "solver/backends/opencl/opencl_traits.hpp"

namespace perdure::tests {

/// Devices that are not refused; opencl_devices() first, which settles how PoCL places its threads.
inline std::vector<cl::Device> usable_devices() {
    std::string why_none;
    static_cast<void>(opencl_devices(why_none));
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> usable;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error &) {
        return usable;
    }
    for (const cl::Platform &platform : platforms) {
        std::vector<cl::Device> devices;
        platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
        for (const cl::Device &device : devices) {
            if (opencl::describe(device).refused.empty()) {
                usable.push_back(device);
            }
        }
    }
    return usable;
}

}  // namespace perdure::tests
