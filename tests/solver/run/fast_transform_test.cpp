// Fast transforms of lines against the matrix that their modes are the eigenvectors of.
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/common.h"
#include "solver/run/fast_transform_tables.hpp"
#include "solver/run/modes.hpp"
#include "solver/run/multigrid_levels.hpp"
#include "solver/run/multigrid_tables.hpp"

namespace perdure::fast_transform_test {
namespace {

#define PERDURE_PROGRAM "kernels/multigrid/steps.h"
#include "solver/backends/both_precisions.inc"

constexpr std::array kinds{LINES_NO_FLUX, LINES_VALUES, LINES_NO_FLUX_THEN_VALUE, LINES_VALUE_THEN_NO_FLUX,
                           LINES_PERIODIC};

Eigen::MatrixXd matrix_of(std::uint32_t kind, Eigen::Index n) {
    Eigen::MatrixXd matrix = 2.0 * Eigen::MatrixXd::Identity(n, n);
    const bool value_below = kind == LINES_VALUES || kind == LINES_VALUE_THEN_NO_FLUX;
    const bool value_above = kind == LINES_VALUES || kind == LINES_NO_FLUX_THEN_VALUE;
    for (Eigen::Index i = 0; i + 1 < n; ++i) {
        matrix(i, i + 1) = matrix(i + 1, i) = -1.0;
    }
    if (kind == LINES_PERIODIC) {
        matrix(0, n - 1) -= 1.0;
        matrix(n - 1, 0) -= 1.0;
    } else {
        matrix(0, 0) += value_below ? 1.0 : -1.0;
        matrix(n - 1, n - 1) += value_above ? 1.0 : -1.0;
    }
    return matrix;
}

/// Lines of n cells of a level of n x n, transformed along one axis by the text of the kernels.
class Lines {
  public:
    Lines(std::uint32_t kind, std::uint32_t n, std::uint32_t axis, std::int64_t line_values)
        : n_(n), axis_(axis), values_(static_cast<std::size_t>(line_values)) {
        FinestLevel finest;
        finest.cells = {n, n, 1};
        finest.uniform = true;
        finest.gpu = false;
        finest.direct_level = 0;
        finest.line_values = line_values;
        finest.lines = {kind, kind, LINES_OTHER};
        levels_ = make_levels(finest);
        arena_.resize(levels_.arena);
        tables_.resize(levels_.tables);
        places_.resize(levels_.places);
        fill_lines(lines(), tables_.data(), places_.data());
        const std::vector<double> angles = angles_of(lines());
        for (std::uint32_t mode = 0; mode < n; ++mode) {
            eigenvalues_.push_back(eigenvalue(1.0, angles[mode]));
            tables_[levels_.hierarchy.eigenvalues[axis] + mode] = eigenvalues_.back();
            tables_[levels_.hierarchy.eigenvalues[1 - axis] + mode] = 0.25;
        }
        self_.hierarchy = &levels_.hierarchy;
        self_.kept = kept_.get();
        self_.tables = tables_.data();
        self_.arena = arena_.data();
        self_.places = places_.data();
        self_.lines = values_.data();
        for (double **const field :
             {&self_.diagonal, &self_.inverse_diagonal, &self_.face_x, &self_.face_y, &self_.face_z}) {
            *field = operator_.data();
        }
    }

    [[nodiscard]] const lines_t &lines() const { return levels_.hierarchy.lines[axis_]; }
    [[nodiscard]] const std::vector<double> &eigenvalues() const { return eigenvalues_; }

    /// Each column a line.
    Eigen::MatrixXd transformed(const Eigen::MatrixXd &from, std::uint32_t way) {
        const std::uint64_t place = levels_.hierarchy.level[0].u[0];
        const Eigen::Index n = n_;
        Eigen::Map<Eigen::MatrixXd> field(arena_.data() + place, n, n);  // columns along x
        field = axis_ == 0 ? from : Eigen::MatrixXd(from.transpose());
        step_t step{};
        step.axis = axis_;
        step.way = way;
        const float64::level_t level = float64::level_at(&self_, 0);
        float64::lines_step(&self_, &level, &step, {0, 1});
        return axis_ == 0 ? Eigen::MatrixXd(field) : Eigen::MatrixXd(field.transpose());
    }

