// Effective properties of small images on every back end: where they are known exactly, and against Eigen.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/equations/equation.hpp"
#include "solver/output/conductivity_tensor.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/problem/sample_values.hpp"
#include "solver/reference/reference.hpp"
#include "solver/run/case_solves.hpp"
#include "tests/kernels/image_cases.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::effective_test {
namespace {

/// One material a layer across x.
std::vector<std::uint8_t> layers(const std::array<std::int64_t, 3> &cells) {
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t i = 0; i < cells[0] * cells[1] * cells[2]; ++i) {
        of_cell.push_back(static_cast<std::uint8_t>(i % cells[0]));
    }
    return of_cell;
}

class Effective : public OnEachBackEnd {};

TEST_P(Effective, LayersConductByTheirHarmonicMeanAcrossAndByTheirMeanAlong) {
    const std::vector<double> values{1.0, 0.25, 3.0, 10.0, 0.5, 2.0};
    double resistance = 0.0;
    for (const double value : values) {
        resistance += 1.0 / value;
    }
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 6.0;
    for (const bool periodic : {false, true}) {
        const Case test_case = image_case({6, 5, 4}, values, layers({6, 5, 4}), periodic);
        for (const auto &device : devices()) {
            const Report report = solve(test_case, *device).report;
            ASSERT_TRUE(report.tensor.has_value());
            const auto &found = report.tensor->directions;
            ASSERT_EQ(found.size(), 3U);
            EXPECT_NEAR(found[0].coefficient, 6.0 / resistance, 1.0e-10);
            EXPECT_NEAR(found[1].coefficient, mean, 1.0e-10);
            EXPECT_NEAR(found[2].coefficient, mean, 1.0e-10);
            EXPECT_NEAR(found[0].tortuosity, mean * resistance / 6.0, 1.0e-9);
            EXPECT_NEAR(found[0].inflow, 1.0 / resistance, 1.0e-10);
            EXPECT_NEAR(found[0].flux_difference(), 0.0, 1.0e-10);
            EXPECT_NEAR(report.tensor->wiener.lower, 6.0 / resistance, 1.0e-14);
            EXPECT_NEAR(report.tensor->wiener.upper, mean, 1.0e-14);
            EXPECT_FALSE(report.tensor->bounds_violated);
            EXPECT_EQ(exit_code(report), ExitCode::success);
            if (!device->description().time_limited && device->description().shared_control) {
                const int by_arrays = 10, by_labels = 16;
                EXPECT_EQ(report.launches, device->description().gpu ? by_labels : by_arrays)
                    << "percolation; three operators, solves and flows; by labels also labels, and arrays "
                       "for flows";
            }
        }
    }
}

/// 2 by 2 squares of `size` cells.
std::vector<std::uint8_t> checkerboard(std::int64_t size) {
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t i = 0; i < 4 * size * size; ++i) {
        of_cell.push_back(static_cast<std::uint8_t>((i % (2 * size) / size + i / (2 * size) / size) % 2));
    }
    return of_cell;
}

TEST_P(Effective, ACheckerboardComesToTheGeometricMean) {
    for (const auto &device : devices()) {
        const auto coefficient = [&](std::int64_t size) {
            const Case test_case = image_case({2 * size, 2 * size, 1}, {1.0, 4.0}, checkerboard(size), false);
            const EffectiveTensor tensor = *solve(test_case, *device).report.tensor;
            EXPECT_NEAR(tensor.directions[0].coefficient, tensor.directions[1].coefficient, 1.0e-9);
            EXPECT_FALSE(tensor.bounds_violated);
            EXPECT_EQ(tensor.remarks.empty(), size > 1) << "two cells a side lie below Hashin and Shtrikman";
            return tensor.directions[0].coefficient;
        };
        // One cell a square, by hand: p = (2 a + H) / (2 a + 2 H), q = H / (2 b + 2 H), 2 a (1 - p) + 2 b q
        const double h = 2.0 * 1.0 * 4.0 / 5.0;
        EXPECT_NEAR(coefficient(1), 2.0 * (1.0 - (2.0 + h) / (2.0 + 2.0 * h)) + 8.0 * h / (8.0 + 2.0 * h),
                    1.0e-10);
        double error = 1.0;
        for (const std::int64_t size : {4, 8, 16, 32}) {
            const double now = 2.0 - coefficient(size);
            EXPECT_GT(now, 0.0) << "harmonic faces";
            EXPECT_LT(now, error / 1.8) << "order of the singularity at the corner: 2 * 0.59 * 0.8";
            error = now;
        }
        EXPECT_LT(error, 0.01);
    }
}

