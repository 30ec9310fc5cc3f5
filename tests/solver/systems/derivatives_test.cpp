// Derivatives become differences of the order that they should have, and conserve what they should.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "example_system.hpp"

namespace perdure::derivatives_test {
namespace {

using namespace systems_test;
using systems::make_system;
using systems::System;

constexpr double w = 2.0 * std::numbers::pi;

// A periodic field, another one, and a coefficient that is positive and varies.
double u_of(double x, double y, double z) {
    return std::sin(w * x) * std::cos(w * y) * (z == 0.5 ? 1.0 : 1.0 + 0.25 * std::sin(w * z));
}
double a_of(double x, double y, double) {
    return 2.0 + std::sin(w * x) + 0.5 * std::cos(w * y);
}

struct Case {
    const char *rate;
    Function exact;
    int order;
};

void PrintTo(const Case &example, std::ostream *out) {
    *out << example.rate;
}

class Order : public testing::TestWithParam<Case> {};

TEST_P(Order, IsObserved) {
    const Case &example = GetParam();
    std::array<double, 2> errors{};
    for (int level = 0; level < 2; ++level) {
        const Grid grid = unit_grid(2, level == 0 ? 32 : 64);
        const SystemConfig config = config_of({{"u", example.rate}, {"a", "0"}}, {{"D", 0.5}},
                                              {{"flux", "a*grad(u)"}, {"mu", "u^2 - lap(u)"}});
        const System system = make_system(config, grid);
        errors[level] = largest_error(system, grid, {sample(grid, u_of), sample(grid, a_of)}, example.exact);
    }
    EXPECT_GT(errors[1], 0.0);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), example.order, 0.15) << errors[0] << " and " << errors[1];
}

double lap_u(double x, double y, double z) {
    return -2.0 * w * w * u_of(x, y, z);
}
double ux(double x, double y, double) {
    return w * std::cos(w * x) * std::cos(w * y);
}
double uy(double x, double y, double) {
    return -w * std::sin(w * x) * std::sin(w * y);
}
double ax(double x, double, double) {
    return w * std::cos(w * x);
}
double ay(double, double y, double) {
    return -0.5 * w * std::sin(w * y);
}
double div_a_grad_u(double x, double y, double z) {
    return a_of(x, y, z) * lap_u(x, y, z) + ax(x, y, z) * ux(x, y, z) + ay(x, y, z) * uy(x, y, z);
}
double lap_u_squared(double x, double y, double z) {
    return 2.0 * u_of(x, y, z) * lap_u(x, y, z) + 2.0 * (std::pow(ux(x, y, z), 2) + std::pow(uy(x, y, z), 2));
}

INSTANTIATE_TEST_SUITE_P(
    Derivatives, Order,
    testing::Values(
        Case{"lap(u)", lap_u, 2}, Case{"dxx(u) + dyy(u)", lap_u, 2}, Case{"dx(u)", ux, 2},
        Case{"dy(u)", uy, 2},
        Case{"lap(lap(u))", [](double x, double y, double z) { return 4.0 * std::pow(w, 4) * u_of(x, y, z); },
             2},
        Case{"dx(dy(u))",
             [](double x, double y, double) { return -w * w * std::cos(w * x) * std::sin(w * y); }, 2},
        Case{"div(grad(u))", lap_u, 2}, Case{"div(a*grad(u))", div_a_grad_u, 2},
        Case{"div(flux)", div_a_grad_u, 2}, Case{"-div(-D*flux/0.5)", div_a_grad_u, 2},
        Case{"div(2*flux - (grad(u)*a))", div_a_grad_u, 2}, Case{"div(a*(dx(u), dy(u)))", div_a_grad_u, 2},
        Case{"div(a*(grad(u) + (x - x, u)))",
             [](double x, double y, double z) {
                 return div_a_grad_u(x, y, z) + ay(x, y, z) * u_of(x, y, z) + a_of(x, y, z) * uy(x, y, z);
             },
             2},
        Case{"dot(grad(u), grad(a))",
             [](double x, double y, double z) {
                 return ux(x, y, z) * ax(x, y, z) + uy(x, y, z) * ay(x, y, z);
             },
             2},
        Case{"dot((a, 2*a) - (1, 0), grad(u)/2)",
             [](double x, double y, double z) {
                 return (a_of(x, y, z) - 1.0) * ux(x, y, z) / 2.0 + a_of(x, y, z) * uy(x, y, z);
             },
             2},
        Case{"lap(mu)",
             [](double x, double y, double z) {
                 return lap_u_squared(x, y, z) - 4.0 * std::pow(w, 4) * u_of(x, y, z);
             },
             2},
        Case{"upwind((a, -a), u)",
             [](double x, double y, double z) { return a_of(x, y, z) * (ux(x, y, z) - uy(x, y, z)); }, 1},
        Case{"conserve(a*u, -a*u; a)",
             [](double x, double y, double z) {
                 return -(ax(x, y, z) - ay(x, y, z)) * u_of(x, y, z) -
                        a_of(x, y, z) * (ux(x, y, z) - uy(x, y, z));
             },
             1}));

