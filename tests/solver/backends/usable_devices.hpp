// OpenCL devices that tests run on.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
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

/// A test on all of them, in the language that each knows best.
class OnUsableDevices : public testing::Test {
  protected:
    void SetUp() override {
        unsetenv("PERDURE_OPENCL_LEGACY");
        devices_ = usable_devices();
        if (devices_.empty()) {
            GTEST_SKIP() << "no usable OpenCL device";
        }
    }
    std::vector<cl::Device> devices_;
};

}  // namespace perdure::tests
