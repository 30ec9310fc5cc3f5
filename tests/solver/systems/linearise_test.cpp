// The derivative of a system's rates that implicit steps take.
#include "solver/systems/linearise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "example_system.hpp"
#include "random_formulas.hpp"

namespace perdure::linearise_test {
namespace {

using namespace systems_test;

std::vector<double> moved(std::vector<double> values, double by, const std::vector<double> &along) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += by * along[i];
    }
    return values;
}

struct Slopes {
    double largest = 0.0, largest_error = 0.0;
    int values = 0, different = 0;  // by more than differences explain
};

/// dR(u + s w) / ds against central differences.
Slopes compare_slopes(const SystemConfig &config, const Grid &grid,
                      const std::vector<std::vector<double>> &fields) {
    const systems::System system = systems::make_system(config, grid);
    const systems::System derivative = systems::linearised(system);
    const auto count = static_cast<int>(fields.size());
    std::vector<std::vector<double>> both = fields;
    std::vector<std::vector<double>> above, below;
    constexpr double h = 1.0e-5;
    for (int field = 0; field < count; ++field) {
        both.push_back(noise(grid.count(), 90 + static_cast<unsigned>(field)));
        above.push_back(moved(fields[field], h, both.back()));
        below.push_back(moved(fields[field], -h, both.back()));
    }
    Slopes slopes;
    for (int field = 0; field < count; ++field) {
        const std::vector<double> exact = rates(derivative, grid, both, count + field);
        const std::vector<double> upper = rates(system, grid, above, field);
        const std::vector<double> lower = rates(system, grid, below, field);
        EXPECT_EQ(rates(derivative, grid, both, field), rates(system, grid, fields, field));
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double error = std::abs(exact[i] - (upper[i] - lower[i]) / (2.0 * h));
            slopes.largest = std::max(slopes.largest, std::abs(exact[i]));
            slopes.largest_error = std::max(slopes.largest_error, error);
            slopes.values += 1;
            slopes.different += error < 1.0e-5 * (1.0 + std::abs(exact[i])) ? 0 : 1;
        }
    }
    return slopes;
}

TEST(Linearise, IsTheDerivativeOfEachFunction) {
    const Grid grid = unit_grid(2, 6);
    std::vector<double> u = noise(grid.count(), 1), v = noise(grid.count(), 2);
    for (std::size_t i = 0; i < u.size(); ++i) {  // in (0.2, 0.8)
        u[i] = 0.5 + 0.3 * u[i];
        v[i] = 0.5 + 0.3 * v[i];
    }
    for (const char *const rate : {"u*v - u/v",
                                   "u^3 + u^0.5 + v^-2",
                                   "u^v",
                                   "exp(u*v)",
                                   "log(u + v)",
                                   "sin(u)*cos(v)",
                                   "tan(u)",
                                   "asin(u) + acos(v)",
                                   "atan(u/v)",
                                   "tanh(3*u)",
                                   "abs(u - 0.5)*v",
                                   "min(u, v) + max(u^2, v/2)",
                                   "if(u < v, u^2, v^3)",
                                   "sqrt(u*v)",
                                   "div(u^2*grad(u*v))",
                                   "lap(lap(u)) + dx(u)*dy(v)",
                                   "upwind((u - 0.5, v), u)",
                                   "conserve(u^2/2, u*v; abs(u))",
                                   "floor(3*u)*u",
                                   "log2(u) + log10(v)",
                                   "sinh(u)*cosh(v)",
                                   "atan2(u, v - 0.5)",
                                   "asinh(u) + acosh(1 + v)",
                                   "atanh(u)*erf(v)"}) {
        const Slopes slopes = compare_slopes(config_of({{"u", rate}, {"v", "u - v"}}), grid, {u, v});
        EXPECT_GT(slopes.largest, 0.1) << rate;
        EXPECT_LT(slopes.largest_error, 1.0e-6 * (1.0 + slopes.largest)) << rate;
    }
}

/// But for the few cells in which one of them jumps or has a corner between the differences.
TEST(Linearise, IsTheDerivativeOfRandomFormulas) {
    int values = 0, different = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        RandomFormulas formulas(seed, 2);
        Grid grid = unit_grid(2, 5);
        grid.spacing = {0.5, 0.75, 1.0};
        const SystemConfig config = config_of({{"u", formulas.scalar(3, 1)}, {"v", formulas.scalar(4, 1)}},
                                              {{"p", 0.75}, {"q", -1.5}});
        const Slopes slopes =
            compare_slopes(config, grid, {noise(grid.count(), 2 * seed), noise(grid.count(), 2 * seed + 1)});
        values += slopes.values;
        different += slopes.different;
    }
    EXPECT_EQ(values, 100 * 2 * 25);
    EXPECT_LT(different, values / 200);
}

TEST(Linearise, HasTheDiagonalAndKnowsWhatIsLinear) {
    const Grid grid = unit_grid(2, 4);  // h = 1/4
    const systems::System reacting =
        systems::linearised(systems::make_system(config_of({{"u", "lap(u) - u^3"}, {"v", "3*u - v"}}), grid));
    const std::vector<double> two(16, 2.0), none(16, 0.0);
    EXPECT_EQ(rates(reacting, grid, {two, none, none, none}, 4), std::vector<double>(16, -64.0 - 12.0));
    EXPECT_EQ(rates(reacting, grid, {two, none, none, none}, 5), std::vector<double>(16, -1.0));
    EXPECT_FALSE(systems::has_constant_derivative(reacting));
    EXPECT_TRUE(systems::has_constant_derivative(systems::linearised(systems::make_system(
        config_of({{"u", "div((1 + x)*grad(u)) + v*sin(t)"}, {"v", "if(x < 0.5, u, 1)"}}), grid))));
}

}  // namespace
}  // namespace perdure::linearise_test
