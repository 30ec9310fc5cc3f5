// Translates OpenCL error codes into sentences.
#pragma once

#include <string>

#include "solver/backends/opencl/opencl.hpp"

namespace perdure::opencl {

/// E.g. "the device is out of resources (CL_OUT_OF_RESOURCES, -5)".
std::string error_text(cl_int code);

/// Throws Failure(device): "OpenCL device 'name': cannot <action>: <error in words>".
[[noreturn]] void fail(const std::string &device, const std::string &action, cl_int code);

/// Calls `work` and turns cl::Error into the failure above.
template <typename Work>
decltype(auto) checked(const std::string &device, const std::string &action, const Work &work) {
    try {
        return work();
    } catch (const cl::Error &error) {
        fail(device, action, error.err());
    }
}

}  // namespace perdure::opencl
