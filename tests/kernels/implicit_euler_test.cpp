// A program with a solve in a time step in a loop, in one launch, on every back end.
#include <cmath>

#include <Eigen/SparseCholesky>

#include "kernels/program.h"
#include "solver/reference/assemble.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/run_memory.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::implicit_euler_test {
namespace {

struct Steps {
    std::uint32_t count = 1;
    double dt = 1.0;
};

struct Found {
    run_state_t state{};
    std::vector<double> u;
    std::vector<double> history;  // iteration and norm by turns
    std::int64_t launches = 0;
    bool bounded = false;  // launches end before the run does
};

struct Asked {
    ExecutionModel model = ExecutionModel::persistent;
    int groups = 0;
    Norm norm = Norm::l2;
    std::int64_t max_iterations = 1000;
};

/// du/dt = b - A u from the initial values of `problem`, a steady one: (A + 1 / dt) u(n+1) = b + u(n) / dt.
class ImplicitEuler {
  public:
    ImplicitEuler(const Problem &problem, Steps steps, Device &device, Asked asked)
        : steps_(steps),
          prepared_(prepare(steady_case(problem, steps, asked), device)),
          memory_(prepared_.config, prepared_.problem.grid, prepared_.problem.only_field(),
                  prepared_.cells.front(), prepared_.plan,
                  discretise<double>(prepared_.problem.grid, prepared_.problem.only_field(),
                                     prepared_.cells.front()),
                  {}),
          call_(memory_.call()),
          state_(in_time(call_)) {
        call_.kernel = "implicit_euler";
        call_.form = KernelForm::any;
        KernelBuffer &b = call_.buffers[call_.place_of("b")];
        call_.buffers.push_back({"f", b.bytes, b.initial});
        b.initial = nullptr;
        KernelBuffer &history = call_.buffers[call_.place_of("history")];
        history.bytes = 3 * history_capacity * sizeof(double);
        call_.buffers[buffer_state].initial = &state_;
    }

    Found run(Device &device) {
        const auto run = device.prepare(call_, prepared_.plan.shape);
        run_parameters_t parameters = memory_.parameters();
        parameters.last_step = steps_.count - 1;
        parameters.history_capacity = history_capacity;
        parameters.wait_limit = 60'000'000'000;
        Progress progress(Progress::Style::quiet, 1);
        LaunchDriver driver(*run, prepared_.plan, progress);
        Found found;
        found.state = driver.run(parameters, 0, 1'000'000);
        found.launches = driver.launches();
        found.bounded = prepared_.plan.bounded;
        found.u.resize(parameters.cells);
        run->read(call_.place_of("x"), found.u.data(), found.u.size() * sizeof(double));
        std::vector<double> entries(3 * found.state.control.history_length);
        run->read(call_.place_of("history"), entries.data(), entries.size() * sizeof(double));
        for (std::size_t i = 0; i < entries.size(); i += 3) {
            found.history.insert(found.history.end(), {entries[i], entries[i + 1]});
        }
        return found;
    }

  private:
    static constexpr std::uint32_t history_capacity = 4000;

    static Case steady_case(Problem problem, Steps steps, Asked asked) {
        Case test_case;
        for (double &sigma : problem.only_field().sigma.values) {
            sigma += 1.0 / steps.dt;
        }
        test_case.problem = std::move(problem);
        test_case.config.solver.method = SolverMethod::cg;
        test_case.config.solver.norm = asked.norm;
        test_case.config.solver.rtol = 1.0e-12;
        test_case.config.solver.max_iterations = asked.max_iterations;
        test_case.config.solver.check_every = 3;
        test_case.config.execution.model = asked.model;
        test_case.config.execution.groups = asked.groups;
        return test_case;
    }

    [[nodiscard]] run_state_t in_time(const KernelCall &call) const {
        run_state_t state = *static_cast<const run_state_t *>(call.buffers[buffer_state].initial);
        state.program[0] = {RUN_PHASE, 0};
        state.program[1] = {RUN_SOLVE, 0};
        state.program[2] = {NEXT_STEP, 0};
        state.program[3] = {STOP_RUN, STOP_COMPLETE};
        state.time.dt = steps_.dt;
        begin_program(&state);
        return state;
    }

