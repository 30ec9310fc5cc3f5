#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/kernel_text.hpp"
#include "solver/backends/opencl/opencl_build.hpp"
#include "solver/backends/opencl/opencl_program.hpp"
#include "solver/failure.hpp"
#include "tests/solver/backends/usable_devices.hpp"

namespace perdure::opencl::opencl_program_test {
namespace {

using OpenclProgramOnDevice = tests::OnUsableDevices;

TEST(OpenclProgramText, HoldsEachFileOnceAndLeavesOtherKernelsAndBackEndsOut) {
    const std::string text = make_program({"cg", Precision::float32}, "").text;
    for (const char *const file :
         {"kernels/cg.h", "kernels/parameters.h", "sync/dialect_opencl.h", "sync/tree_sum.h"}) {
        const std::string line = std::string("#line 1 \"") + file + "\"\n";
        EXPECT_NE(text.find(line), std::string::npos) << file;
        EXPECT_EQ(text.find(line), text.rfind(line)) << file;
    }
    EXPECT_EQ(text.find("#line 1 \"sync/dialect_cuda.h\""), std::string::npos);
    EXPECT_NE(text.find("#include \"sync/dialect_cuda.h\""), std::string::npos);
    EXPECT_EQ(text.find("#line 1 \"kernels/jacobi.h\""), std::string::npos);
    EXPECT_NE(text.find("#define real_t float"), std::string::npos);
    EXPECT_NE(make_program({"cg", Precision::float64}, "").text.find("#define real_t double"),
              std::string::npos);
}

TEST(OpenclProgramText, DiffersByPrecisionAndFormWhereKernelsDo) {
    std::set<std::string> texts;
    std::set<std::string> titles;
    for (const KernelVariant &variant : kernel_variants({"cg", "cg_multigrid", "percolation", "sor"})) {
        const OpenclProgram program = make_program(variant, "");
        EXPECT_TRUE(texts.insert(program.text).second) << program.title;
        EXPECT_TRUE(titles.insert(program.title).second) << program.title;
    }
    EXPECT_EQ(texts.size(), 6U + 21U + 1U + 2U);
    EXPECT_THROW(make_program({"heat_on_chip_2d_small", Precision::float64}, ""), Failure);
    EXPECT_THROW(make_program({"sor", Precision::mixed}, ""), Failure);
    EXPECT_THROW(make_program({"no_such_kernel", Precision::float64}, ""), Failure);
}

/// One part of all kernels: a process for each part compiles them side by side.
class OpenclKernels : public tests::OnUsableDevices, public testing::WithParamInterface<std::size_t> {};

constexpr std::size_t parts = 8;

/// Every kernel in each variant and precision, as it is built for a run; every language and both forms for groups with some of them.
TEST_P(OpenclKernels, CompileWithoutAWarning) {
    for (const cl::Device &device : devices_) {
        const cl::Context context(device);
        std::set<std::string> texts;
        std::size_t number = 0;
        for (const KernelVariant &variant : kernel_variants({})) {
            if (find_kernel_entry(variant.kernel)->kind == KernelKind::resident) {
                continue;
            }
            const Language language = number % 2 == 0 ? best_language(device) : Language::opencl_c_1_2;
            const bool one_item = number / 2 % 2 == 0 && !is_experiment(variant.kernel);
            const OpenclProgram program = make_program(
                variant, build_options(device, language) + (one_item ? one_item_option : "") + " -Werror");
            SCOPED_TRACE(program.title + program.options);
            if (texts.insert(program.text).second && number++ / 4 % parts == GetParam()) {
                EXPECT_NO_THROW(cl::Kernel(build_program(context, device, program), program.kernel.c_str()));
            }
        }
        EXPECT_GT(number, 4 * parts);
    }
}

INSTANTIATE_TEST_SUITE_P(OfAll, OpenclKernels, testing::Range<std::size_t>(0, parts));

TEST_F(OpenclProgramOnDevice, CompilerMessagesNameTheFileOfTheSourceTreeWhereTheCompilerKnowsLine) {
    OpenclProgram program =
        make_program({"jacobi", Precision::float64}, build_options(devices_[0], Language::opencl_c_1_2));
    const std::string place = "FUNCTION void jacobi_phase(";
    program.text.insert(program.text.find(place), "no_such_type ");
    try {
        const cl::Context context(devices_[0]);
        build_program(context, devices_[0], program);
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

TEST_F(OpenclProgramOnDevice, StructsHaveTheLayoutOfTheHost) {
    const std::string measure =
        "__kernel void layout(__global ulong *sizes) {\n"
        "    run_parameters_t p; run_state_t s; control_t c; grid_sync_t g;\n"
        "    sizes[0] = sizeof p; sizes[1] = sizeof s; sizes[2] = sizeof c; sizes[3] = sizeof g;\n"
        "    sizes[4] = (char *)&p.wait_limit - (char *)&p; sizes[5] = (char *)&p.weight - (char *)&p;\n"
        "    sizes[6] = (char *)&s.time.largest - (char *)&s; sizes[7] = (char *)&g.abandoned - (char *)&g;\n"
        "}\n";
    const std::array<cl_ulong, 8> expected{sizeof(run_parameters_t),
                                           sizeof(run_state_t),
                                           sizeof(control_t),
                                           sizeof(grid_sync_t),
                                           offsetof(run_parameters_t, wait_limit),
                                           offsetof(run_parameters_t, weight),
                                           offsetof(run_state_t, time.largest),
                                           offsetof(grid_sync_t, abandoned)};
    for (const cl::Device &device : devices_) {
        const cl::Context context(device);
        const cl::CommandQueue queue(context, device);
        OpenclProgram program = make_program({"barrier_self_test", Precision::float64},
                                             build_options(device, best_language(device)));
        program.text += measure;
        cl::Kernel kernel(build_program(context, device, program), "layout");
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
