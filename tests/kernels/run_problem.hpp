// Runs a problem that a test made, without a case file, on the devices that are there.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "solver/run/run_case.hpp"

namespace perdure::tests {

/// A problem and how it is to be solved. Type, grid, sources and sides of the config are those of the problem.
struct Case {
    Config config;
    Problem problem;
};

/// The devices of one back end that are not refused and pass the barrier self-test; opened once per process.
struct UsableDevices {
    std::vector<std::unique_ptr<Device>> devices;
    std::string why_none;
};
UsableDevices &usable_devices(BackendChoice backend);

/// Host threads.
Device &host_device();

/// A test that runs on every device of its back end; without one it is skipped, and says why.
class OnEachBackEnd : public testing::TestWithParam<BackendChoice> {
  protected:
    void SetUp() override;
    [[nodiscard]] static std::vector<std::unique_ptr<Device>> &devices() {
        return usable_devices(GetParam()).devices;
    }
};

/// Name of a back end as the suffix of a test.
std::string back_end_name(const testing::TestParamInfo<BackendChoice> &info);

#define PERDURE_ON_EACH_BACK_END(Suite)                                                                    \
    INSTANTIATE_TEST_SUITE_P(                                                                              \
        BackEnds, Suite, testing::Values(BackendChoice::host, BackendChoice::opencl, BackendChoice::cuda), \
        perdure::tests::back_end_name)

/// The models that the device has, but `resident`: all have the same bits.
std::vector<ExecutionModel> models_of_phases(const Device &device);

/// Ready for run_case; `device` must outlive it.
PreparedCase prepare(const Case &test_case, Device &device);

/// The same of a config that was read from a case file: nothing of it is replaced.
PreparedCase prepare_as_read(Case test_case, Device &device);

/// The last snapshot.
Solution run(const Case &test_case, Device &device);

/// Every snapshot.
std::vector<Solution> run_snapshots(const Case &test_case, Device &device);

/// Fields, iterations, stop reason, residuals and history agree bit for bit (device times aside).
testing::AssertionResult same_bits(const Solution &one, const Solution &other);

/// What a failed comparison is about: kernel, precision, shape, sides.
std::string describe_case(const Case &test_case);

}  // namespace perdure::tests
