// Labels whose conductivity is a full tensor: exact where the answer is known, against Eigen elsewhere.
#include <cmath>
#include <functional>
#include <numbers>

#include <Eigen/Dense>

#include "solver/output/conductivity_tensor.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/problem/sample_values.hpp"
#include "solver/reference/reference.hpp"
#include "solver/run/execution_models.hpp"
#include "tests/kernels/image_cases.hpp"

namespace perdure::tests::full_tensors_test {
namespace {

using Cells = std::array<std::int64_t, 3>;
using Tensor = Eigen::Matrix3d;

Tensor symmetric(double x, double y, double z, double xy, double xz, double yz) {
    Tensor tensor;
    tensor << x, xy, xz, xy, y, yz, xz, yz, z;
    return tensor;
}

const Tensor first = symmetric(8.0, 2.0, 1.0, 1.5, -0.7, 0.3),
             second = symmetric(1.0, 3.0, 2.0, -0.8, 0.2, 1.1);

Tensor turned(const Tensor &tensor, double angle) {
    const Tensor turn = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    return turn * tensor * turn.transpose();
}

std::vector<std::uint8_t> image_of(
    const Cells &cells, const std::function<int(std::int64_t, std::int64_t, std::int64_t)> &material) {
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t i = 0; i < cells[0] * cells[1] * cells[2]; ++i) {
        of_cell.push_back(static_cast<std::uint8_t>(
            material(i % cells[0], i / cells[0] % cells[1], i / (cells[0] * cells[1]))));
    }
    return of_cell;
}

/// Materials with these tensors, and behind them one that does not conduct.
Case tensor_case(const Cells &cells, const std::vector<Tensor> &tensors, std::vector<std::uint8_t> of_cell,
                 ImageSides sides) {
    std::vector<double> means;
    const int dimensions = cells[2] > 1 ? 3 : 2;
    for (const Tensor &tensor : tensors) {
        means.push_back(tensor.topLeftCorner(dimensions, dimensions).trace() / dimensions);
    }
    means.push_back(0.0);
    Case test_case = sides == ImageSides::periodic_cell
                         ? periodic_cell(cells, means, std::move(of_cell))
                         : image_case(cells, means, std::move(of_cell), sides == ImageSides::periodic);
    Field &field = test_case.problem.only_field();
    field.varies_by_axis = true;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor &t = tensors[i];
        field.image.materials[i].by_axis = {t(0, 0), t(1, 1), t(2, 2)};
        field.image.materials[i].cross = {t(0, 1), t(0, 2), t(1, 2)};
        test_case.config.a.labels_cross[field.image.materials[i].label] = *field.image.materials[i].cross;
    }
    return test_case;
}

ConductivityTensor whole_tensor(const Case &test_case, Device &device) {
    const EffectiveTensor found = *solve(test_case, device).report.tensor;
    EXPECT_FALSE(found.bounds_violated);
    EXPECT_FALSE(found.fluxes_differ);
    const std::optional<ConductivityTensor> tensor = conductivity_tensor(found);
    EXPECT_TRUE(tensor) << to_text(found);
    return tensor.value_or(ConductivityTensor{});
}

Tensor entries_of(const ConductivityTensor &found) {
    Tensor tensor = Tensor::Zero();
    for (int i = 0; i < found.dimensions; ++i) {
        for (int k = 0; k < found.dimensions; ++k) {
            tensor(i, k) = found.entries[i][k];
        }
    }
    return tensor;
}

Tensor within(const Tensor &tensor, int dimensions) {
    Tensor part = Tensor::Zero();
    part.topLeftCorner(dimensions, dimensions) = tensor.topLeftCorner(dimensions, dimensions);
    return part;
}

/// Of layers across an axis, of these fractions: the flux across them and the gradient along them are the same in all (G. W. Milton, The
/// Theory of Composites, 2002, section 9.2).
Tensor laminate(const std::vector<Tensor> &tensors, const std::vector<double> &fractions, int n) {
    double resistivity = 0.0;
    Eigen::RowVector3d ratio = Eigen::RowVector3d::Zero();
    Tensor rest = Tensor::Zero();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor &t = tensors[i];
        resistivity += fractions[i] / t(n, n);
        ratio += fractions[i] * t.row(n) / t(n, n);
        rest += fractions[i] * (t - t.col(n) * t.row(n) / t(n, n));
    }
    return rest + ratio.transpose() * ratio / resistivity;
}

