// One launch for the whole run, one launch per phase and graphs of launches give the same bits.
#include <algorithm>
#include <functional>
#include <limits>

#include "solver/run/execution_models.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::execution_models_test {
namespace {

const std::vector<std::vector<std::int64_t>> small_shapes{{1, 1},     {1, 7},    {7, 1},  {13, 17},
                                                          {31, 1, 3}, {5, 6, 7}, {64, 64}};
class ExecutionModels : public OnEachBackEnd {
  protected:
    /// More cells than the threads or lane rows of any device of the back end hold at once.
    static std::vector<std::int64_t> large_shape() {
        const bool on_gpu =
            std::any_of(devices().begin(), devices().end(),
                        [](const std::unique_ptr<Device> &device) { return device->description().gpu; });
        return on_gpu ? std::vector<std::int64_t>{300, 257} : std::vector<std::int64_t>{150, 67};
    }

    /// Models of several launches that the device has.
    static std::vector<ExecutionModel> multi_launch_models(const Device &device) {
        std::vector<ExecutionModel> models;
        for (const ExecutionModel model : execution_models) {
            if (!is_one_launch(model) && model_missing(device, model).empty()) {
                models.push_back(model);
            }
        }
        return models;
    }

    static void compare(Case test_case) {
        for (const std::unique_ptr<Device> &device : devices()) {
            test_case.config.execution.model = ExecutionModel::persistent;
            const std::vector<Solution> at_once = run_snapshots(test_case, *device);
            for (const ExecutionModel model : multi_launch_models(*device)) {
                test_case.config.execution.model = model;
                const std::vector<Solution> by_phase = run_snapshots(test_case, *device);
                const std::string what = device->description().name + ": " + describe_case(test_case);
                ASSERT_EQ(at_once.size(), by_phase.size()) << what;
                for (std::size_t i = 0; i < at_once.size(); ++i) {
                    ASSERT_TRUE(same_bits(at_once[i], by_phase[i])) << what;
                }
                EXPECT_EQ(by_phase.back().report.barriers, 0) << what;
                EXPECT_LE(at_once.back().report.launches, by_phase.back().report.launches) << what;
            }
        }
    }

    /// Each problem in one norm, and in the other in the other precision.
    static void compare_on_all_shapes(const std::function<void(Case)> &compare_case) {
        for (const Precision precision : {Precision::float32, Precision::float64}) {
            Case test_case;
            test_case.config.execution.precision = precision;
            test_case.config.solver.rtol = precision == Precision::float32 ? 1.0e-5 : 1.0e-12;
            test_case.config.solver.max_iterations = 40;
            test_case.config.solver.check_every = 7;
            int number = precision == Precision::float32 ? 0 : 2;
            const auto compare_next = [&](const Problem &problem) {
                test_case.problem = problem;
                test_case.config.solver.norm = number++ / 2 % 2 == 0 ? Norm::l2 : Norm::max;
                compare_case(test_case);
            };
            for (const auto &shape : small_shapes) {
                for (const Problem &problem : steady_problems(shape)) {
                    compare_next(problem);
                }
            }
            for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::microstructure}) {
                compare_next(random_problem(large_shape(), mixed_sides(2), coefficients, 7));
            }
        }
    }
};

TEST_P(ExecutionModels, JacobiHasTheSameBits) {
    compare_on_all_shapes([](Case test_case) {
        test_case.config.solver.method = SolverMethod::jacobi;
        compare(test_case);
    });
}

TEST_P(ExecutionModels, ConjugateGradientsHaveTheSameBits) {
    compare_on_all_shapes([](Case test_case) {
        for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi}) {
            test_case.config.solver.preconditioner = preconditioner;
            compare(test_case);
        }
    });
}

TEST_P(ExecutionModels, StabilisedBiconjugateGradientsHaveTheSameBits) {
    compare_on_all_shapes([](Case test_case) {
        test_case.config.solver.method = SolverMethod::bicgstab;
        test_case.problem = with_velocity(test_case.problem, Convection::central, 20.0, 3);
        compare(test_case);
    });
}

TEST_P(ExecutionModels, ChebyshevHasTheSameBits) {
    compare_on_all_shapes([](Case test_case) {
        test_case.config.solver.method = SolverMethod::chebyshev;
        compare(test_case);
    });
}

TEST_P(ExecutionModels, HeatHasTheSameBits) {
    compare_on_all_shapes([](Case test_case) {
        test_case.problem = as_heat(test_case.problem);
        test_case.config.time = some_steps(test_case.problem, 25.0);
        compare(test_case);
    });
}

