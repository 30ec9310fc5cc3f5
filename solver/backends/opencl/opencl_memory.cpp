#include "solver/backends/opencl/opencl_memory.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "solver/backends/opencl/opencl_failure.hpp"

namespace perdure::opencl {
namespace {

/// Whole 16-byte words: what zeros are filled in.
std::size_t allocated_bytes(const KernelBuffer &buffer) {
    constexpr std::size_t word = 16;
    return (std::max<std::size_t>(buffer.bytes, 1) + word - 1) / word * word;
}

std::string bytes_text(std::size_t bytes) {
    return fmt::format("{} bytes ({:.2f} GiB)", bytes, static_cast<double>(bytes) / (1U << 30U));
}

}  // namespace

void check_memory(const DeviceDescription &device, const std::vector<KernelBuffer> &buffers) {
    std::string findings;
    std::size_t total = 0;
    for (const KernelBuffer &buffer : buffers) {
        total += buffer.taken ? 0 : allocated_bytes(buffer);
        if (allocated_bytes(buffer) > device.largest_allocation) {
            findings += fmt::format("\n  '{}' needs {}, but the device allows {} in one buffer", buffer.name,
                                    bytes_text(buffer.bytes), bytes_text(device.largest_allocation));
        }
    }
    if (total > device.free_bytes) {
        findings += fmt::format("\n  all buffers need {}, but the device has {}", bytes_text(total),
                                bytes_text(device.free_bytes));
    }
    if (!findings.empty()) {
        throw Failure(ExitCode::device,
                      fmt::format("OpenCL device '{}': not enough memory:{}\n  use a smaller grid, "
                                  "execution.precision: float32 or another device",
                                  device.name, findings));
    }
}

cl::Buffer make_buffer(const cl::Context &context, const cl::CommandQueue &queue,
                       const KernelBuffer &buffer) {
    const std::size_t bytes = allocated_bytes(buffer);
    cl::Buffer memory = buffer.taken ? *std::static_pointer_cast<cl::Buffer>(buffer.taken)
                                     : cl::Buffer(context, CL_MEM_READ_WRITE, bytes);
    if (buffer.as_it_stands) {
        return memory;
    }
    if (buffer.initial != nullptr && buffer.bytes > 0) {
        queue.enqueueWriteBuffer(memory, CL_TRUE, 0, buffer.bytes, buffer.initial);
    } else {
        queue.enqueueFillBuffer(memory, cl_ulong2{}, 0, bytes);
        queue.finish();
    }
    return memory;
}

std::shared_ptr<control_t> make_shared_control(const cl::Context &context, const cl::Device &device) {
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    if ((device.getInfo<CL_DEVICE_SVM_CAPABILITIES>() & CL_DEVICE_SVM_ATOMICS) != 0) {
        flags |= CL_MEM_SVM_ATOMICS;
    }
    void *const memory = clSVMAlloc(context(), flags, sizeof(control_t), 0);
    if (memory == nullptr) {
        fail(device.getInfo<CL_DEVICE_NAME>(), "allocate the control block",
             CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    return {new (memory) control_t{},
            [handle = context()](control_t *control) { clSVMFree(handle, control); }};
}

}  // namespace perdure::opencl
