#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/opencl/opencl_build.hpp"
#include "solver/backends/opencl/program_text.hpp"
#include "solver/failure.hpp"

namespace perdure::opencl::opencl_program_test {
namespace {

/// Devices that are not refused; opencl_devices() first, which settles how PoCL places its threads.
std::vector<cl::Device> usable_devices() {
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
            if (describe(device).refused.empty()) {
                usable.push_back(device);
            }
        }
    }
    return usable;
}

std::set<Language> languages(const cl::Device &device) {
    return {best_language(device), Language::opencl_c_1_2};
}

class OpenclProgram : public testing::Test {
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

TEST(OpenclProgramText, HoldsEachFileOnceAndLeavesOtherBackEndsOut) {
    const std::string text = program_text(Precision::float32);
    for (const char *const file :
         {"kernels/cg.h", "kernels/parameters.h", "sync/dialect_opencl.h", "sync/tree_sum.h"}) {
        const std::string line = std::string("#line 1 \"") + file + "\"\n";
        EXPECT_NE(text.find(line), std::string::npos) << file;
        EXPECT_EQ(text.find(line), text.rfind(line)) << file;
    }
    EXPECT_EQ(text.find("#line 1 \"sync/dialect_cuda.h\""), std::string::npos);
    EXPECT_NE(text.find("#include \"sync/dialect_cuda.h\""), std::string::npos);
    EXPECT_TRUE(text.find("#define real_t float") != std::string::npos);
    EXPECT_TRUE(program_text(Precision::float64).find("#define real_t double") != std::string::npos);
}

/// The front end alone, where warnings come from; every language and precision.
TEST_F(OpenclProgram, CompilesWithoutAWarning) {
    for (const cl::Device &device : devices_) {
        const cl::Context context(device);
        for (const Language language : languages(device)) {
            for (const Precision precision : {Precision::float32, Precision::float64, Precision::mixed}) {
                // that of one item differs in barriers, whatever language and precision
                const bool one_item =
                    (language == Language::opencl_c_1_2) == (precision == Precision::float32);
                const std::string options =
                    build_options(device, language) + (one_item ? one_item_option : "") + " -Werror";
                cl::Program program(context, program_text(precision));
                EXPECT_NO_THROW(program.compile(options.c_str()))
                    << options << program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
            }
        }
    }
}

/// The program that most runs take, as they build it.
TEST_F(OpenclProgram, HasEveryKernel) {
    for (const cl::Device &device : devices_) {
        const cl::Context context(device);
        const std::string options = build_options(device, best_language(device)) + one_item_option;
        const cl::Program program = build_program(context, device, program_text(Precision::float64), options);
        for (const char *const kernel : {"barrier_self_test", "percolation", "jacobi", "heat", "cg",
                                         "cg_multigrid", "bicgstab", "chebyshev", "sor"}) {
            EXPECT_NO_THROW(cl::Kernel(program, kernel)) << kernel;
        }
    }
}

TEST_F(OpenclProgram, CompilerMessagesNameTheFileOfTheSourceTreeWhereTheCompilerKnowsLine) {
    std::string text = program_text(Precision::float64);
    const std::string place = "FUNCTION void jacobi_phase(";
    text.insert(text.find(place), "no_such_type ");
    try {
        const cl::Context context(devices_[0]);
        build_program(context, devices_[0], text, build_options(devices_[0], Language::opencl_c_1_2));
        FAIL() << "compiled";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::device);
        const std::string message = failure.what();
        EXPECT_NE(message.find("no_such_type"), std::string::npos) << message;
        if (vendor(devices_[0]) == Vendor::pocl) {
            EXPECT_NE(message.find("kernels/jacobi.h:"), std::string::npos) << message;
        }
    }
}

TEST_F(OpenclProgram, StructsHaveTheLayoutOfTheHost) {
    const std::string measure =
        "__kernel void layout(__global ulong *sizes) {\n"
        "    run_parameters_t p; run_state_t s; control_t c; grid_sync_t g;\n"
        "    sizes[0] = sizeof p; sizes[1] = sizeof s; sizes[2] = sizeof c; sizes[3] = sizeof g;\n"
        "    sizes[4] = (char *)&p.wait_limit - (char *)&p; sizes[5] = (char *)&p.weight - (char *)&p;\n"
        "    sizes[6] = (char *)&s.slack - (char *)&s; sizes[7] = (char *)&g.abandoned - (char *)&g;\n"
        "}\n";
    const std::array<cl_ulong, 8> expected{sizeof(run_parameters_t),
                                           sizeof(run_state_t),
                                           sizeof(control_t),
                                           sizeof(grid_sync_t),
                                           offsetof(run_parameters_t, wait_limit),
                                           offsetof(run_parameters_t, weight),
                                           offsetof(run_state_t, slack),
                                           offsetof(grid_sync_t, abandoned)};
    for (const cl::Device &device : devices_) {
        const cl::Context context(device);
        const cl::CommandQueue queue(context, device);
        const std::string options = build_options(device, best_language(device));
        cl::Kernel kernel(build_program(context, device, program_text(Precision::float64) + measure, options),
                          "layout");
        std::array<cl_ulong, 8> sizes{};
        const cl::Buffer buffer(context, CL_MEM_WRITE_ONLY, sizeof sizes);
        kernel.setArg(0, buffer);
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
        queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof sizes, sizes.data());
        EXPECT_EQ(sizes, expected);
    }
}

}  // namespace
}  // namespace perdure::opencl::opencl_program_test