// The figures that the report gives are those of the models: one launch a run, one launch a phase.
TEST_P(ExecutionModels, CountLaunchesAndBarriers) {
    Case test_case;
    test_case.problem = random_problem({13, 17}, mixed_sides(2), Coefficients::variable, 1);
    test_case.config.solver.method = SolverMethod::jacobi;
    test_case.config.solver.rtol = 1.0e-30;
    test_case.config.solver.max_iterations = 40;
    test_case.config.solver.check_every = 8;
    for (const std::unique_ptr<Device> &device : devices()) {
        test_case.config.execution.model = ExecutionModel::persistent;
        const Solution at_once = run(test_case, *device);
        EXPECT_EQ(at_once.report.iterations, 40);
        if (prepare(test_case, *device).plan.bounded) {
            EXPECT_EQ(at_once.report.barriers + at_once.report.launches, 41);
        } else {
            EXPECT_EQ(at_once.report.launches, 1);
            EXPECT_EQ(at_once.report.barriers, 40);
        }
        for (const ExecutionModel model : multi_launch_models(*device)) {
            test_case.config.execution.model = model;
            const Report report = run(test_case, *device).report;
            EXPECT_EQ(report.barriers, 0);
            const bool loop = model == ExecutionModel::graph_while;
            EXPECT_EQ(report.launches, loop ? 64 : 48) << "41 phases, looked at every 8, by a loop every 32";
            EXPECT_EQ(report.graph_launches, model == ExecutionModel::graph ? 6 : loop ? 1 : 0);
        }
    }
}

TEST_P(ExecutionModels, EndAtTheSameCellThatIsNotFinite) {
    for (const SolverMethod method :
         {SolverMethod::jacobi, SolverMethod::cg, SolverMethod::bicgstab, SolverMethod::chebyshev}) {
        Case test_case;
        test_case.problem = random_problem({13, 17}, mixed_sides(2), Coefficients::variable, 2);
        test_case.problem.only_field().f.values[37] = std::numeric_limits<double>::quiet_NaN();
        test_case.problem.only_field().f.values[52] = std::numeric_limits<double>::infinity();
        test_case.config.solver.method = method;
        for (const std::unique_ptr<Device> &device : devices()) {
            for (const ExecutionModel model : multi_launch_models(*device)) {
                test_case.config.execution.model = model;
                const Report report = run(test_case, *device).report;
                EXPECT_EQ(report.stop, StopReason::not_finite) << describe_case(test_case);
                EXPECT_EQ(report.bad_cell, 37) << describe_case(test_case);
            }
        }
    }
}

// A look every phase, and more phases between two looks than a graph has nodes or a run has phases.
TEST_P(ExecutionModels, LookAtTheStateAsOftenAsTheCaseSays) {
    for (const std::int64_t check_every : {1, 3, 300, 5000}) {
        for (const SolverMethod method :
             {SolverMethod::jacobi, SolverMethod::cg, SolverMethod::bicgstab, SolverMethod::chebyshev}) {
            Case test_case;
            test_case.problem = random_problem({31, 29}, mixed_sides(2), Coefficients::variable, 4);
            test_case.config.solver.method = method;
            test_case.config.solver.rtol = 1.0e-6;
            test_case.config.solver.max_iterations = 700;
            test_case.config.solver.check_every = check_every;
            compare(test_case);
        }
    }
}

// Groups that start when others of their launch have ended.
TEST_P(ExecutionModels, GroupsMayBeMoreThanRunAtOnce) {
    for (const bool heat : {false, true}) {
        Case test_case;
        test_case.problem = random_problem(large_shape(), mixed_sides(2), Coefficients::variable, 5);
        test_case.config.solver.max_iterations = 40;
        if (heat) {
            test_case.problem = as_heat(test_case.problem);
            test_case.config.time = some_steps(test_case.problem, 25.0);
        }
        for (const std::unique_ptr<Device> &device : devices()) {
            if (!device->description().groups_queue) {
                continue;
            }
            test_case.config.execution.model = ExecutionModel::persistent;
            test_case.config.execution.groups = 0;
            const Solution at_once = run(test_case, *device);
            const LaunchPlan plan = prepare(test_case, *device).plan;
            test_case.config.execution.groups = static_cast<int>(plan.chunks);
            for (const ExecutionModel model : multi_launch_models(*device)) {
                test_case.config.execution.model = model;
                ASSERT_TRUE(same_bits(run(test_case, *device), at_once)) << describe_case(test_case);
            }
        }
    }
}

PERDURE_ON_EACH_BACK_END(ExecutionModels);

}  // namespace
}  // namespace perdure::tests::execution_models_test
