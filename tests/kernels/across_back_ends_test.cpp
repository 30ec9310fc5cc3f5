// In float64 and in mixed precision every other back end gives the bits that host threads give.
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::across_back_ends_test {
namespace {

const std::vector<std::vector<std::int64_t>> shapes{{1, 7}, {13, 17}, {9, 10, 11}, {61, 57}};

class AcrossBackEnds : public OnEachBackEnd {
  protected:
    static void compare_with_host(const Case &test_case) {
        const std::vector<Solution> expected = run_snapshots(test_case, host_device());
        for (const std::unique_ptr<Device> &device : devices()) {
            const std::vector<Solution> found = run_snapshots(test_case, *device);
            ASSERT_EQ(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                ASSERT_TRUE(same_bits(found[i], expected[i]))
                    << device->description().name << ": " << describe_case(test_case);
            }
        }
    }

    static std::vector<Case> steady_cases() {
        std::vector<Case> cases;
        for (const auto &shape : shapes) {
            for (const Problem &problem : steady_problems(shape)) {
                cases.push_back({{}, problem});
                cases.back().config.solver.norm = cases.size() / 2 % 2 == 0 ? Norm::l2 : Norm::max;
                cases.back().config.solver.max_iterations = 80;
            }
        }
        return cases;
    }

    static void compare_multigrid_with_host(Precision precision) {
        for (Case &test_case : steady_cases()) {
            test_case.config.solver.preconditioner = Preconditioner::multigrid;
            test_case.config.solver.multigrid.direct_level =
                MultigridConfig::none;  // rounded in each one's own way
            test_case.config.solver.check_every = 1;
            test_case.config.execution.precision = precision;
            compare_with_host(test_case);
        }
    }
};

TEST_P(AcrossBackEnds, JacobiIsBitIdenticalToTheHost) {
    for (Case &test_case : steady_cases()) {
        test_case.config.solver.method = SolverMethod::jacobi;
        compare_with_host(test_case);
    }
}

TEST_P(AcrossBackEnds, ConjugateGradientsAreBitIdenticalToTheHost) {
    for (Case &test_case : steady_cases()) {
        for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi}) {
            test_case.config.solver.preconditioner = preconditioner;
            compare_with_host(test_case);
        }
    }
}

TEST_P(AcrossBackEnds, MultigridIsBitIdenticalToTheHost) {
    compare_multigrid_with_host(Precision::float64);
}

TEST_P(AcrossBackEnds, MultigridInMixedPrecisionIsBitIdenticalToTheHost) {
    compare_multigrid_with_host(Precision::mixed);
}

TEST_P(AcrossBackEnds, StabilisedBiconjugateGradientsAreBitIdenticalToTheHost) {
    for (Case &test_case : steady_cases()) {
        test_case.config.solver.method = SolverMethod::bicgstab;
        compare_with_host(test_case);
        test_case.problem = with_velocity(test_case.problem, Convection::central, 20.0, 3);
        compare_with_host(test_case);
    }
}

TEST_P(AcrossBackEnds, ChebyshevIsBitIdenticalToTheHost) {
    for (Case &test_case : steady_cases()) {
        test_case.config.solver.method = SolverMethod::chebyshev;
        compare_with_host(test_case);
    }
}

TEST_P(AcrossBackEnds, JacobiUpwindIsBitIdenticalToTheHost) {
    for (Case &test_case : steady_cases()) {
        test_case.config.solver.method = SolverMethod::jacobi;
        test_case.problem = with_velocity(test_case.problem, Convection::upwind, 20.0, 4);
        compare_with_host(test_case);
    }
}

TEST_P(AcrossBackEnds, HeatIsBitIdenticalToTheHost) {
    for (const auto &shape : shapes) {
        for (const Problem &problem : steady_problems(shape)) {
            Case test_case{{}, as_heat(problem)};
            test_case.config.time = some_steps(test_case.problem, 30.0);
            compare_with_host(test_case);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(BackEnds, AcrossBackEnds,
                         testing::Values(BackendChoice::opencl, BackendChoice::cuda), back_end_name);

}  // namespace
}  // namespace perdure::tests::across_back_ends_test
