// Labels whose conductivity is a full tensor, where the answer is known.
#include <cmath>
#include <numbers>

#include "tests/kernels/tensor_cases.hpp"

namespace perdure::tests::full_tensors_test {
namespace {

const Tensor first = first_tensor(), second = second_tensor();

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
            const Tensor found = effective_tensor(test_case, *device);
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
                const Tensor found = effective_tensor(test_case, *device);
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
            errors.push_back((effective_tensor(test_case, *device) - within(expected, 2)).norm() /
                             expected.norm());
        }
        EXPECT_LT(errors[0], 0.1);
        EXPECT_LT(errors[1], 0.6 * errors[0]) << "of first order: a part of the cells are steps of voxels";
        EXPECT_LT(errors[2], 0.6 * errors[1]);
    }
}

/// A crystal whose axes turn along x + y, by a phase from 0 to 2 pi.
Tensor turning_crystal(double phase) {
    return turned(symmetric(4.0 + 1.5 * std::sin(phase), 1.0, 1.0, 0.0, 0.0, 0.0),
                  0.4 + 0.8 * std::cos(phase));
}

TEST_P(FullTensors, SmoothTensorsAreOfOrderTwo) {
    constexpr double full_turn = 2.0 * std::numbers::pi;
    std::vector<Tensor> thin_layers;  // across x in their own frame
    for (int k = 0; k < 4096; ++k) {
        thin_layers.push_back(turned(turning_crystal(full_turn * k / 4096.0), -0.25 * std::numbers::pi));
    }
    const Tensor expected = within(
        turned(laminate(thin_layers, std::vector<double>(4096, 1.0 / 4096.0), 0), 0.25 * std::numbers::pi),
        2);
    for (const auto &device : devices()) {
        std::vector<double> errors;
        for (const std::int64_t n : {16, 32, 64}) {
            std::vector<Tensor> tensors;
            for (std::int64_t k = 0; k < n; ++k) {
                tensors.push_back(
                    turning_crystal(full_turn * static_cast<double>(k) / static_cast<double>(n)));
            }
            const Case test_case = tensor_case(
                {n, n, 1}, tensors,
                image_of({n, n, 1}, [n](auto x, auto y, auto) { return static_cast<int>((x + y + 1) % n); }),
                ImageSides::periodic_cell);
            errors.push_back((effective_tensor(test_case, *device) - expected).norm());
        }
        EXPECT_LT(errors[0], 0.05);
        EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.2);
        EXPECT_NEAR(errors[1] / errors[2], 4.0, 0.1);
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
        const Tensor found = effective_tensor(test_case, *device);
        const Tensor elsewhere = effective_tensor(other, *device);
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
        const Tensor entries = effective_tensor(test_case, *device);
        EXPECT_LT((entries - entries.transpose()).norm(), 1.0e-9);
        const auto least = [](const Tensor &difference) {
            return Eigen::SelfAdjointEigenSolver<Tensor>(difference).eigenvalues()[0];
        };
        EXPECT_GT(least(mean - entries), 1.0e-3);
        EXPECT_GT(least(entries - resistivity.inverse()), 1.0e-3);
    }
}

PERDURE_ON_EACH_BACK_END(FullTensors);

}  // namespace
}  // namespace perdure::tests::full_tensors_test
