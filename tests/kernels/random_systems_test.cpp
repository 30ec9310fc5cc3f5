// Random systems of equations against the reference, which shares neither parser nor kernels with the program.
#include "tests/kernels/random_systems.hpp"

#include <algorithm>

#include "solver/integrators/integrator.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/run/stable_system_step.hpp"
#include "solver/run/time_steps.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::random_systems_test {
namespace {

constexpr int steps_of_a_run = 5;

class RandomSystems : public SystemRuns {
  protected:
    /// So few and small steps that a rounded bit has not grown, also in the few cells that dt: auto leaves out of account.
    [[nodiscard]] Case with_steps(const RandomSystem &system) const {
        const auto with_time = [&](const std::string &step, double end) {
            return fmt::format("{}time: {{end: {:.17g}, dt: {}, method: {}}}\n", system.text, end, step,
                               system.method);
        };
        const Case automatic = read(with_time("auto", 1.0));
        ProblemFindings findings(automatic.config);
        const double stable = system.method == "rk23" || system.method == "rk45"
                                  ? 0.02
                                  : stable_system_step(automatic.config, automatic.problem, findings);
        const double step = std::min(0.002, 0.1 * stable);
        return read(with_time(fmt::format("{:.17g}", step), steps_of_a_run * step));
    }

    void expect_agreement(unsigned number, Device &device) const {
        const RandomSystem system = random_system(number);
        SCOPED_TRACE(fmt::format("system {} by {} on {}\n{}", number, system.method,
                                 device.description().name, system.text));
        const Case test_case = with_steps(system);
        const PreparedCase prepared = prepare_as_read(test_case, device);
        const Solution last = run_all(test_case, device).back();
        ASSERT_EQ(last.report.stop, StopReason::complete);
        const reference::Answers answers =
            prepared.plan.method->reference(prepared.problem, step_sizes(time_segments(prepared)));
        ASSERT_EQ(answers.size(), last.fields.size());
        for (std::size_t i = 0; i < answers.size(); ++i) {
            EXPECT_LT(compare(last.fields[i].values, answers[i].values).max_relative, 1.0e-10)
                << "field " << answers[i].field;
        }
    }

    void expect_all_agree(unsigned begin, unsigned end) const {
        for (const std::unique_ptr<Device> &device : devices()) {
            for (unsigned number = begin; number < end; ++number) {
                expect_agreement(number, *device);
            }
        }
    }
};

TEST_P(RandomSystems, AgreeWithTheReference) {
    expect_all_agree(0, 25);
}

TEST_P(RandomSystems, OfTwoHundredEachAgreesWithTheReference) {
    expect_all_agree(25, 200);
}

PERDURE_ON_EACH_BACK_END(RandomSystems);

}  // namespace
}  // namespace perdure::tests::random_systems_test