    Steps steps_;
    PreparedCase prepared_;
    RunMemory<double> memory_;
    KernelCall call_;
    run_state_t state_;
};

Found run_steps(const Problem &problem, Steps steps, Device &device, Asked asked = {}) {
    return ImplicitEuler(problem, steps, device, asked).run(device);
}

std::vector<double> reference(const Problem &problem, Steps steps) {
    const reference::Equations equations = reference::assemble(problem.grid, problem.only_field());
    const auto n = equations.matrix.rows();
    Eigen::SparseMatrix<double> one(n, n);
    one.setIdentity();
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(one + steps.dt * equations.matrix);
    Eigen::VectorXd u(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        u[i] = problem.only_field().initial[equations.cells[i]];
    }
    for (std::uint32_t step = 0; step < steps.count; ++step) {
        u = factors.solve(u + steps.dt * equations.sources.at("")).eval();
    }
    return {u.begin(), u.end()};
}

Problem sample_problem() {
    return random_problem({23, 37}, mixed_sides(2), Coefficients::variable, 5);
}
constexpr Steps sample_steps{12, 0.004};

class ImplicitEulerSteps : public OnEachBackEnd {};

TEST_P(ImplicitEulerSteps, AreThoseOfTheReference) {
    for (const auto &device : devices()) {
        for (const Norm norm : {Norm::l2, Norm::max}) {
            for (const Problem &problem :
                 {sample_problem(), random_problem({9, 11, 14}, mixed_sides(3), Coefficients::uniform, 6)}) {
                const Found found = run_steps(problem, sample_steps, *device, {.norm = norm});
                EXPECT_TRUE(found.launches == 1 || found.bounded) << found.launches;
                EXPECT_EQ(found.state.control.stop, static_cast<std::uint32_t>(STOP_COMPLETE));
                EXPECT_EQ(found.state.time.step, sample_steps.count);
                EXPECT_NEAR(found.state.time.t, sample_steps.count * sample_steps.dt, 1.0e-12);
                const std::uint32_t iterations = found.state.solve.earlier + found.state.solve.iteration;
                EXPECT_GT(iterations, 3 * sample_steps.count);
                const std::vector<double> expected = reference(problem, sample_steps);
                ASSERT_EQ(found.u.size(), expected.size());
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    ASSERT_NEAR(found.u[i], expected[i], 1.0e-9) << "cell " << i;
                }
            }
        }
    }
}

TEST_P(ImplicitEulerSteps, HaveTheSameBitsHoweverTheyAreLaunched) {
    for (const auto &device : devices()) {
        const Found expected = run_steps(sample_problem(), sample_steps, *device);
        for (const Asked asked :
             {Asked{.model = ExecutionModel::launches}, Asked{.groups = 1}, Asked{.groups = 2}}) {
            const Found found = run_steps(sample_problem(), sample_steps, *device, asked);
            EXPECT_EQ(found.u, expected.u);
            EXPECT_EQ(found.history, expected.history);
            EXPECT_EQ(found.state.control.phases, expected.state.control.phases);
        }
        const Found on_host = run_steps(sample_problem(), sample_steps, host_device());
        EXPECT_EQ(on_host.u, expected.u);
        EXPECT_EQ(on_host.history, expected.history);
    }
}

// With as many steps the history has the residuals of as many solves: each begins with one of its own.
TEST_P(ImplicitEulerSteps, KeepTheHistoryOfEverySolve) {
    for (const auto &device : devices()) {
        const Found found = run_steps(sample_problem(), sample_steps, *device);
        std::size_t rises = 0;
        for (std::size_t i = 2; i < found.history.size(); i += 2) {
            EXPECT_GE(found.history[i], found.history[i - 2]);
            rises += found.history[i + 1] > 1.0e6 * found.history[i - 1] ? 1 : 0;
        }
        EXPECT_EQ(rises, sample_steps.count - 1);
    }
}

TEST_P(ImplicitEulerSteps, EndWithASolveThatFails) {
    for (const auto &device : devices()) {
        const Found found = run_steps(sample_problem(), sample_steps, *device, {.max_iterations = 4});
        EXPECT_EQ(found.state.control.stop, static_cast<std::uint32_t>(STOP_ITERATION_LIMIT));
        EXPECT_EQ(found.state.time.step, 0U);
        EXPECT_EQ(found.state.solve.iteration, 4U);
    }
}

// Against du/dt = -A u + b as exactly as many small steps find it.
TEST_P(ImplicitEulerSteps, AreOfFirstOrder) {
    constexpr double end = 0.05;
    const Problem problem = sample_problem();
    const std::vector<double> fine = reference(problem, {1U << 14U, end / (1U << 14U)});
    for (const auto &device : devices()) {
        std::vector<double> errors;
        for (const std::uint32_t count : {20U, 40U, 80U}) {
            const Found found = run_steps(problem, {count, end / count}, *device);
            double sum = 0.0;
            for (std::size_t i = 0; i < fine.size(); ++i) {
                sum += (found.u[i] - fine[i]) * (found.u[i] - fine[i]);
            }
            errors.push_back(std::sqrt(sum));
        }
        EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1.0, 0.1);
        EXPECT_NEAR(std::log2(errors[1] / errors[2]), 1.0, 0.05);
    }
}

PERDURE_ON_EACH_BACK_END(ImplicitEulerSteps);

}  // namespace
}  // namespace perdure::tests::implicit_euler_test