TEST_P(Effective, RandomImagesAgreeWithTheReferenceInsulatedAndPeriodic) {
    const std::array<std::int64_t, 3> cells{23, 18, 13};
    const auto image = random_image(23 * 18 * 13, 35, 5);
    std::vector<double> insulated;
    for (const bool periodic : {false, true}) {
        Case test_case = image_case(cells, {1.0, 0.1, 0.0}, image, periodic);
        test_case.config.output.fields = {"u", "flux"};
        for (const auto &device : devices()) {
            const Solution solution = solve(test_case, *device);
            const EffectiveTensor &tensor = *solution.report.tensor;
            EXPECT_FALSE(tensor.bounds_violated);
            const auto whole = conductivity_tensor(tensor);
            ASSERT_EQ(whole.has_value(), periodic);
            ASSERT_EQ(solution.fields.size(), 6U);
            Case without_fields = test_case;
            without_fields.config.output.fields = std::vector<std::string>{};
            const Solution report_alone = solve(without_fields, *device);
            EXPECT_TRUE(report_alone.fields.empty());
            for (int axis = 0; axis < 3; ++axis) {
                const EffectiveDirection &found = tensor.directions[static_cast<std::size_t>(axis)];
                const Problem problem = problem_along(test_case, axis);
                const reference::Answer answer =
                    reference::solve_diffusion(problem.grid, problem.only_field());
                const auto expected =
                    effective_properties(problem.grid, problem.only_field(), FieldValues(answer.values));
                EXPECT_NEAR(found.coefficient / expected->coefficient, 1.0, 1.0e-8) << "axis " << axis;
                EXPECT_EQ(exit_code(found.stop), ExitCode::success);
                const EffectiveDirection &alone =
                    report_alone.report.tensor->directions[static_cast<std::size_t>(axis)];
                EXPECT_EQ(alone.inflow, found.inflow);
                EXPECT_EQ(alone.outflow, found.outflow);
                EXPECT_EQ(alone.coefficient, found.coefficient);
                EXPECT_LE(found.iterations, 40) << "axis " << axis << (periodic ? " periodic" : " insulated");
                const FieldResult &u = solution.fields[static_cast<std::size_t>(2 * axis)];
                const FieldResult &flux = solution.fields[static_cast<std::size_t>(2 * axis + 1)];
                EXPECT_EQ(u.name, std::string("u_") + "xyz"[axis]);
                EXPECT_EQ(flux.name, std::string("flux_") + "xyz"[axis]);
                for (int along = 0; along < 3; ++along) {
                    double sum = 0.0;
                    for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
                        const double there = value_at(flux.values, 3 * i + along);
                        sum += std::isnan(there) ? 0.0 : there;
                        EXPECT_EQ(std::isnan(there), std::isnan(answer.values[static_cast<std::size_t>(i)]));
                    }
                    const double mean = sum / static_cast<double>(problem.grid.count());
                    if (along == axis) {
                        EXPECT_NEAR(mean / found.inflow, 1.0, 1.0e-8);
                    }
                    if (periodic) {
                        const double length =
                            problem.grid.spacing[axis] * static_cast<double>(problem.grid.cells[axis]);
                        EXPECT_NEAR(whole->entries[along][axis], mean * length, 1.0e-8)
                            << "flux along " << along << ", direction " << axis;
                    }
                }
                if (!periodic) {
                    insulated.push_back(found.coefficient);
                } else {
                    EXPECT_GT(found.coefficient, insulated[static_cast<std::size_t>(axis)])
                        << "more ways round";
                }
            }
        }
    }
}

/// The fields that the device makes of the image are those that the host would have sent, bit for bit.
TEST_P(Effective, OperatorsMadeOnTheDeviceGiveTheBitsOfThoseMadeOnTheHost) {
    for (const std::array<std::int64_t, 3> &cells :
         std::vector<std::array<std::int64_t, 3>>{{23, 18, 13}, {40, 31, 1}, {1, 9, 2}, {2, 1, 7}}) {
        const auto image = random_image(cells[0] * cells[1] * cells[2], 30, 7);
        for (const bool periodic : {false, true}) {
            for (const Preconditioner preconditioner :
                 {Preconditioner::multigrid, Preconditioner::jacobi, Preconditioner::none}) {
                Case test_case = image_case(cells, {1.0, 0.1, 0.0}, image, periodic);
                test_case.config.solver.preconditioner = preconditioner;
                test_case.config.solver.rtol = 1.0e-6;
                for (const auto &device : devices()) {
                    const Solution solution = solve(test_case, *device);
                    std::size_t field = 0;
                    for (const EffectiveDirection &direction : solution.report.tensor->directions) {
                        if (!direction.percolates) {
                            continue;
                        }
                        Case of_host = test_case;
                        of_host.config.effective.reset();
                        of_host.problem = problem_along(test_case, direction.axis);
                        const Solution expected = run(of_host, *device);
                        Solution found = expected;
                        found.fields.front().values = solution.fields[field++].values;
                        EXPECT_TRUE(same_bits(found, expected)) << describe_case(of_host);
                        EXPECT_EQ(direction.iterations, expected.report.iterations);
                    }
                }
            }
        }
    }
}

