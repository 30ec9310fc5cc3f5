// Describes an OpenCL device: what it is and what it can do.
#pragma once

#include <string>

#include "solver/backends/backend.hpp"
#include "solver/backends/opencl/opencl.hpp"

namespace perdure::opencl {

enum class Vendor { pocl, nvidia, other };

Vendor vendor(const cl::Device &device);

/// Whether the platform says how many groups run at the same time; if not, they are discovered. False when the
/// environment says PERDURE_OPENCL_DISCOVER=1.
bool residency_known(const cl::Device &device);

/// How kernel text is compiled. Acquire/release at device scope are features of OpenCL C 2.0 and options
/// of 3.0; without them an atomic of OpenCL C 1.2 between two fences takes their place.
enum class Language { opencl_c_3_0, opencl_c_2_0, opencl_c_1_2 };

/// The best that the device has; OpenCL C 1.2 when the environment says PERDURE_OPENCL_LEGACY=1.
Language best_language(const cl::Device &device);

bool has_extension(const cl::Device &device, const std::string &extension);

/// Device and host see each other's writes to this memory during a launch (fine-grained shared virtual
/// memory).
bool shares_memory(const cl::Device &device);

/// Everything that `perdure devices` prints, with the reasons to refuse the device. Throws cl::Error.
DeviceDescription describe(const cl::Device &device);

}  // namespace perdure::opencl
