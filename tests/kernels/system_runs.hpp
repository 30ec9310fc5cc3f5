// Runs of systems of equations whose case files are texts.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/kernels/run_problem.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::tests {

/// Its snapshots, the end last.
inline std::vector<Solution> run_all(const Case &test_case, Device &device) {
    std::vector<Solution> snapshots;
    const auto keep = [&](Solution one) { snapshots.push_back(std::move(one)); };
    keep(run_case(prepare_as_read(test_case, device), Progress::Style::quiet, keep));
    return snapshots;
}

/// On each back end that is there.
class SystemRuns : public CaseFileTest, public testing::WithParamInterface<BackendChoice> {
  protected:
    void SetUp() override {
        if (usable_devices(GetParam()).devices.empty()) {
            GTEST_SKIP() << "no device: " << usable_devices(GetParam()).why_none;
        }
    }
    [[nodiscard]] static std::vector<std::unique_ptr<Device>> &devices() {
        return usable_devices(GetParam()).devices;
    }

    [[nodiscard]] Case read(const std::string &text) const {
        Case read{load(text), {}};
        read.problem = make_problem(read.config);
        return read;
    }
};

class SystemsOnHostThreads : public CaseFileTest {
  protected:
    [[nodiscard]] Case read_case(const std::string &text) const {
        Case read{load(text), {}};
        read.problem = make_problem(read.config);
        return read;
    }

    [[nodiscard]] std::vector<double> last_values(const std::string &text, std::size_t field = 0) const {
        const Case read = read_case(text);
        const Solution last = run_all(read, host_device()).back();
        EXPECT_EQ(last.report.stop, StopReason::complete);
        std::vector<double> values;
        for (std::int64_t i = 0; i < read.problem.grid.count(); ++i) {
            values.push_back(value_at(last.fields.at(field).values, i));
        }
        return values;
    }
};

inline double largest_difference(const std::vector<double> &one, const std::vector<double> &other) {
    double largest = 0.0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        largest = std::max(largest, std::abs(one[i] - other[i]));
    }
    return largest;
}

}  // namespace perdure::tests
