#include "solver/backends/opencl/opencl_failure.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solver/failure.hpp"

namespace perdure::opencl {
namespace {

constexpr cl_int no_platform = -1001;     // CL_PLATFORM_NOT_FOUND_KHR
constexpr cl_int driver_stopped = -9999;  // NVIDIA's driver, outside the standard

struct ErrorWords {
    cl_int code;
    const char *symbol;
    const char *words;
};

constexpr std::array known_errors{
    ErrorWords{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND", "there is no such device"},
    ErrorWords{CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE", "the device is not available"},
    ErrorWords{CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE", "the driver has no compiler"},
    ErrorWords{CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE",
               "the device has not enough free memory"},
    ErrorWords{CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES",
               "the device is out of resources or the kernel failed on it"},
    ErrorWords{CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY", "the host is out of memory"},
    ErrorWords{CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE", "the program does not compile"},
    ErrorWords{CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
               "an earlier command failed"},
    ErrorWords{CL_INVALID_VALUE, "CL_INVALID_VALUE", "a value is out of range"},
    ErrorWords{CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS", "the compiler rejects an option"},
    ErrorWords{CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME", "there is no kernel of that name"},
    ErrorWords{CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS", "an argument of the kernel is not set"},
    ErrorWords{CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE",
               "an argument does not have the size that the kernel expects"},
    ErrorWords{CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE",
               "the group size is too large for the device"},
    ErrorWords{CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE",
               "the buffer is larger than the device allows"},
    ErrorWords{no_platform, "CL_PLATFORM_NOT_FOUND_KHR", "no driver is registered with the OpenCL loader"},
    ErrorWords{driver_stopped, "a non-standard code",
               "the driver stopped the kernel (invalid memory access or time limit)"},
};

}  // namespace

std::string error_text(cl_int code) {
    const auto *const found = std::find_if(known_errors.begin(), known_errors.end(),
                                           [&](const ErrorWords &error) { return error.code == code; });
    if (found == known_errors.end()) {
        return fmt::format("the OpenCL runtime reports error {}", code);
    }
    return fmt::format("{} ({}, {})", found->words, found->symbol, code);
}

void fail(const std::string &device, const std::string &action, cl_int code) {
    throw Failure(ExitCode::device,
                  fmt::format("OpenCL device '{}': cannot {}: {}", device, action, error_text(code)));
}

}  // namespace perdure::opencl
