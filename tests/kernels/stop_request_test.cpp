// A run that is asked to stop ends at its next check, with the field it has.
#include <csignal>
#include <limits>

#include "solver/run/drive_launches.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/run_memory.hpp"
#include "tests/kernels/sample_problems.hpp"
#include "tests/kernels/true_residual.hpp"

namespace perdure::tests::stop_request_test {
namespace {

Case endless_case() {
    Case test_case;
    test_case.problem = random_problem({13, 17}, mixed_sides(2), Coefficients::variable, 3);
    test_case.config.solver.rtol = 0.0;
    test_case.config.solver.max_iterations = std::numeric_limits<std::int32_t>::max();
    test_case.config.solver.check_every = 8;
    return test_case;
}

class StopRequest : public OnEachBackEnd {
  protected:
    /// The state after a run whose request to stop is already there, by the control block or by the
    /// parameters.
    static run_state_t run_with_request(const Case &test_case, Device &device, bool by_control_block) {
        const PreparedCase prepared = prepare(test_case, device);
        const RunMemory<double> memory(
            prepared.config, prepared.problem.grid, prepared.problem.only_field(), prepared.cells.front(),
            prepared.plan,
            discretise<double>(prepared.problem.grid, prepared.problem.only_field(), prepared.cells.front()),
            {});
        const std::unique_ptr<DeviceRun> device_run = device.prepare(memory.call(), prepared.plan.shape);
        run_parameters_t parameters = memory.parameters();
        parameters.wait_limit = static_cast<std::uint64_t>(20.0 * device.wait_units_per_second());
        if (by_control_block) {
            device_run->control()->stop_request = 1;
        } else {
            parameters.stop_request = 1;
        }
        Progress progress(Progress::Style::quiet, 1);
        return LaunchDriver(*device_run, prepared.plan, progress).run(parameters, 0, 100000);
    }
};

TEST_P(StopRequest, EndsARunAtItsFirstCheck) {
    Case test_case = endless_case();
    for (const std::unique_ptr<Device> &device : devices()) {
        for (const ExecutionModel model : execution_models) {
            if (!model_missing(*device, model).empty()) {
                continue;
            }
            for (const bool by_control_block : {false, true}) {
                if (by_control_block && !device->description().shared_control) {
                    continue;
                }
                test_case.config.execution.model = model;
                test_case.config.solver.method = SolverMethod::jacobi;
                const run_state_t jacobi = run_with_request(test_case, *device, by_control_block);
                EXPECT_EQ(jacobi.control.stop, static_cast<std::uint32_t>(STOP_REQUESTED));
                EXPECT_EQ(jacobi.solve.iteration, 0U);
                test_case.config.solver.method = SolverMethod::cg;
                const run_state_t cg = run_with_request(test_case, *device, by_control_block);
                EXPECT_EQ(cg.control.stop, static_cast<std::uint32_t>(STOP_REQUESTED));
                EXPECT_EQ(cg.solve.iteration, 8U);
            }
        }
    }
}

TEST_P(StopRequest, BySignalLeavesTheFieldOfACheck) {
    const InterruptGuard guard;
    Case test_case = endless_case();
    test_case.config.solver.method = SolverMethod::jacobi;
    for (const std::unique_ptr<Device> &device : devices()) {
        if (!interrupted()) {
            ASSERT_EQ(std::raise(SIGTERM), 0);
        }
        for (const ExecutionModel model : execution_models) {
            if (!model_missing(*device, model).empty()) {
                continue;
            }
            test_case.config.execution.model = model;
            const Solution stopped = run(test_case, *device);
            EXPECT_EQ(stopped.report.stop, StopReason::stopped);
            EXPECT_EQ(stopped.report.iterations % 8, 0);
            EXPECT_EQ(stopped.report.history.back().iteration, stopped.report.iterations);
            EXPECT_NEAR(stopped.report.residual,
                        residual_norms(test_case.problem, stopped.fields.front().values).l2,
                        10.0 * stopped.report.accuracy_floor + 1.0e-14 * stopped.report.residual);
        }
    }
}

PERDURE_ON_EACH_BACK_END(StopRequest);

}  // namespace
}  // namespace perdure::tests::stop_request_test
