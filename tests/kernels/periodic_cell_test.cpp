// The tensor of cells that are periodic along all axes: where it is known exactly, against published values, and against Eigen.
#include <cmath>
#include <functional>
#include <numbers>

#include "solver/output/conductivity_tensor.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/problem/sample_values.hpp"
#include "solver/reference/reference.hpp"
#include "tests/kernels/image_cases.hpp"

namespace perdure::tests::periodic_cell_test {
namespace {

using Cells = std::array<std::int64_t, 3>;

std::vector<std::uint8_t> image_of(
    const Cells &cells, const std::function<int(std::int64_t, std::int64_t, std::int64_t)> &material) {
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t z = 0; z < cells[2]; ++z) {
        for (std::int64_t y = 0; y < cells[1]; ++y) {
            for (std::int64_t x = 0; x < cells[0]; ++x) {
                of_cell.push_back(static_cast<std::uint8_t>(material(x, y, z)));
            }
        }
    }
    return of_cell;
}

/// The image and its mirror image along every axis.
std::vector<std::uint8_t> mirrored(const Cells &cells, const std::vector<std::uint8_t> &of_cell) {
    const auto back = [&](int axis, std::int64_t i) { return i < cells[axis] ? i : 2 * cells[axis] - 1 - i; };
    return image_of({2 * cells[0], 2 * cells[1], cells[2] > 1 ? 2 * cells[2] : 1},
                    [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                        return of_cell[static_cast<std::size_t>(
                            back(0, x) + cells[0] * (back(1, y) + cells[1] * back(2, z)))];
                    });
}

/// A disc or ball of material 0 in the middle, of this fraction of the volume.
std::vector<std::uint8_t> ball_in_the_middle(std::int64_t n, int dimensions, double fraction) {
    const double radius =
        static_cast<double>(n) * (dimensions == 2 ? std::sqrt(fraction / std::numbers::pi)
                                                  : std::cbrt(0.75 * fraction / std::numbers::pi));
    const double middle = 0.5 * static_cast<double>(n - 1);
    return image_of({n, n, dimensions == 3 ? n : 1}, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        const double dx = static_cast<double>(x) - middle, dy = static_cast<double>(y) - middle;
        const double dz = dimensions == 3 ? static_cast<double>(z) - middle : 0.0;
        return dx * dx + dy * dy + dz * dz < radius * radius ? 0 : 1;
    });
}

ConductivityTensor tensor_of(const Case &test_case, Device &device) {
    const EffectiveTensor found = *solve(test_case, device).report.tensor;
    EXPECT_FALSE(found.bounds_violated);
    EXPECT_FALSE(found.fluxes_differ);
    return *conductivity_tensor(found);
}

class PeriodicCell : public OnEachBackEnd {};

TEST_P(PeriodicCell, LayersConductByTheirHarmonicMeanAcrossAndByTheirMeanAlong) {
    for (const Cells &cells : {Cells{4, 5, 3}, Cells{4, 1, 2}, Cells{4, 6, 1}}) {
        const auto layers =
            image_of(cells, [](std::int64_t x, std::int64_t, std::int64_t) { return static_cast<int>(x); });
        Case test_case = periodic_cell(cells, {1.0, 0.25, 3.0, 10.0}, layers);
        test_case.problem.grid.spacing = {0.5, 2.0, 0.125};
        const int dimensions = test_case.problem.grid.dimensions;
        for (const auto &device : devices()) {
            const Solution solution = solve(test_case, *device);
            const EffectiveTensor &found = *solution.report.tensor;
            const ConductivityTensor whole = *conductivity_tensor(found);
            const double across = 4.0 / (1.0 + 4.0 + 1.0 / 3.0 + 0.1), along = 14.25 / 4.0;
            for (int i = 0; i < dimensions; ++i) {
                for (int k = 0; k < dimensions; ++k) {
                    EXPECT_NEAR(whole.entries[i][k],
                                i != k   ? 0.0
                                : i == 0 ? across
                                         : along,
                                1.0e-10)
                        << i << k;
                }
                const EffectiveDirection &direction = found.directions[i];
                EXPECT_EQ(direction.connected_fraction, 1.0);
                EXPECT_EQ(direction.inflow, direction.outflow);
                EXPECT_LT(direction.plane_spread, 1.0e-8);
                ASSERT_TRUE(direction.bounds);
                EXPECT_GE(direction.digits(), 10);
                double sum = 0.0;  // of u, whose mean is that of the initial values
                for (std::int64_t cell = 0; cell < test_case.problem.grid.count(); ++cell) {
                    sum += value_at(solution.fields[i].values, cell);
                }
                EXPECT_NEAR(sum, 0.0, 1.0e-10);
            }
            EXPECT_EQ(found.materials[0].percolates[0], false);
            EXPECT_EQ(found.materials[0].percolates[1], true);
            EXPECT_NE(to_text(found).find("all sides periodic"), std::string::npos);
            EXPECT_NE(to_text(found).find("symmetric but for the error of the solver"), std::string::npos);
            EXPECT_EQ(exit_code(solution.report), ExitCode::success);
        }
    }
}

