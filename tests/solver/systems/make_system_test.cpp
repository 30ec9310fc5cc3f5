// Systems as a whole: Gray and Scott's equations, sides, coefficients, what depends on what.
#include "solver/systems/system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "example_system.hpp"
#include "programs.hpp"

namespace perdure::make_system_test {
namespace {

using namespace systems_test;
using systems::make_system;
using systems::System;

TEST(GrayScott, IsPrintedAndRunAsItIsMeant) {
    Grid grid = unit_grid(2, 8);
    grid.spacing = {0.02, 0.03, 1.0};
    const System system = make_system(gray_scott(), grid);
    EXPECT_EQ(system.reach, (std::array<int, 3>{1, 1, 0}));
    EXPECT_FALSE(system.depends_on_time);
    EXPECT_TRUE(system.warnings.empty());
    const std::vector<std::vector<double>> fields{noise(grid.count(), 5), noise(grid.count(), 6)};
    systems::CellContext context = context_of(system, grid, fields);
    context.cell = {4, 2, 0};
    const auto lap = [&](const std::vector<double> &f) {
        const auto at = [&](int x, int y) { return f[grid.index(x, y, 0)]; };
        return (at(5, 2) - 2.0 * at(4, 2) + at(3, 2)) / (0.02 * 0.02) +
               (at(4, 3) - 2.0 * at(4, 2) + at(4, 1)) / (0.03 * 0.03);
    };
    const double u = fields[0][grid.index(4, 2, 0)], v = fields[1][grid.index(4, 2, 0)];
    const std::map<int, double> rates = run_printed(systems::print_rates(system), context);
    EXPECT_NEAR(rates.at(0), 2.0e-5 * lap(fields[0]) - u * v * v + 0.04 * (1.0 - u), 1e-14);
    EXPECT_NEAR(rates.at(1), 1.0e-5 * lap(fields[1]) + u * v * v - 0.1 * v, 1e-14);
}

TEST(GrayScott, TakesFewTermsAndRegisters) {
    const System system = make_system(gray_scott(), unit_grid(2, 8));
    std::size_t loads = 0, products = 0;
    for (const systems::Term &term : system.rates.terms()) {
        loads += term.operation == systems::Operation::FIELD ? 1 : 0;
        products += term.operation == systems::Operation::MULTIPLY ? 1 : 0;
    }
    EXPECT_EQ(loads, 10U);    // five cells of two fields
    EXPECT_EQ(products, 4U);  // v v, u (v v), and one of each Laplacian: all others are fused with sums
    EXPECT_LE(systems::row_program(system).registers, 8);
    EXPECT_LE(systems::row_program(make_system(gray_scott(), unit_grid(3, 8))).registers, 12);
}

TEST(MakeSystem, GivesTheSameTextForOtherNumbers) {
    SystemConfig other = gray_scott();
    other.parameters[0].second = 1.0;
    Grid grid = unit_grid(2, 16);
    grid.spacing = {0.1, 0.3, 1.0};
    const System system = make_system(other, grid);
    EXPECT_EQ(systems::print_rates(system), systems::print_rates(make_system(gray_scott(), unit_grid(2, 8))));
    const auto find = [&](const std::string &name) {
        const auto found = std::find_if(system.parameters.begin(), system.parameters.end(),
                                        [&](const auto &parameter) { return parameter.first == name; });
        return found == system.parameters.end() ? NAN : found->second;
    };
    EXPECT_EQ(system.parameters[0].first, "Du");
    EXPECT_EQ(find("1 / hx"), 1.0 / 0.1);
    EXPECT_EQ(find("1 / (2 hy)"), 1.0 / (2.0 * 0.3));
    EXPECT_EQ(find("1 / hy^2"), 1.0 / (0.3 * 0.3));
}

TEST(MakeSystem, LowersSides) {
    const Grid grid = unit_grid(2, 4);
    SystemConfig config = config_of({{"u", "lap(u)"}, {"v", "lap(v) + t"}}, {{"s", 2.0}}, {{"r", "s*v^4"}});
    SystemSide &side = config.fields[1].sides[1];
    side.kind = SideKind::exchange;
    side.values.text = "y + u*sin(t)";
    side.coefficient.text = "r";
    config.fields[0].sides[2].kind = SideKind::value;
    config.fields[0].sides[3].kind = SideKind::flux;  // of 0
    const System system = make_system(config, grid);
    EXPECT_TRUE(system.depends_on_time);
    EXPECT_EQ(system.sides_of[0][0].values, -1);
    EXPECT_EQ(system.sides_of[0][2].kind, SideKind::value);
    EXPECT_EQ(system.sides.terms()[system.sides_of[0][3].values].number, 0.0);
    EXPECT_EQ(system.sides_of[0][3].coefficient, -1);
    const std::vector<std::vector<double>> fields{noise(grid.count(), 5), noise(grid.count(), 6)};
    systems::CellContext context = context_of(system, grid, fields);
    context.time = 0.75;
    context.cell = {3, 1, 0};
    const double u = fields[0][7], v = fields[1][7];
    for (const auto &results : {run_printed(systems::print_side(system, 1, 1), context),
                                run_program(systems::side_program(system, 1, 1), context)}) {
        ASSERT_EQ(results.size(), 2U);
        EXPECT_DOUBLE_EQ(results.at(0), 0.375 + u * std::sin(0.75));
        EXPECT_DOUBLE_EQ(results.at(1), 2.0 * std::pow(v, 4));
    }
    EXPECT_EQ(systems::print_side(system, 0, 3), "const real_t r" +
                                                     std::to_string(system.sides_of[0][3].values) +
                                                     " = VALUE_NUMBER(0.0);\nSIDE_VALUES(r" +
                                                     std::to_string(system.sides_of[0][3].values) + ");\n");
    EXPECT_TRUE(systems::side_program(system, 0, 0).instructions.empty());
}

TEST(MakeSystem, KnowsTimeOfSidesAlone) {
    SystemConfig config = config_of({{"u", "lap(u)"}});
    EXPECT_FALSE(make_system(config, unit_grid(2, 4)).depends_on_time);
    config.fields[0].sides[0].kind = SideKind::value;
    config.fields[0].sides[0].values.text = "t";
    EXPECT_TRUE(make_system(config, unit_grid(2, 4)).depends_on_time);
}

TEST(MakeSystem, ReadsCoefficients) {
    const Grid grid = unit_grid(2, 4);
    SystemConfig config = config_of({{"u", "c*u + dx(d)"}});
    config.coefficients = {{"c", {}}, {"d", {}}};
    const System system = make_system(config, grid);
    EXPECT_EQ(system.coefficients, (std::vector<std::string>{"c", "d"}));
    const std::vector<double> u = noise(grid.count(), 1), c = noise(grid.count(), 2),
                              d = noise(grid.count(), 3);
    const std::vector<double> rate = rates(system, grid, {u}, 0, {c, d});
    EXPECT_DOUBLE_EQ(rate[5], c[5] * u[5] + (d[6] - d[4]) * 2.0);
}

TEST(MakeSystem, StoresTheSameRateForTwoFields) {
    const Grid grid = unit_grid(2, 4);
    const System system = make_system(config_of({{"u", "u + v"}, {"v", "v + u"}, {"w", "u"}}), grid);
    EXPECT_EQ(system.rate_of[0], system.rate_of[1]);
    const std::vector<std::vector<double>> fields(3, noise(grid.count(), 1));
    const std::map<int, double> rates =
        run_program(systems::row_program(system), context_of(system, grid, fields));
    EXPECT_EQ(rates.at(0), 2.0 * fields[0][0]);
    EXPECT_EQ(rates.at(1), rates.at(0));
    EXPECT_EQ(rates.at(2), fields[0][0]);
    EXPECT_EQ(systems::row_program(system).registers, 2);
}

TEST(CellFormula, HasCoordinatesParametersAndParts) {
    Grid grid = unit_grid(2, 4);
    const SystemConfig config =
        config_of({{"u", "0*u + lap(v)"}, {"v", "1"}}, {{"s", 3.0}}, {{"r", "sqrt(x^2 + y^2)"}});
    const systems::CellFormula formula =
        systems::make_cell_formula(config, {"s*r + (y < 0.3 ? 1 : 0)", {}}, grid);
    systems::CellContext context;
    context.grid = &grid;
    for (const auto &[name, value] : formula.parameters) {
        context.parameters.push_back(value);
    }
    context.cell = {2, 0, 0};
    EXPECT_DOUBLE_EQ(systems::evaluate(formula.graph, formula.value, context),
                     3.0 * std::hypot(0.625, 0.125) + 1.0);
    context.cell = {0, 3, 0};
    EXPECT_DOUBLE_EQ(systems::evaluate(formula.graph, formula.value, context),
                     3.0 * std::hypot(0.125, 0.875));
    EXPECT_THROW(systems::make_cell_formula(config, {"u", {}}, grid), Failure);
    EXPECT_THROW(systems::make_cell_formula(config, {"(1, 2)", {}}, grid), Failure);
}

TEST(CellFormula, DrawsNumbersByCellAndSeed) {
    const Grid grid = unit_grid(2, 64);
    systems::CellContext context;
    context.grid = &grid;
    const auto numbers = [&](const std::string &text) {
        const systems::CellFormula formula = systems::make_cell_formula({}, {text, {}}, grid);
        std::vector<double> values = systems::evaluate_in_all_cells(formula.graph, formula.value, context);
        context.cell = {13, 7, 0};
        EXPECT_EQ(values.at(7 * 64 + 13), systems::evaluate(formula.graph, formula.value, context));
        return values;
    };
    const std::vector<double> one = numbers("random(1)"), two = numbers("random(2)");
    EXPECT_EQ(one, numbers("random(2 - 1)"));
    double mean = 0.0, product = 0.0, square = 0.0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_TRUE(one[i] >= 0.0 && one[i] < 1.0);
        mean += one[i] / 4096.0;
        square += std::pow(one[i] - 0.5, 2) / 4096.0;
        product += (one[i] - 0.5) * (two[i] - 0.5) / 4096.0;
    }
    EXPECT_NEAR(mean, 0.5, 0.018);  // four standard deviations
    EXPECT_NEAR(square, 1.0 / 12.0, 0.005);
    EXPECT_NEAR(product, 0.0, 0.0052);
}

}  // namespace
}  // namespace perdure::make_system_test
