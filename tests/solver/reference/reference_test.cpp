#include "solver/reference/reference.hpp"
#include "tests/reference_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>

namespace perdure::reference_test {
namespace {

using Point = std::array<double, 3>;
using Kinds = std::array<SideKind, 6>;
constexpr double pi = std::numbers::pi;

Point centre(const Grid &grid, std::int64_t i) {
    return {grid.centre(0, i % grid.cells[0]), grid.centre(1, i / grid.cells[0] % grid.cells[1]),
            grid.centre(2, i / (grid.cells[0] * grid.cells[1]))};
}

double dot(const Point &a, const Point &b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// u = sin(k . x + 0.3) with a = 2 + sin(w . x) and sigma solves -div(a grad u) + sigma u = f.
struct Manufactured {
    Point k, w;
    double sigma;
    double h = 1.7;  // of exchange sides

    [[nodiscard]] double u(const Point &x) const { return std::sin(dot(k, x) + 0.3); }
    [[nodiscard]] double a(const Point &x) const { return 2.0 + std::sin(dot(w, x)); }
    [[nodiscard]] double derivative(const Point &x, int axis) const {
        return k[axis] * std::cos(dot(k, x) + 0.3);
    }
    [[nodiscard]] double f(const Point &x) const {
        const double gradients = dot(w, k) * std::cos(dot(w, x)) * std::cos(dot(k, x) + 0.3);
        return a(x) * dot(k, k) * u(x) - gradients + sigma * u(x);
    }
    [[nodiscard]] double side_value(SideKind kind, const Point &x, int side) const {
        const double flux = a(x) * derivative(x, side / 2) * (side % 2 == 0 ? -1.0 : 1.0);
        return kind == SideKind::flux ? flux : (kind == SideKind::value ? u(x) : u(x) + flux / h);
    }
};

Samples sample(const Grid &grid, const std::function<double(const Point &)> &function) {
    Samples samples;
    samples.values.resize(static_cast<std::size_t>(grid.count()));
    for (std::int64_t i = 0; i < grid.count(); ++i) {
        samples.values[i] = function(centre(grid, i));
    }
    return samples;
}

// The unit square or cube with n, n + 2 and n + 1 cells along x, y and z.
Problem manufacture(const Manufactured &exact, const Kinds &kinds, int dimensions, std::int64_t n) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    Grid &grid = problem.grid;
    grid.dimensions = dimensions;
    grid.cells = {n, n + 2, dimensions == 3 ? n + 1 : 1};
    for (int axis = 0; axis < dimensions; ++axis) {
        grid.spacing[axis] = 1.0 / static_cast<double>(grid.cells[axis]);
    }
    grid.origin[2] = dimensions == 3 ? 0.0 : -0.5;
    problem.only_field().a = sample(grid, [&](const Point &x) { return exact.a(x); });
    problem.only_field().sigma.values = {exact.sigma};
    problem.only_field().f = sample(grid, [&](const Point &x) { return exact.f(x); });
    problem.only_field().initial = sample(grid, [&](const Point &x) { return exact.u(x); });
    for (int number = 0; number < 2 * dimensions; ++number) {
        Grid faces = grid;
        faces.cells[number / 2] = 1;
        Side &side = problem.only_field().sides[number];
        side.kind = kinds[number];
        side.coefficient.values = {exact.h};
        side.values = sample(faces, [&](Point x) {
            x[number / 2] = number % 2 == 0 ? 0.0 : 1.0;
            return exact.side_value(side.kind, x, number);
        });
    }
    return problem;
}

double error(const Manufactured &exact, const Kinds &kinds, int dimensions, std::int64_t n) {
    const Problem problem = manufacture(exact, kinds, dimensions, n);
    const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
    EXPECT_LT(answer.relative_residual, 1.0e-12);
    double squares = 0.0;
    for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
        squares += std::pow(answer.values[i] - exact.u(centre(problem.grid, i)), 2);
    }
    return std::sqrt(squares / static_cast<double>(problem.grid.count()));
}

void expect_order_two(const Manufactured &exact, const Kinds &kinds, int dimensions,
                      const std::vector<std::int64_t> &sizes) {
    double coarse = error(exact, kinds, dimensions, sizes[0]);
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        const double fine = error(exact, kinds, dimensions, sizes[i]);
        const double order = std::log(coarse / fine) /
                             std::log(static_cast<double>(sizes[i]) / static_cast<double>(sizes[i - 1]));
        EXPECT_NEAR(order, 2.0, i + 1 == sizes.size() ? 0.1 : 0.25)
            << "from " << sizes[i - 1] << " to " << sizes[i];
        coarse = fine;
    }
}

constexpr SideKind flux = SideKind::flux, value = SideKind::value, exchange = SideKind::exchange,
                   periodic = SideKind::periodic;