/// Keller 1964, Dykhne 1971: the geometric mean. u is singular at the corners, with the exponent 4 / pi atan(1 / sqrt(contrast)).
TEST_P(PeriodicCell, ACheckerboardComesToTheGeometricMeanWithTheOrderOfItsCorners) {
    const double order = 2.0 * 4.0 / std::numbers::pi * std::atan(0.5);
    for (const auto &device : devices()) {
        double before = 0.0;
        for (const std::int64_t size : {8, 16, 32}) {
            const auto squares =
                image_of({2 * size, 2 * size, 1}, [&](std::int64_t x, std::int64_t y, std::int64_t) {
                    return static_cast<int>((x / size + y / size) % 2);
                });
            const ConductivityTensor found =
                tensor_of(periodic_cell({2 * size, 2 * size, 1}, {1.0, 4.0}, squares), *device);
            EXPECT_NEAR(found.entries[0][0], found.entries[1][1], 1.0e-9);
            EXPECT_NEAR(found.entries[0][1], 0.0, 1.0e-8);
            const double error = 2.0 - found.entries[0][0];
            EXPECT_GT(error, 0.0) << "harmonic faces";
            if (before > 0.0) {
                EXPECT_NEAR(std::log2(before / error), order, 0.15) << size;
            }
            before = error;
        }
        EXPECT_LT(before, 0.02);
    }
}

/// W. T. Perrins, D. R. McKenzie, R. C. McPhedran, Proc. R. Soc. Lond. A 369 (1979) 207-225: discs of conductivity 10 in a square array,
/// half of the area. A. S. Sangani, A. Acrivos, Proc. R. Soc. Lond. A 386 (1983) 263-275, after R. C. McPhedran, D. R. McKenzie, Proc. R.
/// Soc. Lond. A 359 (1978) 45-63: insulating spheres in a simple cubic array, 0.4 of the volume.
TEST_P(PeriodicCell, ArraysOfDiscsAndSpheresConductAsPublished) {
    for (const auto &device : devices()) {
        const ConductivityTensor discs =
            tensor_of(periodic_cell({128, 128, 1}, {10.0, 1.0}, ball_in_the_middle(128, 2, 0.5)), *device);
        EXPECT_NEAR(discs.entries[0][0], 2.415462, 0.01);
        EXPECT_NEAR(discs.entries[0][0], 2.42230, 1.0e-5) << "a quarter of the cell: inputs/fibre_array.yaml";
        EXPECT_NEAR(discs.entries[0][0], discs.entries[1][1], 1.0e-8);
        std::vector<std::uint8_t> pores = ball_in_the_middle(32, 3, 0.4);
        for (std::uint8_t &material : pores) {
            material = 1 - material;
        }
        const ConductivityTensor spheres = tensor_of(periodic_cell({32, 32, 32}, {1.0, 0.0}, pores), *device);
        EXPECT_NEAR(spheres.entries[2][2], 0.490304, 0.02);
        EXPECT_NEAR(spheres.entries[2][2], 0.473892, 1.0e-6)
            << "an eighth of the cell: inputs/electrode_particles.yaml";
        EXPECT_NEAR(spheres.entries[0][0], spheres.entries[2][2], 1.0e-8);
    }
}

