// Methods that choose their steps by the error: order, first step, what is rejected, what shrinks to nothing. With the other methods:
// systems_of_equations_test.cpp.
#include <fmt/ranges.h>

#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::step_control_test {
namespace {

class StepControl : public SystemsOnHostThreads {
  protected:
    [[nodiscard]] Solution last_of(const std::string &text) const {
        Case read{load(text), {}};
        read.problem = make_problem(read.config);
        return run_all(read, host_device()).back();
    }
    [[nodiscard]] Solution decay(const char *method, const std::string &time) const {
        return last_of(
            fmt::format("problem: {{type: system, fields: {{u: 1}}, equations: {{u: -u}}}}\n"
                        "grid: {{shape: [4, 4]}}\ntime: {{method: {}, {}}}\n",
                        method, time));
    }
};

constexpr std::array methods{std::pair{"rk23", 3}, std::pair{"rk45", 5}};

/// Steps end on snapshots, and a large tolerance lets each of them be as long as that.
TEST_F(StepControl, EachMethodHasItsOrder) {
    const auto values = [&](const char *method, int steps) {
        std::vector<double> ends;
        for (int i = 1; i <= steps; ++i) {
            ends.push_back(static_cast<double>(i) / steps);
        }
        return last_values(fmt::format(R"yaml(
problem:
  type: system
  fields: {{u: "1 + 0.3*sin(pi*x/4)*cos(pi*y/4)", v: "0.5 + 0.2*cos(pi*x/4)"}}
  equations: {{u: v, v: "lap(u)/8 - u"}}
grid: {{shape: [8, 8]}}
boundary: {{all: periodic}}
time: {{end: 1, dt: {:.17g}, method: {}, rtol: 1000, snapshots: [{:.17g}]}}
)yaml",
                                       1.0 / steps, method, fmt::join(ends, ", ")));
    };
    const std::vector<double> exact = values("rk45", 128);
    for (const auto &[method, order] : methods) {
        const double coarse = largest_difference(values(method, 16), exact);
        const double fine = largest_difference(values(method, 32), exact);
        EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << method << ": " << coarse << ", " << fine;
    }
}

TEST_F(StepControl, TheFirstStepIsThatOfHairerNorsettAndWanner) {
    for (const auto &[method, order] : methods) {
        // u = -u' = 1: d0 = d1 = 1 / (atol + rtol), the first guess is 0.01, and the rate changes by 0.01 over it: d2 = d1
        const double rate = 1.0 / (1.0e-3 + 1.0e-6);
        const Solution found = decay(method, "end: 5, rtol: 1e-3, atol: 1e-6");
        EXPECT_NEAR(found.report.step_sizes.front() / std::pow(0.01 / rate, 1.0 / order), 1.0, 1.0e-12)
            << method;
        EXPECT_EQ(found.report.time, 5.0);
    }
}

TEST_F(StepControl, TheErrorFollowsTheTolerance) {
    for (const auto &[method, order] : methods) {
        for (const double tolerance : {1.0e-3, 1.0e-6, 1.0e-9}) {
            const Solution found =
                decay(method, fmt::format("end: 2, rtol: {}, atol: {}", tolerance, 1.0e-3 * tolerance));
            const double error = std::abs(value_at(found.fields[0].values, 5) / std::exp(-2.0) - 1.0);
            EXPECT_LT(error, 5.0 * tolerance) << method;
            EXPECT_GT(error, 1.0e-3 * tolerance) << method;
        }
    }
}

TEST_F(StepControl, StepsThatAreTooLongAreRejectedAndCounted) {
    for (const auto &[method, order] : methods) {
        const Solution found = decay(method, "end: 50, dt: 20");
        EXPECT_GT(found.report.rejected_steps.value_or(0), 0) << method;
        EXPECT_LT(found.report.step_sizes.front(), 10.0) << method;
        double sum = 0.0;
        for (const double size : found.report.step_sizes) {
            sum += size;
        }
        EXPECT_NEAR(sum, 50.0, 1.0e-12);
        EXPECT_EQ(static_cast<std::int64_t>(found.report.step_sizes.size()), found.report.iterations);
        EXPECT_EQ(decay(method, "end: 1, dt: 1e-3").report.rejected_steps, 0) << method;
    }
}

TEST_F(StepControl, AStepThatShrinksToNothingIsAnEndWithTimeFieldAndCell) {
    for (const auto &[method, order] : methods) {
        const Solution found = last_of(fmt::format(R"yaml(
problem: {{type: system, fields: {{u: 0.1, v: "1 + x"}}, equations: {{u: 0.1, v: v^2}}}}
grid: {{shape: [4, 6]}}
time: {{end: 10, method: {}}}
)yaml",
                                                   method));
        EXPECT_EQ(found.report.stop, StopReason::step_too_small);
        EXPECT_EQ(found.report.bad_cell.value_or(-1), 5) << "the first of the largest";
        EXPECT_EQ(found.report.bad_field, "v");
        EXPECT_NEAR(found.report.time, 1.0 / 6.5, 1.0e-3);
    }
}

}  // namespace
}  // namespace perdure::tests::step_control_test
