// Labels whose conductivity is a full tensor: against Eigen, and however they are launched.
#include <cmath>

#include "solver/output/effective_properties.hpp"
#include "solver/reference/reference.hpp"
#include "solver/run/tensor_vertices.hpp"
#include "tests/kernels/tensor_cases.hpp"

namespace perdure::tests::full_tensor_runs_test {
namespace {

const Tensor first = first_tensor(), second = second_tensor();

class FullTensorRuns : public OnEachBackEnd {};

/// The whole field, coefficients, fluxes and mean fluxes.
void compare_with_reference(const Case &test_case, Device &device) {
    const Solution solution = solve(test_case, device);
    const int dimensions = test_case.problem.grid.dimensions;
    for (int axis = 0; axis < dimensions; ++axis) {
        const EffectiveDirection &found = solution.report.tensor->directions[axis];
        ASSERT_TRUE(found.percolates);
        EXPECT_LE(found.iterations, 60);
        const Problem problem = problem_along(test_case, axis);
        const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
        const auto expected =
            effective_properties(problem.grid, problem.only_field(), FieldValues(answer.values));
        EXPECT_NEAR(found.coefficient / expected->coefficient, 1.0, 1.0e-8) << "axis " << axis;
        EXPECT_NEAR(found.inflow / expected->inflow, 1.0, 1.0e-6);
        const double length = problem.grid.spacing[axis] * static_cast<double>(problem.grid.cells[axis]);
        EXPECT_NEAR(found.inflow, found.coefficient / length, 1.0e-6) << "the energy is that of the flow";
        EXPECT_LT(found.plane_spread, 1.0e-6);
        const FieldResult &u = solution.fields[2 * axis], &flux = solution.fields[2 * axis + 1];
        std::array<double, 3> mean{};
        for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
            const double there = value_at(u.values, i);
            ASSERT_EQ(std::isnan(there), std::isnan(answer.values[i]));
            EXPECT_TRUE(std::isnan(there) || std::abs(there - answer.values[i]) < 1.0e-7) << i;
            for (int along = 0; along < 3 && !std::isnan(there); ++along) {
                mean[along] +=
                    value_at(flux.values, 3 * i + along) / static_cast<double>(problem.grid.count());
            }
        }
        for (int along = 0; along < dimensions; ++along) {
            EXPECT_NEAR(found.mean_flux[along], mean[along] * length, 1.0e-6)
                << "along " << along << " for axis " << axis;
        }
    }
}

TEST_P(FullTensorRuns, RandomImagesAgreeWithTheReference) {
    for (const auto &device : devices()) {
        for (const ImageSides sides :
             {ImageSides::insulated, ImageSides::periodic, ImageSides::periodic_cell}) {
            for (const Cells &cells : {Cells{21, 14, 1}, Cells{11, 8, 7}}) {
                Case test_case = tensor_case(cells, {first, 0.1 * second},
                                             random_image(cells[0] * cells[1] * cells[2], 25, 5), sides);
                test_case.problem.grid.spacing = {1.0, 1.5, 0.75};
                test_case.config.output.fields = {"u", "flux"};
                SCOPED_TRACE(describe_case(test_case));
                compare_with_reference(test_case, *device);
            }
        }
    }
}

TEST_P(FullTensorRuns, HaveTheSameBitsHoweverTheyAreLaunched) {
    for (const Cells &cells : {Cells{33, 26, 1}, Cells{9, 8, 7}}) {
        Case test_case =
            tensor_case(cells, {first, second}, random_image(cells[0] * cells[1] * cells[2], 25, 5),
                        ImageSides::periodic);
        test_case.config.output.fields = std::vector<std::string>{"u"};
        const Solution on_host = solve(test_case, host_device());
        for (const auto &device : devices()) {
            for (const ExecutionModel model : models_of_phases(*device)) {
                test_case.config.execution.model = model;
                for (const int groups : {1, 2}) {
                    test_case.config.execution.groups = groups;
                    EXPECT_TRUE(same_bits(solve(test_case, *device), on_host))
                        << device->description().name << ", " << name(model) << ", " << groups << " groups";
                }
            }
        }
    }
}

TEST_P(FullTensorRuns, EachPrecisionFindsTheTensor) {
    Case test_case = tensor_case({16, 12, 10}, {first, second}, random_image(16 * 12 * 10, 25, 8),
                                 ImageSides::periodic_cell);
    for (const auto &device : devices()) {
        test_case.config.execution.precision = Precision::float64;
        test_case.config.solver.rtol = 1.0e-11;
        const Tensor expected = effective_tensor(test_case, *device);
        test_case.config.execution.precision = Precision::mixed;
        EXPECT_LT((effective_tensor(test_case, *device) - expected).norm(), 1.0e-8);
        test_case.config.execution.precision = Precision::float32;
        test_case.config.solver.rtol = 1.0e-4;
        EXPECT_LT((effective_tensor(test_case, *device) - expected).norm(), 1.0e-3);
    }
}

/// The matrix of a vertex is that of a minimum: symmetric, 0 for equal values, and no less than 0.
TEST(TensorVertices, HaveSymmetricPositiveEquations) {
    const Case test_case =
        tensor_case({5, 4, 3}, {first, second}, random_image(5 * 4 * 3, 30, 2), ImageSides::periodic);
    const Problem problem = problem_along(test_case, 1);
    const TensorVertices vertices(problem.grid, problem.only_field());
    int with_side = 0;
    for (std::int64_t z = 0; z <= 3; ++z) {
        for (std::int64_t y = 0; y <= 4; ++y) {
            for (std::int64_t x = 0; x <= 5; ++x) {
                const TensorVertex vertex = vertices.at({x, y, z});
                with_side += vertex.held != 0 ? 1 : 0;
                const VertexEquations equations = vertices.equations(vertex);
                Eigen::Matrix<double, 8, 8> matrix;
                for (int i = 0; i < 8; ++i) {
                    double sum = equations.matrix[i][8];
                    for (int j = 0; j < 8; ++j) {
                        matrix(i, j) = equations.matrix[i][j];
                        sum += matrix(i, j);
                    }
                    EXPECT_NEAR(sum, 0.0, 1.0e-13);
                }
                EXPECT_LT((matrix - matrix.transpose()).norm(), 1.0e-13);
                EXPECT_GT(
                    (Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 8, 8>>(matrix).eigenvalues()[0]),
                    -1.0e-13);
            }
        }
    }
    EXPECT_EQ(with_side, 2 * 6 * 4);
}

PERDURE_ON_EACH_BACK_END(FullTensorRuns);

}  // namespace
}  // namespace perdure::tests::full_tensor_runs_test
