// What the reference makes of formulas: a field q whose rate is the formula takes its value by one step of length 1 from 0.
#include <gtest/gtest.h>

#include "solver/failure.hpp"
#include "tests/solver/reference/system_of_texts.hpp"

namespace perdure::system_test {
namespace {

struct Sampled {
    Grid grid;
    SystemConfig system;
    std::vector<Values> coefficients, initial;

    // A field that stays, from which formulas are evaluated.
    void add(const std::string &name, const Function &function, const SystemSide &side = periodic()) {
        add_field(system, name, "0", side);
        initial.push_back(sample(grid, function));
    }
    [[nodiscard]] Values operator()(const std::string &formula, const SystemSide &side = periodic()) const {
        SystemConfig with_formula = system;
        add_field(with_formula, "q", formula, side);
        std::vector<Values> start = initial;
        start.emplace_back(grid.count(), 0.0);
        return reference::step_system(grid, with_formula, coefficients, start, euler, {1.0}, 0.25)
            .back()
            .values;
    }
};

double number(const std::string &formula) {
    Sampled sampled{make_grid({2, 2}), {}, {}, {}};
    sampled.system.parameters = {{"a", 3.0}, {"b", 4.0}};
    return sampled(formula)[0];
}

TEST(FormulaArrays, WordsBeyondThoseOfMuparserMeanWhatTheLanguageSays) {
    const std::vector<std::pair<std::string, double>> known{{"-2^2", -4.0},
                                                            {"2^-1", 0.5},
                                                            {"2^3^2", 512.0},
                                                            {"-a^2*b", -36.0},
                                                            {"a - -b", 7.0},
                                                            {"1.5e1+.5", 15.5},
                                                            {"2*e", 2 * std::numbers::e},
                                                            {"a < b and b < 5", 1.0},
                                                            {"a > b or 0", 0.0},
                                                            {"not a > b", 1.0},
                                                            {"not a", 0.0},
                                                            {"!(a<b)&&1", 0.0},
                                                            {"1 or 0 and 0", 1.0},
                                                            {"not 0 and 0", 0.0},
                                                            {"2 and 3", 1.0},
                                                            {"if(a < b, 10, 20)", 10.0},
                                                            {"if(a == b, 1/0, 20)", 20.0},
                                                            {"a != b ? 5 : 6", 5.0},
                                                            {"mod(-1, 3)", 2.0},
                                                            {"mod(7.5, 2)", 1.5},
                                                            {"floor(-1.5) + 10*ceil(1.2)", 18.0},
                                                            {"round(2.5) + 10*round(-0.5)", -7.0},
                                                            {"pow(a, 2) + pow(2, -1)", 9.5},
                                                            {"max(a, b) - min(a, b, 1)", 3.0},
                                                            {"log(e^2) + sqrt(b) + abs(-a)", 7.0},
                                                            {"cos(pi) + tanh(0) + exp(0)", 0.0},
                                                            {"sign(-a) + log10(100) + sinh(0)*cosh(0)", 1.0},
                                                            {"a<!b && 1", 0.0},
                                                            {"1e-1*a-.5", -0.2},
                                                            {"t", 0.25}};
    for (const auto &[formula, expected] : known) {
        EXPECT_NEAR(number(formula), expected, 1e-14) << formula;
    }
}

TEST(FormulaArrays, LongFormulasAndDeepBracketsAreEvaluated) {
    std::string sum = "a";
    for (int i = 0; i < 4000; ++i) {
        sum += " + a";
    }
    EXPECT_EQ(number(sum), 3.0 * 4001);
    EXPECT_EQ(number(std::string(5000, '(') + "b" + std::string(5000, ')')), 4.0);
}

TEST(FormulaArrays, RandomNumbersFollowFromSeedAndCell) {
    const Sampled sampled{make_grid({3, 2}), {}, {}, {}};
    const Values expected{0.8833108082136426,  0.5665615751722809,  0.5911897341980794,
                          0.11345034205715454, 0.43145581774497377, 0.386768045983934};
    EXPECT_EQ(sampled("random(1)"), expected);
    EXPECT_EQ(sampled("random(7)")[4], 0.9206799357119667);
    // Neighbours beyond a periodic side have the numbers of the cells that they repeat.
    const double h = 1.0 / 3.0;
    EXPECT_DOUBLE_EQ(sampled("dx(random(1))")[0], (expected[1] - expected[2]) / (2 * h));
}

TEST(FormulaArrays, DifferencesOfPolynomialsAreTheirDerivatives) {
    Sampled sampled{make_grid({6, 5, 4}, {3.0, 2.0, 1.0}), {}, {}, {}};
    const auto expect = [&](const std::string &formula, const Function &function) {
        const Values values = sampled(formula), exact = sample(sampled.grid, function);
        const std::int64_t middle = sampled.grid.index(3, 2, 1);  // away from sides, where coordinates wrap
        EXPECT_NEAR(values[middle], exact[middle], 1e-11) << formula;
    };
    sampled.add("u", [](double x, double y, double z) { return x * x + 3 * y * y - z * z + x * y * z; });
    expect("dx(u)", [](double x, double y, double z) { return 2 * x + y * z; });
    expect("dy(u)", [](double x, double y, double z) { return 6 * y + x * z; });
    expect("dz(u)", [](double x, double y, double z) { return -2 * z + x * y; });
    expect("dxx(u) + 10*dyy(u) + 100*dzz(u)", [](double, double, double) { return 2 + 60 - 200; });
    expect("lap(u)", [](double, double, double) { return 6; });
    expect("dx(dy(u))", [](double, double, double z) { return z; });
    expect("dot((1, 2, 3), grad(u))", [](double x, double y, double z) {
        return 2 * x + y * z + 12 * y + 2 * x * z - 6 * z + 3 * x * y;
    });
    expect("dot(x*grad(u) - (y, 0, 0), (2, 0, 0)/y)",
           [](double x, double y, double z) { return 2 / y * (x * (2 * x + y * z) - y); });
    expect("div((x*u, y, -z))", [](double x, double y, double z) {
        return 3 * x * x + 0.25 + 3 * y * y - z * z + 2 * x * y * z;  // 3 x^2 + h^2 is that of x^3
    });
}

TEST(FormulaArrays, DivergenceTakesHarmonicMeansAtFaces) {
    Sampled sampled{make_grid({4, 3}, {2.0, 3.0}), {}, {}, {}};
    sampled.add("u", [](double x, double y, double) { return std::sin(7 * x) + y * y; });
    sampled.coefficients = {{1, 2, 0, 4, 0, 0, 3, 5, 8, 1, 7, 2}};
    sampled.system.coefficients.emplace_back("a", ValueSource{});
    const Values &u = sampled.initial[0], &a = sampled.coefficients[0];
    const auto mean = [&](int i, int j) { return a[i] + a[j] > 0 ? 2 * a[i] * a[j] / (a[i] + a[j]) : 0.0; };
    const auto flow = [&](int i, int j, double h) { return mean(i, j) * (u[j] - u[i]) / (h * h); };
    const Values divergence = sampled("div(a*grad(u))");
    EXPECT_NEAR(divergence[9], flow(9, 8, 0.5) + flow(9, 10, 0.5) + flow(9, 5, 1) + flow(9, 1, 1), 1e-12);
    EXPECT_NEAR(divergence[4], flow(4, 7, 0.5) + flow(4, 5, 0.5) + flow(4, 0, 1) + flow(4, 8, 1), 1e-12);
    EXPECT_LT(largest_difference(sampled("div(grad(u))"), sampled("lap(u)")), 1e-11);
    add_part(sampled.system, "flow", "-a*grad(u)/2");
    for (const std::string same :
         {"div(grad(u)*a)", "-div(-(a*grad(u)))", "div(2*a*grad(u)/2)", "-2*div(flow)",
          "div(3*a*grad(u) - 2*(a*grad(u)))", "div(a*(grad(u) + (1, 2)) - a*(1, 2))",
          "div(a*grad(u - v)) + div(a*grad(v))"}) {
        Sampled with_v = sampled;
        with_v.add("v", [](double x, double y, double) { return x * y; });
        EXPECT_LT(largest_difference(with_v(same), divergence), 1e-11) << same;
    }
    EXPECT_NEAR(sampled("div((a + u)*(1, 0))")[5], (a[6] + u[6] - a[4] - u[4]) / (2 * 0.5), 1e-12);
}

TEST(FormulaArrays, CoordinatesGoOnBeyondSidesAndCoefficientsAreMirrored) {
    Sampled sampled{make_grid({4, 2}), {}, {}, {}};
    sampled.coefficients = {{1, 2, 3, 5, 7, 11, 13, 17}};
    sampled.system.coefficients.emplace_back("a", ValueSource{});
    const double h = 0.25;
    EXPECT_DOUBLE_EQ(sampled("dx(x)")[0], (0.375 - 0.875) / (2 * h));
    EXPECT_DOUBLE_EQ(sampled("dx(a)")[0], (2.0 - 5.0) / (2 * h));
    EXPECT_DOUBLE_EQ(sampled("dx(x)", flux("0"))[0], 1.0);
    EXPECT_DOUBLE_EQ(sampled("dx(a)", flux("0"))[0], (2.0 - 1.0) / (2 * h));
    EXPECT_DOUBLE_EQ(sampled("dy(a)", flux("0"))[7], (17.0 - 5.0) / (2 * 0.5));
    // q = 0 has the value 3 at each side: what flows in there meets half a cell of its own coefficient.
    EXPECT_DOUBLE_EQ(sampled("div(a*grad(q))", value("3"))[7],
                     17 * (2 * 3.0) * (1 / (h * h) + 1 / (0.5 * 0.5)));
}

// Products of cosines and sines are eigenvectors of second differences where sides mirror them, with -(2 sin(k h / 2) / h)^2 along each axis.
TEST(FormulaArrays, NestedDerivativesReachBeyondSidesAndCorners) {
    for (const std::vector<std::int64_t> &cells : {std::vector<std::int64_t>{8, 5}, {8, 5, 4}}) {
        Sampled sampled{make_grid(cells), {}, {}, {}};
        const bool solid = cells.size() == 3;
        const auto mode = [&](double x, double y, double z) {
            return std::cos(pi * x) * std::sin(pi * y) * (solid ? std::cos(2 * pi * z) : 1.0);
        };
        sampled.add("u", mode);
        sampled.system.fields[0].sides = {flux("0"),  flux("0"),  value("0"),
                                          value("0"), periodic(), periodic()};
        add_part(sampled.system, "mu", "-lap(u)");
        const std::array<SystemSide, 6> sides = sampled.system.fields[0].sides;
        const auto evaluate = [&](const std::string &formula) {
            SystemConfig system = sampled.system;
            add_field(system, "q", formula).sides = sides;
            return reference::step_system(sampled.grid, system, {},
                                          {sampled.initial[0], Values(sampled.grid.count())}, euler, {1.0},
                                          0.0)[1]
                .values;
        };
        const auto wave = [&](int axis, double k) {
            const double h = sampled.grid.spacing[axis];
            return std::pow(2 * std::sin(k * h / 2) / h, 2);
        };
        const double lambda = wave(0, pi) + wave(1, pi) + (solid ? wave(2, 2 * pi) : 0.0);
        const auto expect = [&](const std::string &formula, double factor, const Function &function) {
            EXPECT_LT(largest_difference(evaluate(formula), sample(sampled.grid,
                                                                   [&](double x, double y, double z) {
                                                                       return factor * function(x, y, z);
                                                                   })),
                      1e-12 * std::pow(lambda, 3))
                << formula;
        };
        expect("lap(lap(u))", lambda * lambda, mode);
        expect("lap(mu) + 0*lap(lap(lap(u)))", -lambda * lambda, mode);
        expect("lap(lap(mu))", std::pow(lambda, 3), mode);
        const double dx = std::sin(pi * sampled.grid.spacing[0]) / sampled.grid.spacing[0];
        const double dy = std::sin(pi * sampled.grid.spacing[1]) / sampled.grid.spacing[1];
        expect("dx(dy(u))", -dx * dy, [&](double x, double y, double z) {
            return std::sin(pi * x) * std::cos(pi * y) * (solid ? std::cos(2 * pi * z) : 1.0);
        });
    }
}

TEST(FormulaArrays, WhatHasNoMeaningIsRefused) {
    Sampled sampled{make_grid({4, 4}), {}, {}, {}};
    sampled.add("u", [](double x, double, double) { return x; });
    add_part(sampled.system, "balance", "conserve(u, u; 1)");
    for (const std::string formula : {"grad(u)", "dz(u)", "conserve(u; 1)", "balance", "dot(u, (1, 2))",
                                      "div((1, 2, 3))", "div(u/grad(u))", "div(u*2)", "unknown + 1", "lap(u",
                                      "if(u, 1)", "div()", "lap()", "upwind((1, 1))"}) {
        EXPECT_THROW(sampled(formula), Failure) << formula;
    }
    EXPECT_THROW(sampled("u", value("0")), Failure);  // u is periodic, q is not
}

}  // namespace
}  // namespace perdure::system_test