TEST_P(Effective, WhatDoesNotPercolateIsZeroAndIsNotSolved) {
    // A wall across y with a hole that a lone pore fills; the pore percolates along x and z.
    std::vector<std::uint8_t> of_cell(6 * 5 * 4, 0);
    for (std::size_t i = 0; i < of_cell.size(); ++i) {
        of_cell[i] = i / 6 % 5 == 2 ? 1 : 0;
    }
    Case test_case = image_case({6, 5, 4}, {2.0, 0.0}, of_cell, false);
    for (const auto &device : devices()) {
        const Report report = solve(test_case, *device).report;
        const EffectiveTensor &tensor = *report.tensor;
        EXPECT_NEAR(tensor.directions[0].coefficient, 2.0 * 0.8, 1.0e-10);
        EXPECT_NEAR(tensor.directions[2].coefficient, 2.0 * 0.8, 1.0e-10);
        EXPECT_EQ(tensor.directions[1].coefficient, 0.0);
        EXPECT_FALSE(tensor.directions[1].percolates);
        EXPECT_TRUE(std::isinf(tensor.directions[1].tortuosity));
        EXPECT_EQ(tensor.directions[1].iterations, 0);
        EXPECT_EQ(tensor.materials[0].percolates, (std::vector<bool>{true, false, true}));
        EXPECT_EQ(tensor.materials[1].percolates, (std::vector<bool>{true, false, true})) << "the wall";
        EXPECT_NE(to_text(tensor).find("no conducting path from face to face"), std::string::npos);
        EXPECT_EQ(exit_code(report), ExitCode::success);
    }
    test_case.config.effective->axes = {1};
    for (const auto &device : devices()) {
        const Solution solution = solve(test_case, *device);
        EXPECT_TRUE(solution.fields.empty());
        EXPECT_EQ(solution.report.stop, StopReason::complete);
        EXPECT_EQ(exit_code(solution.report), ExitCode::success);
    }
}

TEST_P(Effective, ASinkTakesTheFieldsOfTheDirectionsAndEachDirectionIsVerified) {
    std::vector<std::uint8_t> of_cell(6 * 5 * 4, 0);
    for (std::size_t i = 0; i < of_cell.size(); ++i) {
        of_cell[i] = i / 6 % 5 == 2 ? 1 : 0;  // a wall across y
    }
    const Case test_case = image_case({6, 5, 4}, {2.0, 0.0}, of_cell, false);
    EXPECT_EQ(directions_of(test_case.config), (std::vector<int>{0, 1, 2}));
    for (const auto &device : devices()) {
        const auto ready = [&] {
            PreparedCase prepared = prepare(test_case, *device);
            prepared.config.type = ProblemType::effective;
            return prepared;
        };
        std::vector<std::string> taken;
        PreparedCase prepared = ready();
        const Solution rest =
            run_prepared(prepared, Progress::Style::quiet,
                         {{}, [&](const FieldResult &field) { taken.push_back(field.name); }});
        EXPECT_EQ(taken, (std::vector<std::string>{"u_x", "u_z"}));
        EXPECT_TRUE(rest.fields.empty());

        prepared = ready();
        EXPECT_EQ(run_prepared(prepared, Progress::Style::quiet, {}).fields.size(), 2U);

        std::vector<std::string> directions;
        prepared = ready();
        const std::string before =
            solves_of(prepared.config).each(prepared, [&](const std::string &direction) {
                directions.push_back(direction);
                EXPECT_EQ(prepared.cells.front().excluded, 6 * 4) << "the wall takes part in no solve";
            });
        EXPECT_EQ(directions, (std::vector<std::string>{"x", "z"}));
        EXPECT_NE(before.find("2 of 3 directions percolate"), std::string::npos) << before;

        prepared = ready();
        prepared.cells.clear();  // as prepare_case() leaves those of an image
        EXPECT_EQ(known_cells(prepared).front().excluded, 6 * 4);
    }
}

TEST_P(Effective, ACaseWithoutDirectionsIsSolvedOnce) {
    Case test_case;
    test_case.problem = random_problem({5, 6}, all_sides(SideKind::value), Coefficients::variable, 1);
    EXPECT_TRUE(directions_of(test_case.config).empty());
    for (const auto &device : devices()) {
        PreparedCase prepared = prepare(test_case, *device);
        std::vector<std::string> directions;
        EXPECT_EQ(solves_of(prepared.config)
                      .each(prepared, [&](const std::string &direction) { directions.push_back(direction); }),
                  "");
        EXPECT_EQ(directions, std::vector<std::string>{""});
        const Solution solution =
            run_prepared(prepared, Progress::Style::quiet, {[](const Solution &) {}, {}});
        EXPECT_EQ(solution.fields.size(), 1U);
    }
}

PERDURE_ON_EACH_BACK_END(Effective);

}  // namespace
}  // namespace perdure::tests::effective_test