/// By symmetry, and exactly on the grid: u is a constant on the planes of the mirrors across the direction, and nothing flows through others.
TEST_P(PeriodicCell, OfAnImageWithItsMirrorImagesIsTheImageBetweenFacesAndInsulatedSides) {
    const Cells cells{11, 8, 6};
    const auto image = random_image(11 * 8 * 6, 35, 3);
    const Case faces = image_case(cells, {1.0, 0.1, 0.0}, image, false);
    const Case cell = periodic_cell({22, 16, 12}, {1.0, 0.1, 0.0}, mirrored(cells, image));
    for (const auto &device : devices()) {
        const EffectiveTensor expected = *solve(faces, *device).report.tensor;
        const EffectiveTensor found = *solve(cell, *device).report.tensor;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            ASSERT_TRUE(expected.directions[axis].percolates);
            EXPECT_NEAR(found.directions[axis].coefficient / expected.directions[axis].coefficient, 1.0,
                        1.0e-9);
            EXPECT_NEAR(found.directions[axis].connected_fraction,
                        expected.directions[axis].connected_fraction, 1.0e-12);
            EXPECT_LE(found.directions[axis].iterations, 40);
        }
    }
}

TEST_P(PeriodicCell, RandomImagesAgreeWithTheReferenceAndMayBeginAnywhere) {
    const Cells cells{17, 12, 9};
    const auto image = random_image(17 * 12 * 9, 35, 5);
    const auto moved = image_of(cells, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return image[static_cast<std::size_t>((x + 5) % 17 + 17 * ((y + 11) % 12 + 12 * ((z + 4) % 9)))];
    });
    Case test_case = periodic_cell(cells, {1.0, 0.1, 0.0}, image);
    test_case.problem.only_field().image.materials[0].by_axis = {2.0, 0.5, 0.5};
    test_case.problem.only_field().varies_by_axis = true;
    test_case.config.output.fields = {"u", "flux"};
    Case moved_case = test_case;
    moved_case.problem.only_field().image.of_cell = moved;
    moved_case.problem.only_field().a = conductivities(moved_case.problem.only_field().image);
    moved_case.config.output.fields = std::vector<std::string>{};
    for (const auto &device : devices()) {
        const Solution solution = solve(test_case, *device);
        const EffectiveTensor &tensor = *solution.report.tensor;
        const ConductivityTensor whole = *conductivity_tensor(tensor),
                                 elsewhere = tensor_of(moved_case, *device);
        EXPECT_LT(whole.asymmetry, 1.0e-9);
        ASSERT_EQ(solution.fields.size(), 6U);
        for (int axis = 0; axis < 3; ++axis) {
            const EffectiveDirection &found = tensor.directions[axis];
            const Problem problem = problem_along(test_case, axis);
            const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
            const auto expected =
                effective_properties(problem.grid, problem.only_field(), FieldValues(answer.values));
            EXPECT_NEAR(found.coefficient / expected->coefficient, 1.0, 1.0e-8) << "axis " << axis;
            ASSERT_TRUE(found.bounds);
            EXPECT_GE(found.digits(), 9);
            const FieldResult &u = solution.fields[2 * axis], &flux = solution.fields[2 * axis + 1];
            for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
                const double there = value_at(u.values, i);
                ASSERT_EQ(std::isnan(there), std::isnan(answer.values[i]));
                EXPECT_TRUE(std::isnan(there) || std::abs(there - answer.values[i]) < 1.0e-7) << i;
            }
            for (int along = 0; along < 3; ++along) {
                double sum = 0.0;
                for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
                    const double there = value_at(flux.values, 3 * i + along);
                    sum += std::isnan(there) ? 0.0 : there;
                }
                const double mean = sum / static_cast<double>(problem.grid.count());
                EXPECT_NEAR(whole.entries[along][axis], mean * static_cast<double>(cells[axis]), 1.0e-8);
                EXPECT_NEAR(whole.entries[along][axis], elsewhere.entries[along][axis], 1.0e-8)
                    << "the cell begins elsewhere";
            }
        }
    }
}

