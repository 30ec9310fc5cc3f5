// Modes along an axis against the matrix that they are the eigenvectors of.
#include "solver/run/modes.hpp"

#include <Eigen/Dense>
#include <random>

#include <gtest/gtest.h>

#include "kernels/common.h"

namespace perdure::modes_test {
namespace {

#define PERDURE_PROGRAM "kernels/multigrid/steps.h"
#include "solver/backends/both_precisions.inc"

Eigen::MatrixXd vectors_of(const Modes &modes) {
    const auto n = static_cast<std::uint32_t>(modes.waves.size());
    Eigen::MatrixXd vectors(n, n);
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t k = 0; k < n; ++k) {
            vectors(i, k) = float64::mode_at(&modes.waves[k], i, n);
        }
    }
    return vectors;
}

Eigen::MatrixXd matrix_of(const AxisOperator &axis) {
    const Eigen::Index n = axis.cells;
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i + 1 < n + (axis.periodic ? 1 : 0); ++i) {
        const Eigen::Index next = (i + 1) % n;
        matrix(i, i) += axis.face;
        matrix(next, next) += axis.face;
        matrix(i, next) -= axis.face;
        matrix(next, i) -= axis.face;
    }
    matrix(0, 0) += axis.lower;
    matrix(n - 1, n - 1) += axis.upper;
    return matrix;
}

/// Whether the modes are an orthonormal basis of eigenvectors, to `rounding` of a face's conductance.
void expect_modes(const AxisOperator &axis, double rounding) {
    SCOPED_TRACE(testing::Message() << axis.cells << " cells, periodic " << axis.periodic << ", sides "
                                    << axis.lower / axis.face << " and " << axis.upper / axis.face);
    const Modes modes = modes_of(axis);
    const Eigen::Index n = axis.cells;
    const Eigen::MatrixXd vectors = vectors_of(modes);
    const Eigen::Map<const Eigen::VectorXd> values(modes.values.data(), n);
    const Eigen::MatrixXd matrix = matrix_of(axis);
    EXPECT_LT((matrix * vectors - vectors * values.asDiagonal()).cwiseAbs().maxCoeff(), rounding * axis.face);
    EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(),
              rounding);
}

/// Nothing, a value half a cell away, or anything between.
double random_side(std::mt19937_64 &random, double face) {
    const auto kind = random() % 3;
    return kind == 0   ? 0.0
           : kind == 1 ? 2.0 * face
                       : std::uniform_real_distribution<double>(0.0, 2.0 * face)(random);
}

TEST(Modes, AreEigenvectorsForEverySide) {
    std::mt19937_64 random(1);
    for (int k = 0; k < 300; ++k) {
        AxisOperator axis{static_cast<std::uint32_t>(1 + random() % 60), random() % 4 == 0,
                          std::uniform_real_distribution<double>(1.0e-3, 1.0e3)(random), 0.0, 0.0};
        if (!axis.periodic) {
            axis.lower = random_side(random, axis.face);
            axis.upper = random_side(random, axis.face);
        } else if (axis.cells == 1) {
            continue;  // a cell that is its own neighbour: 0, as below
        }
        expect_modes(axis, 3.0e-14);
    }
}

TEST(Modes, OfManyCellsToo) {
    for (const auto &[lower, upper] :
         {std::pair{2.0, 2.0}, {0.0, 0.0}, {2.0, 0.0}, {1.0e-12, 0.3}, {1.999, 2.0}}) {
        expect_modes({500, false, 1.0, lower, upper}, 5.0e-13);
    }
    expect_modes({500, true, 1.0, 0.0, 0.0}, 5.0e-13);
    expect_modes({499, true, 1.0, 0.0, 0.0}, 5.0e-13);
}

/// The constant, which nothing fixes, has value 0 and not a rounding's worth of it.
TEST(Modes, OfNothingFixedBeginWithZero) {
    for (const std::uint32_t n : {1U, 2U, 3U, 64U, 501U}) {
        EXPECT_EQ(modes_of({n, true, 0.7, 0.0, 0.0}).values[0], 0.0);
        EXPECT_EQ(modes_of({n, false, 0.7, 0.0, 0.0}).values[0], 0.0);
    }
    EXPECT_EQ(modes_of({1, false, 0.7, 0.25, 0.5}).values[0], 0.75);
}

}  // namespace
}  // namespace perdure::modes_test