TEST(Reference, IsOfOrderTwoInThePlaneForEverySideKind) {
    const std::vector<std::int64_t> sizes{16, 32, 64, 128};
    const Manufactured wave{{1.9, 1.1, 0.0}, {0.7, -1.3, 0.0}, 0.0};
    expect_order_two(wave, {value, value, value, value, flux, flux}, 2, sizes);
    expect_order_two(wave, {value, flux, flux, flux, flux, flux}, 2, sizes);
    expect_order_two(wave, {exchange, exchange, exchange, exchange, flux, flux}, 2, sizes);
    expect_order_two(wave, {flux, exchange, value, flux, flux, flux}, 2, sizes);
    const Manufactured round{{2.0 * pi, 1.1, 0.0}, {-2.0 * pi, 0.4, 0.0}, 0.0};
    expect_order_two(round, {periodic, periodic, value, exchange, flux, flux}, 2, sizes);
    const Manufactured damped{{1.9, 1.1, 0.0}, {0.7, -1.3, 0.0}, 2.5};
    expect_order_two(damped, {flux, flux, flux, flux, flux, flux}, 2, sizes);
}

TEST(Reference, IsOfOrderTwoInSpaceForEverySideKind) {
    const std::vector<std::int64_t> sizes{6, 12, 24};
    const Manufactured wave{{1.9, 1.1, -0.8}, {0.7, -1.3, 0.5}, 0.0};
    expect_order_two(wave, {value, flux, exchange, value, flux, exchange}, 3, sizes);
    const Manufactured round{{2.0, 1.1, 2.0 * pi}, {1.3, 0.4, 2.0 * pi}, 0.7};
    expect_order_two(round, {flux, value, exchange, flux, periodic, periodic}, 3, sizes);
}

TEST(Reference, PinsTheMeanToThatOfTheInitialField) {
    const std::vector<std::int64_t> sizes{16, 32, 64};
    const Manufactured wave{{2.0 * pi, 2.0 * pi, 0.0}, {-2.0 * pi, 2.0 * pi, 0.0}, 0.0};
    expect_order_two(wave, {periodic, periodic, periodic, periodic, flux, flux}, 2, sizes);
}

// Layers of a = 1 (3 cells) and a = 4 (5 cells of 0.25), the interface on a face: exact in every cell.
TEST(Reference, IsExactForLayers) {
    for (int axis = 0; axis < 3; ++axis) {
        Problem problem;
        problem.fields.emplace_back().name = "u";
        problem.grid.dimensions = 3;
        problem.grid.cells = {2, 2, 2};
        problem.grid.cells[axis] = 8;
        problem.grid.spacing[axis] = 0.25;
        problem.only_field().a =
            sample(problem.grid, [&](const Point &x) { return x[axis] < 0.75 ? 1.0 : 4.0; });
        problem.only_field().sides[2 * axis].kind = problem.only_field().sides[2 * axis + 1].kind =
            SideKind::value;
        problem.only_field().sides[2 * axis].values.values = {5.0};
        problem.only_field().sides[2 * axis + 1].values.values = {1.0};
        const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
        const double flow = 4.0 / (0.75 / 1.0 + 1.25 / 4.0);
        for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
            const double x = centre(problem.grid, i)[axis];
            const double expected = x < 0.75 ? 5.0 - flow * x : 1.0 + flow * (2.0 - x) / 4.0;
            EXPECT_NEAR(answer.values[i], expected, 1.0e-13) << "axis " << axis << " cell " << i;
        }
    }
}

// One cell, exchange on x- and a value on x+: the resistances 1/h + (1/2)/a and (1/2)/a divide the
// difference.
TEST(Reference, PutsExchangeAndHalfCellInSeries) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.only_field().a.values = {2.0};
    problem.only_field().sides[0].kind = SideKind::exchange;
    problem.only_field().sides[0].coefficient.values = {4.0};
    problem.only_field().sides[0].values.values = {1.0};
    problem.only_field().sides[1].kind = SideKind::value;
    EXPECT_DOUBLE_EQ(reference::solve_diffusion(problem.grid, problem.only_field()).values[0], 0.25 / 0.75);
}

// Two cells around a ring meet at two faces: 2 * 2 (u0 - u1) + u0 = 1 and 4 (u1 - u0) + u1 = 0.
TEST(Reference, CouplesTwoPeriodicCellsTwice) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {2, 1, 1};
    problem.only_field().a.values = {2.0};
    problem.only_field().sigma.values = {1.0};
    problem.only_field().f.values = {1.0, 0.0};
    for (Side &side : problem.only_field().sides) {
        side.kind = SideKind::periodic;
    }
    const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
    EXPECT_DOUBLE_EQ(answer.values[0], 5.0 / 9.0);
    EXPECT_DOUBLE_EQ(answer.values[1], 4.0 / 9.0);
}

TEST(Reference, LeavesOutSolidAndCutOffCells) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {5, 1, 1};
    problem.only_field().a.values = {1.0, 1.0, 0.0, 1.0, 1.0};
    problem.only_field().sides[0].kind = SideKind::value;
    problem.only_field().sides[0].values.values = {3.0};
    const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
    EXPECT_EQ(answer.unknowns, 2);
    EXPECT_NEAR(answer.values[0], 3.0, 1.0e-14);
    EXPECT_NEAR(answer.values[1], 3.0, 1.0e-14);
    EXPECT_TRUE(std::isnan(answer.values[2]) && std::isnan(answer.values[3]) && std::isnan(answer.values[4]));
}

