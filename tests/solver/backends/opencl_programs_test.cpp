// Compiled OpenCL programs from run to run: whatever is kept of them, and whatever became of it, the kernel is the same.
#include "solver/backends/opencl/opencl_programs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "solver/backends/opencl/opencl_build.hpp"
#include "tests/solver/backends/usable_devices.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::opencl::opencl_programs_test {
namespace {

constexpr const char *answer_text =
    "__kernel void answer(__global int *to) { to[get_global_id(0)] = ANSWER; }\n";

class OpenclProgramsKept : public tests::OnUsableDevices, public testing::WithParamInterface<Kept> {
  protected:
    void SetUp() override {
        OnUsableDevices::SetUp();
        if (!IsSkipped() && GetParam() == Kept::pocl_files && kept_for(device()) != Kept::pocl_files) {
            GTEST_SKIP() << "not PoCL";
        }
    }
    [[nodiscard]] const cl::Device &device() const { return devices_.front(); }
    [[nodiscard]] KernelCache cache() const {
        return {root_ / "kernels", std::numeric_limits<std::uintmax_t>::max()};
    }
    /// A text of its own for each test: what PoCL has of others in this process counts for nothing.
    static OpenclProgram program(int answer) {
        const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        return {"answer", "the answer", "__constant char test[] = \"" + name + "\";\n" + answer_text,
                "-DANSWER=" + std::to_string(answer)};
    }
    /// What the kernel writes; `compiled_` says whether it was compiled for that.
    int answer_of(const OpenclProgram &program, KernelCache cache) {
        const cl::Context context(device());
        OpenclPrograms programs(context, device(), cache, GetParam());
        testing::internal::CaptureStderr();
        cl::Kernel kernel(programs.find(program), program.kernel.c_str());
        const std::string messages = testing::internal::GetCapturedStderr();
        compiled_ = messages.find("compiling kernel the answer for ") != std::string::npos;
        const cl::CommandQueue queue(context, device());
        const cl::Buffer buffer(context, CL_MEM_WRITE_ONLY, sizeof(cl_int));
        cl_int written = -1;
        kernel.setArg(0, buffer);
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
        queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof written, &written);
        return written;
    }
    [[nodiscard]] std::string key_of(const OpenclProgram &program) const {
        KernelCache kept = cache();
        return OpenclPrograms(cl::Context(device()), device(), kept, GetParam()).key_of(program);
    }

    const tests::TemporaryFolder root_;
    bool compiled_ = false;
};

TEST_P(OpenclProgramsKept, AreCompiledOnceForATextAndOptions) {
    EXPECT_EQ(answer_of(program(1), cache()), 1);
    EXPECT_TRUE(compiled_);
    EXPECT_EQ(answer_of(program(1), cache()), 1);
    EXPECT_FALSE(compiled_);
    EXPECT_EQ(answer_of(program(2), cache()), 2) << "other options";
    EXPECT_TRUE(compiled_);
    OpenclProgram other = program(1);
    other.text += "/* another text */\n";
    EXPECT_NE(key_of(other), key_of(program(1)));
    EXPECT_EQ(answer_of(other, cache()), 1);
    EXPECT_TRUE(compiled_);
}

TEST_P(OpenclProgramsKept, AreCompiledAgainWhereTheEntryIsDamaged) {
    EXPECT_EQ(answer_of(program(3), cache()), 3);
    for (const auto &entry : std::filesystem::directory_iterator(root_ / "kernels")) {
        std::string bytes = tests::bytes_of(entry.path());
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        tests::write_bytes(entry.path(), bytes);
    }
    EXPECT_EQ(answer_of(program(3), cache()), 3);
    EXPECT_TRUE(compiled_);
    EXPECT_EQ(answer_of(program(3), cache()), 3);
    EXPECT_FALSE(compiled_) << "the entry was replaced";
}

/// Whole, but of no use to the driver.
TEST_P(OpenclProgramsKept, AreCompiledAgainWhereTheDriverRefusesTheEntry) {
    cache().keep(key_of(program(4)), {"code of another driver", {}});
    EXPECT_EQ(answer_of(program(4), cache()), 4);
    EXPECT_EQ(compiled_, GetParam() == Kept::code) << "PoCL itself compiles what is not among its files";
    EXPECT_EQ(answer_of(program(4), cache()), 4);
    EXPECT_FALSE(compiled_);
    EXPECT_NE(cache().get(key_of(program(4)), [] { return CompiledKernels{}; }).code,
              "code of another driver");
}

TEST_P(OpenclProgramsKept, AreCompiledWhereNothingCanBeKept) {
    for (int run = 0; run < 2; ++run) {
        EXPECT_EQ(answer_of(program(5), KernelCache({}, 0)), 5);
        EXPECT_TRUE(compiled_);
    }
}

TEST_P(OpenclProgramsKept, HoldWhatPoclCompiledAtTheLaunch) {
    if (GetParam() != Kept::pocl_files) {
        GTEST_SKIP() << "code is whole when it is built";
    }
    EXPECT_EQ(answer_of(program(6), cache()), 6);
    const CompiledKernels kept = cache().get(key_of(program(6)), [] { return CompiledKernels{}; });
    EXPECT_NE(kept.code.find("program.bc"), std::string::npos);
    EXPECT_NE(kept.code.find("answer.so"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(As, OpenclProgramsKept, testing::Values(Kept::code, Kept::pocl_files),
                         [](const auto &suite) { return suite.param == Kept::code ? "code" : "pocl_files"; });

}  // namespace
}  // namespace perdure::opencl::opencl_programs_test
