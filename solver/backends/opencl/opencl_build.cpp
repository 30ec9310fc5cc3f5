#include "solver/backends/opencl/opencl_build.hpp"

#include <fmt/format.h>

#include "solver/backends/opencl/opencl_failure.hpp"
#include "solver/failure.hpp"

namespace perdure::opencl {
namespace {

/// On NVIDIA the atomics are PTX instructions from compute capability 7.0 on.
std::string compute_capability_macro(const cl::Device &device) {
    cl_uint capability = 0;
    cl::detail::errHandler(clGetDeviceInfo(device(), CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, sizeof capability,
                                           &capability, nullptr),
                           "clGetDeviceInfo");
    return fmt::format(" -DPERDURE_NVIDIA={}", capability);
}

const char *standard(Language language) {
    switch (language) {
        case Language::opencl_c_3_0:
            return "-cl-std=CL3.0";
        case Language::opencl_c_2_0:
            return "-cl-std=CL2.0";
        case Language::opencl_c_1_2:
            break;
    }
    return "-cl-std=CL1.2 -DPERDURE_LEGACY_ATOMICS";
}

}  // namespace

std::string build_options(const cl::Device &device, Language language, int registers) {
    std::string options = standard(language);
    if (language == Language::opencl_c_1_2 && vendor(device) == Vendor::nvidia) {
        options += compute_capability_macro(device);
    }
    if (vendor(device) == Vendor::nvidia) {
        options += fmt::format(" -cl-nv-maxrregcount={}", registers);
    }
    if ((device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0) {
        options += " -cl-fp32-correctly-rounded-divide-sqrt";
    }
    return options;
}

cl::Program build_program(const cl::Context &context, const cl::Device &device, const std::string &text,
                          const std::string &options) {
    const auto name = device.getInfo<CL_DEVICE_NAME>();
    cl::Program program(context, text);
    try {
        program.build(device, options.c_str());
    } catch (const cl::Error &error) {
        if (error.err() != CL_BUILD_PROGRAM_FAILURE) {
            fail(name, fmt::format("compile the kernels with options '{}'", options), error.err());
        }
        throw Failure(ExitCode::device,
                      fmt::format("OpenCL device '{}': the kernels do not compile with options '{}':\n{}",
                                  name, options, program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device)));
    }
    return program;
}

}  // namespace perdure::opencl