TEST(Reference, PinsEveryPartOfADomainWithoutAnchor) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.grid.cells = {6, 1, 1};
    problem.only_field().a.values = {1.0, 1.0, 0.0, 1.0, 0.0, 1.0};
    problem.only_field().f.values = {1.0, -1.0, 0.0, 0.0, 0.0, 0.0};
    problem.only_field().initial.values = {1.0, 2.0, 9.0, 7.0, 9.0, -4.0};
    const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
    EXPECT_DOUBLE_EQ(answer.values[0], 2.0);
    EXPECT_DOUBLE_EQ(answer.values[1], 1.0);
    EXPECT_DOUBLE_EQ(answer.values[3], 7.0);
    EXPECT_DOUBLE_EQ(answer.values[5], -4.0);
    EXPECT_TRUE(std::isnan(answer.values[2]) && std::isnan(answer.values[4]));
}

// cos(pi x) between insulated sides is an eigenvector of the matrix: each step multiplies it by 1 - dt
// lambda.
TEST(Reference, StepsADecayingModeExactly) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.only_field().in_time = true;
    problem.grid.cells = {16, 3, 1};
    problem.grid.spacing = {1.0 / 16.0, 0.5, 1.0};
    problem.only_field().a.values = {0.5};
    problem.only_field().sigma.values = {0.2};
    problem.only_field().initial = sample(problem.grid, [](const Point &x) { return std::cos(pi * x[0]); });
    const std::vector<double> steps{0.001, 0.002, 0.0015, 0.002};
    const reference::Answer answer = reference::step_heat(problem.grid, problem.only_field(), steps);
    const double lambda = 0.5 * 4.0 * 256.0 * std::pow(std::sin(pi / 32.0), 2) + 0.2;
    double factor = 1.0;
    for (const double step : steps) {
        factor *= 1.0 - step * lambda;
    }
    for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
        EXPECT_NEAR(answer.values[i], factor * problem.only_field().initial[i], 1.0e-14);
    }
}

// Uniform in space: du/dt = 3 t + 2 (1 - t), a cut-off cell too; factors are taken at the start of each step.
TEST(Reference, EvaluatesTimeFactorsAtTheStartOfEachStep) {
    Problem problem;
    problem.fields.emplace_back().name = "u";
    problem.only_field().in_time = true;
    problem.grid.cells = {1, 3, 1};
    problem.only_field().a.values = {1.0, 0.0, 1.0};
    problem.only_field().f.values = {3.0, 0.0, 3.0};
    problem.only_field().f_time_factor = "t";
    problem.only_field().sides[1].values.values = {2.0, 0.0, 2.0};
    problem.only_field().sides[1].time_factor = "1 - t";
    const reference::Answer answer =
        reference::step_heat(problem.grid, problem.only_field(), {0.5, 0.25, 0.25});
    const double expected = 0.5 * 2.0 + 0.25 * (1.5 + 1.0) + 0.25 * (2.25 + 0.5);
    EXPECT_DOUBLE_EQ(answer.values[0], expected);
    EXPECT_DOUBLE_EQ(answer.values[2], expected);
    EXPECT_TRUE(std::isnan(answer.values[1]));
}

TEST(Reference, FindsTheEffectiveDiffusivityOfAMicrostructure) {
    const std::filesystem::path file = tests::reference_data() / "two_phase_100.h5";
    if (!std::filesystem::exists(file)) {
        GTEST_SKIP() << file << " is not there; PERDURE_REFERENCE_DATA names the folder that holds it";
    }
    Config config;
    config.grid.dimensions = 3;
    config.grid.cells = {100, 100, 100};
    config.a.kind = ValueSource::Kind::labels;
    config.a.file = file;
    config.a.dataset = "/image";
    config.a.labels = {{0, 1.0}, {1, 0.0}};
    config.sides[4].kind = config.sides[5].kind = SideKind::value;
    config.sides[4].values.number = 1.0;
    const Problem problem = make_problem(config);
    const reference::Answer answer = reference::solve_diffusion(problem.grid, problem.only_field());
    double inflow = 0.0;
    double outflow = 0.0;
    for (std::int64_t face = 0; face < 10000; ++face) {
        const std::int64_t last = face + 990000;
        inflow += std::isnan(answer.values[face])
                      ? 0.0
                      : 2.0 * problem.only_field().a[face] * (1.0 - answer.values[face]);
        outflow +=
            std::isnan(answer.values[last]) ? 0.0 : 2.0 * problem.only_field().a[last] * answer.values[last];
    }
    EXPECT_NEAR(inflow / 100.0, 0.3514141671, 1.0e-6 * 0.3514141671);
    EXPECT_NEAR(outflow / inflow, 1.0, 1.0e-9);
}

}  // namespace
}  // namespace perdure::reference_test