double sum_of_rates(const SystemConfig &config, const Grid &grid, double *size) {
    const System system = make_system(config, grid);
    const std::vector<double> values =
        rates(system, grid, {noise(grid.count(), 1), noise(grid.count(), 2)}, 0);
    *size = std::accumulate(values.begin(), values.end(), 0.0,
                            [](double sum, double value) { return sum + std::fabs(value); });
    return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Conservation, OfDivergencesIsThatOfRounding) {
    for (const int dimensions : {2, 3}) {
        Grid grid = unit_grid(dimensions, 6);
        grid.cells[0] = 9;
        grid.spacing[1] = 0.3;
        const std::string third = dimensions == 3 ? ", u*v" : "";
        for (const std::string &rate :
             {std::string("div(abs(v)*grad(u))"),
              std::string("div((2 + v)/(3 + x)*grad(u^2) - grad(v)*if(x < 0.4, 1, 1e3))"),
              "div(v*(u, u^2" + third + "))", "conserve(u^2/2, u*v" + third + "; abs(u) + abs(v))",
              "conserve(u^2/2, u*v" + third + "; abs(u) + abs(v), minmod)",
              "conserve(u^2/2, u*v" + third + "; u, v, minmod)", std::string("lap(u^3 - u - lap(u))")}) {
            double size = 0.0;
            const double sum = sum_of_rates(config_of({{"u", rate}, {"v", "0"}}), grid, &size);
            EXPECT_GT(size, 1.0) << rate;
            EXPECT_LT(std::fabs(sum), 1e-13 * size) << rate;
        }
    }
}

TEST(Polynomials, HaveExactDifferences) {
    Grid grid = unit_grid(3, 7);
    grid.spacing = {0.5, 0.25, 2.0};  // whose multiples have no rounding errors
    grid.origin = {-1.0, 0.5, 3.0};
    const auto u =
        sample(grid, [](double x, double y, double z) { return x * x + 3.0 * y * y - z * z + x * y; });
    const auto exact = [&](const std::string &rate, const Function &expected) {
        const System system = make_system(config_of({{"u", rate}}, {{"D", 4.0}}), grid);
        EXPECT_EQ(largest_error(system, grid, {u}, expected, 1), 0.0) << rate;
    };
    exact("lap(u)", [](double, double, double) { return 6.0; });
    exact("dx(u)", [](double x, double y, double) { return 2.0 * x + y; });
    exact("dz(u)", [](double, double, double z) { return -2.0 * z; });
    exact("dyy(u) + dzz(u)", [](double, double, double) { return 4.0; });
    exact("div(D*grad(u))", [](double, double, double) { return 24.0; });
    // Slopes of a field that grows evenly are exact, and so are fluxes of second degree.
    const auto even = sample(grid, [](double x, double y, double z) { return x + 2.0 * y - z; });
    const System law = make_system(config_of({{"u", "conserve(u^2, x*u, u; 1, minmod)"}}), grid);
    EXPECT_EQ(largest_error(
                  law, grid, {even},
                  [](double x, double y, double z) { return -2.0 * (x + 2.0 * y - z) - 2.0 * x + 1.0; }, 2),
              0.0);
    exact("div((x, 2*y, z))", [](double, double, double) { return 4.0; });
    exact("dot(grad(u), (1, 2, D))",
          [](double x, double y, double z) { return 2.0 * x + y + 2.0 * (6.0 * y + x) - 8.0 * z; });
    exact("dx(D) + lap(3) + div(D*grad(D))", [](double, double, double) { return 0.0; });
}

TEST(HarmonicMean, OfAJumpIsThatOfItsResistances) {
    Grid grid = unit_grid(2, 4);
    grid.spacing = {1.0, 1.0, 1.0};
    const System system = make_system(config_of({{"u", "div(a*grad(u))"}, {"a", "0*u"}}), grid);
    const std::vector<double> u = sample(grid, [](double x, double, double) { return x < 2.0 ? 0.0 : 1.0; });
    const std::vector<double> a = sample(grid, [](double x, double, double) { return x < 2.0 ? 1.0 : 3.0; });
    const std::vector<double> rate = rates(system, grid, {u, a});
    EXPECT_DOUBLE_EQ(rate[1], 1.5);  // 2 * 1 * 3 / (1 + 3)
    EXPECT_DOUBLE_EQ(rate[2], -1.5);
    const std::vector<double> insulated(grid.count(), 0.0);
    for (const double value : rates(system, grid, {u, insulated})) {
        EXPECT_EQ(value, 0.0);  // and not 0 / 0
    }
}

TEST(Upwind, TakesTheDifferenceAgainstTheVelocity) {
    Grid grid = unit_grid(2, 4);
    grid.spacing = {1.0, 1.0, 1.0};
    const std::vector<double> u =
        sample(grid, [](double x, double, double) { return x * x; });  // 0.25 2.25 6.25 12.25
    const auto second_cell = [&](const std::string &rate) {
        return rates(make_system(config_of({{"u", rate}}, {{"c", 3.0}}), grid), grid, {u})[1];
    };
    EXPECT_EQ(second_cell("upwind((c, 0), u)"), 6.0);
    EXPECT_EQ(second_cell("upwind((-c, 0), u)"), -12.0);
    EXPECT_EQ(second_cell("upwind((-3, 0), u)"), -12.0);
}

}  // namespace
}  // namespace perdure::derivatives_test