class FullTensors : public OnEachBackEnd {};

TEST_P(FullTensors, AUniformMediumHasItsOwn) {
    for (const auto &device : devices()) {
        for (const Cells &cells : {Cells{9, 6, 1}, Cells{1, 4, 1}, Cells{7, 5, 6}, Cells{4, 1, 3}}) {
            const int dimensions = cells[2] > 1 ? 3 : 2;
            const Case test_case =
                tensor_case(cells, {first}, image_of(cells, [](auto, auto, auto) { return 0; }),
                            ImageSides::periodic_cell);
            const Tensor found = entries_of(whole_tensor(test_case, *device));
            EXPECT_LT((found - within(first, dimensions)).norm(), 1.0e-10) << found;
        }
    }
}

TEST_P(FullTensors, LayersAcrossEachAxisAreExact) {
    for (const auto &device : devices()) {
        for (const Cells &cells : {Cells{6, 9, 1}, Cells{6, 3, 9}}) {
            const int dimensions = cells[2] > 1 ? 3 : 2;
            for (int axis = 0; axis < dimensions; ++axis) {
                const Case test_case =
                    tensor_case(cells, {first, second},
                                image_of(cells,
                                         [&](auto x, auto y, auto z) {
                                             return std::array{x, y, z}[axis] % 3 == 1 ? 0 : 1;
                                         }),
                                ImageSides::periodic_cell);
                const Tensor expected = laminate({within(first, dimensions), within(second, dimensions)},
                                                 {1.0 / 3.0, 2.0 / 3.0}, axis);
                const Tensor found = entries_of(whole_tensor(test_case, *device));
                EXPECT_LT((found - expected).norm(), 1.0e-9) << "axis " << axis << '\n'
                                                             << found << "\n\n"
                                                             << expected;
            }
        }
    }
}

TEST_P(FullTensors, SlantedLayersConvergeToTheLaminate) {
    const Tensor diagonal[2] = {symmetric(6.0, 2.0, 1.0, 1.0, 0.0, 0.0),
                                symmetric(1.0, 1.5, 1.0, -0.4, 0.0, 0.0)};
    const Tensor expected =
        turned(laminate({diagonal[0], diagonal[1]}, {0.5, 0.5}, 0), 0.25 * std::numbers::pi);
    const std::vector<Tensor> tensors{turned(diagonal[0], 0.25 * std::numbers::pi),
                                      turned(diagonal[1], 0.25 * std::numbers::pi)};
    for (const auto &device : devices()) {
        std::vector<double> errors;
        for (const std::int64_t thickness : {2, 4, 8}) {
            const Cells cells{2 * thickness, 2 * thickness, 1};
            const Case test_case = tensor_case(
                cells, tensors,
                image_of(cells,
                         [=](auto x, auto y, auto) { return static_cast<int>((x + y) / thickness % 2); }),
                ImageSides::periodic_cell);
            errors.push_back((entries_of(whole_tensor(test_case, *device)) - within(expected, 2)).norm() /
                             expected.norm());
        }
        EXPECT_LT(errors[0], 0.1);
        EXPECT_LT(errors[1], 0.6 * errors[0]) << "of first order: a part of the cells are steps of voxels";
        EXPECT_LT(errors[2], 0.6 * errors[1]);
    }
}