TEST_P(PeriodicCell, EachPrecisionAndMethodFindsTheTensor) {
    Case test_case = periodic_cell({16, 12, 8}, {1.0, 0.1, 0.0}, random_image(16 * 12 * 8, 30, 7));
    for (const auto &device : devices()) {
        const ConductivityTensor expected = tensor_of(test_case, *device);
        struct Way {
            SolverMethod method;
            Preconditioner preconditioner;
            Precision precision;
            double rtol, most;
        };
        for (const Way &way :
             {Way{SolverMethod::cg, Preconditioner::multigrid, Precision::mixed, 1.0e-9, 1.0e-8},
              Way{SolverMethod::cg, Preconditioner::multigrid, Precision::float32, 1.0e-5, 1.0e-5},
              Way{SolverMethod::cg, Preconditioner::jacobi, Precision::float64, 1.0e-9, 1.0e-8},
              Way{SolverMethod::multigrid, Preconditioner::jacobi, Precision::float64, 1.0e-9, 1.0e-8},
              Way{SolverMethod::sor, Preconditioner::jacobi, Precision::float64, 1.0e-7, 1.0e-6}}) {
            Case other = test_case;
            other.config.solver.method = way.method;
            other.config.solver.preconditioner = way.preconditioner;
            other.config.solver.rtol = way.rtol;
            other.config.execution.precision = way.precision;
            const ConductivityTensor found = tensor_of(other, *device);
            for (int i = 0; i < 3; ++i) {
                EXPECT_NEAR(found.entries[i][i], expected.entries[i][i], way.most)
                    << name(way.method) << ' ' << name(way.precision);
            }
        }
    }
}

/// A diagonal two cells wide in a box of 6 times 9 cells touches all faces, but its ends do not meet.
TEST_P(PeriodicCell, WherePathsEndNothingIsSolved) {
    const auto diagonal = image_of({6, 9, 1}, [](std::int64_t x, std::int64_t y, std::int64_t) {
        return x == y % 6 || x == (y + 1) % 6 ? 0 : 1;
    });
    const Case test_case = periodic_cell({6, 9, 1}, {1.0, 0.0}, diagonal);
    for (const auto &device : devices()) {
        const Solution solution = solve(test_case, *device);
        EXPECT_TRUE(solution.fields.empty());
        EXPECT_FALSE(solution.report.tensor->directions[0].percolates);
        EXPECT_EQ(solution.report.tensor->directions[1].coefficient, 0.0);
        EXPECT_NE(to_text(*solution.report.tensor).find("no conducting path from period to period"),
                  std::string::npos);
        EXPECT_EQ(exit_code(solution.report), ExitCode::success);
    }
}

/// A part that winds along the diagonal conducts along it alone: one principal value is 0, not the error of the solver.
TEST_P(PeriodicCell, APartAlongTheDiagonalConductsAlongItAlone) {
    const auto diagonal = image_of({8, 8, 1}, [](std::int64_t x, std::int64_t y, std::int64_t) {
        return x == y || x == (y + 1) % 8 ? 0 : 1;
    });
    for (const auto &device : devices()) {
        const Solution solution = solve(periodic_cell({8, 8, 1}, {1.0, 0.0}, diagonal), *device);
        const ConductivityTensor found = *conductivity_tensor(*solution.report.tensor);
        EXPECT_EQ(found.principal[0], 0.0);
        EXPECT_NEAR(found.principal[1], 2.0 * found.entries[0][0], 1.0e-6);
        EXPECT_GT(found.entries[0][1], 0.01);
        const std::string text = to_text(*solution.report.tensor);
        EXPECT_EQ(text.find("flux in"), std::string::npos) << "a periodic cell has no faces";
        EXPECT_EQ(text.find("difference"), std::string::npos);
    }
}

PERDURE_ON_EACH_BACK_END(PeriodicCell);

}  // namespace
}  // namespace perdure::tests::periodic_cell_test
