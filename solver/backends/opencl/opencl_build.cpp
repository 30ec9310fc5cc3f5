#include "solver/backends/opencl/opencl_build.hpp"

#include <cstdlib>

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
    if (const char *const more = std::getenv("PERDURE_OPENCL_OPTIONS"); more != nullptr && *more != '\0') {
        options += fmt::format(" {}", more);
    }
    return options;
}

std::string compiler_of(const cl::Device &device) {
    const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
    return fmt::format("{}, {}; {}, {}, {}, driver {}", platform.getInfo<CL_PLATFORM_NAME>(),
                       platform.getInfo<CL_PLATFORM_VERSION>(), device.getInfo<CL_DEVICE_VENDOR>(),
                       device.getInfo<CL_DEVICE_NAME>(), device.getInfo<CL_DEVICE_VERSION>(),
                       device.getInfo<CL_DRIVER_VERSION>());
}

cl::Program build_program(const cl::Context &context, const cl::Device &device,
                          const OpenclProgram &program) {
    const auto name = device.getInfo<CL_DEVICE_NAME>();
    cl::Program built(context, program.text);
    try {
        built.build(device, program.options.c_str());
    } catch (const cl::Error &error) {
        if (error.err() != CL_BUILD_PROGRAM_FAILURE) {
            fail(name, fmt::format("compile kernel '{}' with options '{}'", program.kernel, program.options),
                 error.err());
        }
        throw Failure(
            ExitCode::device,
            fmt::format("OpenCL device '{}': cannot compile kernel '{}' with the options '{}':\n{}", name,
                        program.kernel, program.options, built.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device)));
    }
    return built;
}

std::string code_of(const cl::Program &built) {
    const auto codes =
        built.getInfo<CL_PROGRAM_BINARIES>();  // one for each device of the context, which has one
    return {codes.at(0).begin(), codes.at(0).end()};
}

cl::Program load_program(const cl::Context &context, const cl::Device &device, const OpenclProgram &program,
                         const std::string &code) {
    try {
        cl::Program loaded(context, {device}, cl::Program::Binaries{{code.begin(), code.end()}});
        loaded.build(device, program.options.c_str());
        (void)cl::Kernel(loaded, program.kernel.c_str());
        return loaded;
    } catch (const cl::Error &) {
        return {};
    }
}

}  // namespace perdure::opencl