TEST_P(FullTensors, AQuarterTurnOfTheImageTurnsTheTensor) {
    const Cells cells{12, 9, 1}, turned_cells{9, 12, 1};
    const auto image = random_image(12 * 9, 30, 4);
    const auto turned_image = image_of(turned_cells, [&](std::int64_t x, std::int64_t y, std::int64_t) {
        return image[static_cast<std::size_t>(y + 12 * (8 - x))];
    });
    const double angle = 0.5 * std::numbers::pi;
    const Case test_case = tensor_case(cells, {first, second}, image, ImageSides::periodic_cell);
    const Case other = tensor_case(turned_cells, {turned(first, angle), turned(second, angle)}, turned_image,
                                   ImageSides::periodic_cell);
    for (const auto &device : devices()) {
        const Tensor found = entries_of(whole_tensor(test_case, *device));
        const Tensor elsewhere = entries_of(whole_tensor(other, *device));
        EXPECT_GT(std::abs(found(0, 1)), 0.01);
        EXPECT_LT((turned(found, angle) - elsewhere).norm(), 1.0e-8) << found << "\n\n" << elsewhere;
    }
}

TEST_P(FullTensors, LieBetweenTheBoundsOfVoigtAndReuss) {
    const Cells cells{10, 8, 6};
    auto image = random_image(10 * 8 * 6, 30, 9);
    const Tensor third = symmetric(0.5, 0.1, 0.3, 0.1, -0.2, 0.0);
    const Case test_case = tensor_case(cells, {first, second, third}, image, ImageSides::periodic_cell);
    Tensor mean = Tensor::Zero(), resistivity = Tensor::Zero();
    for (const std::uint8_t material : image) {
        const Tensor &tensor = material == 0 ? first : material == 1 ? second : third;
        mean += tensor / static_cast<double>(image.size());
        resistivity += tensor.inverse() / static_cast<double>(image.size());
    }
    for (const auto &device : devices()) {
        const ConductivityTensor found = whole_tensor(test_case, *device);
        EXPECT_LT(found.asymmetry, 1.0e-9);
        const Tensor entries = entries_of(found);
        const auto least = [](const Tensor &difference) {
            return Eigen::SelfAdjointEigenSolver<Tensor>(difference).eigenvalues()[0];
        };
        EXPECT_GT(least(mean - entries), 1.0e-3);
        EXPECT_GT(least(entries - resistivity.inverse()), 1.0e-3);
    }
}

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

TEST_P(FullTensors, RandomImagesAgreeWithTheReference) {
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

TEST_P(FullTensors, HaveTheSameBitsHoweverTheyAreLaunched) {
    for (const Cells &cells : {Cells{53, 38, 1}, Cells{15, 12, 9}}) {
        Case test_case =
            tensor_case(cells, {first, second}, random_image(cells[0] * cells[1] * cells[2], 25, 5),
                        ImageSides::periodic);
        test_case.config.output.fields = std::vector<std::string>{"u"};
        const Solution on_host = solve(test_case, host_device());
        for (const auto &device : devices()) {
            for (const ExecutionModel model : execution_models) {
                if (model == ExecutionModel::resident || !model_missing(*device, model).empty()) {
                    continue;
                }
                test_case.config.execution.model = model;
                for (const int groups : {1, 2}) {
                    test_case.config.execution.groups = groups;
                    EXPECT_TRUE(same_bits(solve(test_case, *device), on_host))
                        << device->description().name << ", " << name(model) << ", " << groups << " groups";
                }
            }
        }
        test_case.config.execution = {};
    }
}

TEST_P(FullTensors, EachPrecisionFindsTheTensor) {
    Case test_case = tensor_case({16, 12, 10}, {first, second}, random_image(16 * 12 * 10, 25, 8),
                                 ImageSides::periodic_cell);
    for (const auto &device : devices()) {
        test_case.config.execution.precision = Precision::float64;
        test_case.config.solver.rtol = 1.0e-11;
        const Tensor expected = entries_of(whole_tensor(test_case, *device));
        test_case.config.execution.precision = Precision::mixed;
        EXPECT_LT((entries_of(whole_tensor(test_case, *device)) - expected).norm(), 1.0e-8);
        test_case.config.execution.precision = Precision::float32;
        test_case.config.solver.rtol = 1.0e-4;
        EXPECT_LT((entries_of(whole_tensor(test_case, *device)) - expected).norm(), 1.0e-3);
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

PERDURE_ON_EACH_BACK_END(FullTensors);

}  // namespace
}  // namespace perdure::tests::full_tensors_test
