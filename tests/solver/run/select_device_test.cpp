// Which device a case or a command line gets, and what is said of one that is not there.
#include "solver/run/plan_launch.hpp"

#include "tests/solver/case_file/case_files.hpp"

namespace perdure::select_device_test {
namespace {

const char *const case_text =
    "problem: {type: diffusion, a: 1.0}\n"
    "grid: {shape: [80, 90]}\n"
    "boundary: {x-: {value: 1.0}}\n";

class SelectDevice : public CaseFileTest {
  protected:
    /// `line:column message`, or the message alone where it has no place; "" when there is a device.
    [[nodiscard]] static std::string refusal(const ExecutionConfig &execution, AskedBy asked_by,
                                             ExitCode code) {
        try {
            (void)select_device(execution, asked_by);
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), code);
            if (failure.diagnostics().empty()) {
                return failure.what();
            }
            const Diagnostic &found = failure.diagnostics().at(0);
            return fmt::format("{}:{} {}", found.position.line, found.position.column, found.message);
        }
        return "";
    }
};

TEST_F(SelectDevice, ANumberWithoutABackEndIsRefused) {
    const std::string listed = "\n  `perdure devices` lists all devices";
    EXPECT_EQ(
        refusal(load(std::string(case_text) + "execution: {model: launches, device: 3}\n").execution,
                AskedBy::case_file, ExitCode::case_or_usage),
        "4:38 execution.device: each back end numbers its devices from 0, so 3 needs a back end, too: add "
        "execution.backend: host (or opencl, cuda)" +
            listed);
    EXPECT_NE(refusal(load(case_text, {"execution.device=0"}).execution, AskedBy::case_file,
                      ExitCode::case_or_usage),
              "");
    ExecutionConfig execution;
    execution.device = 0;
    EXPECT_EQ(refusal(execution, AskedBy::command_line, ExitCode::case_or_usage),
              "--device: each back end numbers its devices from 0, so 0 needs a back end, too: add --backend "
              "host (or opencl, cuda)" +
                  listed);
}

TEST_F(SelectDevice, ANumberThatIsNotThereIsRefusedAtItsPlace) {
    const std::string message =
        "host has 1 device, numbered from 0, but the case asks for number 1\n  `perdure devices` lists all "
        "devices";
    ExecutionConfig execution =
        load(std::string(case_text) + "execution:\n  backend: host\n  device: 1\n").execution;
    EXPECT_EQ(refusal(execution, AskedBy::case_file, ExitCode::device), "6:11 execution.device: " + message);
    execution.device_position = {};
    EXPECT_EQ(refusal(execution, AskedBy::command_line, ExitCode::device), "--device: " + message);
    execution.device = 0;
    EXPECT_EQ(refusal(execution, AskedBy::command_line, ExitCode::device), "");
    EXPECT_EQ(select_device(execution).index, 0);
}

TEST_F(SelectDevice, ABackEndWithoutDevicesIsRefusedAtItsPlace) {
    std::string why_none;
    if (!cuda_devices(why_none).empty()) {
        GTEST_SKIP() << "this machine has one";
    }
    const std::string message =
        "there is no cuda device: " + why_none + "\n  `perdure devices` lists all devices; ";
    const ExecutionConfig execution = load(std::string(case_text) + "execution: {backend: cuda}\n").execution;
    EXPECT_EQ(refusal(execution, AskedBy::case_file, ExitCode::device),
              "4:22 execution.backend: " + message + "execution.backend: auto uses the best one");
    ExecutionConfig words;
    words.backend = BackendChoice::cuda;
    EXPECT_EQ(refusal(words, AskedBy::command_line, ExitCode::device),
              "--backend: " + message + "--backend auto uses the best one");
}

TEST_F(SelectDevice, OnlyCudaDevicesShareACase) {
    const ExecutionConfig execution =
        load(std::string(case_text) + "execution: {backend: host, devices: 2}\n").execution;
    EXPECT_EQ(
        refusal(execution, AskedBy::case_file, ExitCode::case_or_usage),
        "4:37 execution.devices: only CUDA devices can share a case, but the back end is host; remove the "
        "key or use execution.backend: cuda");
    EXPECT_EQ(refusal(load(case_text, {"execution.devices=1", "execution.backend=host"}).execution,
                      AskedBy::case_file, ExitCode::case_or_usage),
              "");
}

TEST_F(SelectDevice, MoreDevicesThanThereAreAreRefusedAtTheirPlace) {
    std::string why_none;
    const std::size_t there = cuda_devices(why_none).size();
    const ExecutionConfig execution = load(std::string(case_text) + "execution: {devices: 99}\n").execution;
    EXPECT_EQ(refusal(execution, AskedBy::case_file, ExitCode::device),
              "4:22 execution.devices: the case asks for 99 CUDA devices from number 0 on, but " +
                  (there == 0   ? "there is none: " + why_none
                   : there == 1 ? "there is 1"
                                : fmt::format("there are {}", there)));
}

}  // namespace
}  // namespace perdure::select_device_test
