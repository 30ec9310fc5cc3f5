// Buffers of a kernel on a device, and the control block that the host sees during a launch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/opencl/opencl.hpp"

namespace perdure::opencl {

/// Throws Failure(device) when a buffer, or all of them, cannot fit, before anything is allocated.
void check_memory(const DeviceDescription &device, const std::vector<KernelBuffer> &buffers);

/// Device memory of one argument, filled from `initial` or with zeros. Throws cl::Error.
cl::Buffer make_buffer(const cl::Context &context, const cl::CommandQueue &queue, const KernelBuffer &buffer);

/// Fine-grained shared virtual memory that holds a control block of zeros; `context` must outlive it. Throws
/// Failure(device) without memory.
std::shared_ptr<control_t> make_shared_control(const cl::Context &context, const cl::Device &device);

}  // namespace perdure::opencl