  private:
    std::uint32_t n_, axis_;
    std::vector<double> values_;
    MultigridLevels levels_;
    std::vector<double> arena_, tables_, eigenvalues_;
    std::vector<double> operator_ = std::vector<double>(PLACES);
    std::vector<std::uint32_t> places_;
    std::unique_ptr<float64::kept_t> kept_ = std::make_unique<float64::kept_t>();
    float64::multigrid_t self_{};
};

void expect_modes(std::uint32_t kind, std::uint32_t n, std::uint32_t axis, std::int64_t line_values) {
    SCOPED_TRACE(testing::Message() << n << " cells, kind " << kind << ", axis " << axis);
    Lines lines(kind, n, axis, line_values);
    ASSERT_EQ(lines.lines().kind, kind);
    const double rounding = 4.0e-15 * std::sqrt(n);
    const Eigen::Index size = n;
    const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(size, size);
    const Eigen::MatrixXd vectors = lines.transformed(unit, TO_MODES).transpose();
    const Eigen::MatrixXd matrix = matrix_of(kind, size);
    const Eigen::Map<const Eigen::VectorXd> values(lines.eigenvalues().data(), size);
    EXPECT_LT((vectors.transpose() * vectors - unit).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LT((matrix * vectors - vectors * values.asDiagonal()).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LT((lines.transformed(unit, FROM_MODES) - vectors).cwiseAbs().maxCoeff(), rounding);
    if (axis == 1) {
        const Eigen::MatrixXd solved = lines.transformed(unit, THERE_AND_BACK);
        const Eigen::MatrixXd shifted = matrix + 0.25 * unit;
        EXPECT_LT((shifted * solved - unit).cwiseAbs().maxCoeff(), 4.0 * rounding);
    }
}

TEST(FastTransform, FindsTheModesOfEveryLength) {
    for (const std::uint32_t kind : kinds) {
        for (const std::uint32_t axis : {0U, 1U}) {
            for (const std::uint32_t n : {4U, 8U, 12U, 16U, 20U, 24U, 32U, 36U, 40U, 60U, 64U, 72U, 100U,
                                          128U, 180U, 256U, 360U, 480U}) {
                expect_modes(kind, n, axis, 16384);
            }
        }
    }
}

/// One line at a time, and several of which the last block has fewer.
TEST(FastTransform, IsTheSameForAnyMemory) {
    for (const std::int64_t values : {std::int64_t{60}, std::int64_t{500}, std::int64_t{5000}}) {
        expect_modes(LINES_VALUES, 60, 0, values);
        expect_modes(LINES_PERIODIC, 60, 1, values);
        expect_modes(LINES_NO_FLUX_THEN_VALUE, 60, 1, values);
    }
}

TEST(FastTransform, IsThereForLinesThatFitAndFactor) {
    EXPECT_TRUE(has_fast_transform(LINES_VALUES, 2048, 10368));
    EXPECT_TRUE(has_fast_transform(LINES_PERIODIC, 1500, 10368));
    EXPECT_FALSE(has_fast_transform(LINES_OTHER, 2048, 10368));
    EXPECT_FALSE(has_fast_transform(LINES_VALUES, 16384, 10368)) << "too long";
    EXPECT_FALSE(has_fast_transform(LINES_VALUES, 2046, 10368)) << "odd half";
    EXPECT_FALSE(has_fast_transform(LINES_VALUES, 28, 10368)) << "7";
    EXPECT_FALSE(has_fast_transform(LINES_VALUES, 2, 10368));
    EXPECT_EQ(radices_of(1024), (std::vector<std::uint32_t>{8, 8, 4, 4}));
    EXPECT_EQ(radices_of(750), (std::vector<std::uint32_t>{3, 5, 5, 5, 2}));
    EXPECT_TRUE(radices_of(7).empty());
}

TEST(FastTransform, IsThatOfTheSides) {
    EXPECT_EQ(lines_between(BoundaryType::dirichlet, BoundaryType::dirichlet), LINES_VALUES);
    EXPECT_EQ(lines_between(BoundaryType::neumann, BoundaryType::neumann), LINES_NO_FLUX);
    EXPECT_EQ(lines_between(BoundaryType::neumann, BoundaryType::dirichlet), LINES_NO_FLUX_THEN_VALUE);
    EXPECT_EQ(lines_between(BoundaryType::dirichlet, BoundaryType::neumann), LINES_VALUE_THEN_NO_FLUX);
    EXPECT_EQ(lines_between(BoundaryType::periodic, BoundaryType::periodic), LINES_PERIODIC);
    EXPECT_EQ(lines_between(BoundaryType::robin, BoundaryType::dirichlet), LINES_OTHER);
}

}  // namespace
}  // namespace perdure::fast_transform_test
