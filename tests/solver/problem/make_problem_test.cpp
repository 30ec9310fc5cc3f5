#include <gtest/gtest.h>

#include <locale>
#include <numbers>
#include <sstream>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/problem.hpp"

namespace perdure::make_problem_test {
namespace {

ValueSource number(double value, int line = 0) {
    ValueSource source;
    source.number = value;
    source.position = {"case.yaml", line, 1};
    return source;
}

ValueSource expression(const std::string &text, int line = 0, int column = 1) {
    ValueSource source;
    source.kind = ValueSource::Kind::expression;
    source.expression = text;
    source.position = {"case.yaml", line, column};
    return source;
}

// 3 x 2 cells of 0.5 x 2 with corner (10, 20), a = 1, flux 0.
Config plane() {
    Config config;
    config.path = "case.yaml";
    config.grid.cells = {3, 2, 1};
    config.grid.spacing = {0.5, 2.0, 1.0};
    config.grid.origin = {10.0, 20.0, 0.0};
    config.a = number(1.0);
    return config;
}

// 4 x 3 x 2 unit cells, a = 1, flux 0.
Config box() {
    Config config;
    config.path = "case.yaml";
    config.grid.dimensions = 3;
    config.grid.cells = {4, 3, 2};
    config.a = number(1.0);
    return config;
}

void set_side(Config &config, int side, SideKind kind, const ValueSource &values, double coefficient = 0.0) {
    config.sides[side].kind = kind;
    config.sides[side].values = values;
    config.sides[side].coefficient = number(coefficient);
}

// Code and messages, one a line, of the failure that make_problem ends with.
std::string failure_of(const Config &config) {
    try {
        make_problem(config);
    } catch (const Failure &failure) {
        std::ostringstream text;
        text << static_cast<int>(failure.code());
        for (const Diagnostic &diagnostic : failure.diagnostics()) {
            text << "\n"
                 << diagnostic.position.line << ":" << diagnostic.position.column << " "
                 << diagnostic.message;
        }
        return text.str();
    }
    return "no failure";
}

TEST(MakeProblem, SamplesExpressionsAtCellCentres) {
    Config config = plane();
    config.a = expression("x + 100 * y");
    const Problem problem = make_problem(config);
    const std::vector<double> expected{2110.25, 2110.75, 2111.25, 2310.25, 2310.75, 2311.25};
    EXPECT_EQ(problem.only_field().a.values, expected);
}

TEST(MakeProblem, SamplesSidesAtFaceCentres) {
    Config config = plane();
    set_side(config, 1, SideKind::value, expression("x + y / 100"));
    set_side(config, 2, SideKind::exchange, expression("x + y"), 4.0);
    const Problem problem = make_problem(config);
    EXPECT_EQ(problem.only_field().sides[1].values.values, (std::vector<double>{11.5 + 0.21, 11.5 + 0.23}));
    EXPECT_EQ(problem.only_field().sides[2].values.values, (std::vector<double>{30.25, 30.75, 31.25}));
    EXPECT_EQ(problem.only_field().sides[2].coefficient.values, (std::vector<double>{4.0}));
}

TEST(MakeProblem, OrdersFacesAsCellsWithoutTheAxisOfTheSide) {
    Config config = box();
    set_side(config, 3, SideKind::value, expression("100 * x + 10 * y + z"));
    set_side(config, 4, SideKind::value, expression("100 * x + 10 * y + z"));
    const Problem problem = make_problem(config);
    EXPECT_EQ(problem.only_field().sides[3].values.values,
              (std::vector<double>{80.5, 180.5, 280.5, 380.5, 81.5, 181.5, 281.5, 381.5}));
    ASSERT_EQ(problem.only_field().sides[4].values.values.size(), 12U);
    EXPECT_EQ(problem.only_field().sides[4].values[5], 165.0);
}

TEST(MakeProblem, LargeExpressionFieldsDoNotDependOnThreads) {
    Config config = box();
    config.grid.cells = {61, 67, 71};
    config.initial = expression("x + 100 * y + 10000 * z");
    const Problem problem = make_problem(config);
    for (std::int64_t i = 0; i < problem.grid.count(); i += 997) {
        const double x = 0.5 + static_cast<double>(i % 61);
        const double y = 0.5 + static_cast<double>(i / 61 % 67);
        const double z = 0.5 + static_cast<double>(i / (61 * 67));
        EXPECT_EQ(problem.only_field().initial[i], x + 100.0 * y + 10000.0 * z) << i;
    }
}

TEST(MakeProblem, ConstantExpressionsAreUniform) {
    Config config = plane();
    config.a = expression("2 * pi");
    config.sigma = expression("e^1");
    const Problem problem = make_problem(config);
    EXPECT_EQ(problem.only_field().a.values, (std::vector<double>{2.0 * std::numbers::pi}));
    EXPECT_EQ(problem.only_field().sigma.values, (std::vector<double>{std::numbers::e}));
}

struct CommaDecimal : std::numpunct<char> {
    [[nodiscard]] char do_decimal_point() const override { return ','; }
    [[nodiscard]] char do_thousands_sep() const override { return '.'; }
};

TEST(MakeProblem, ExpressionsDoNotDependOnTheLocale) {
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaDecimal));
    Config config = plane();
    config.initial = expression("1.5 - 2^2 + (x - 12)^3 * 0");
    const Problem problem = make_problem(config);
    std::locale::global(before);
    EXPECT_EQ(problem.only_field().initial[0], -2.5);
}

TEST(MakeProblem, ReportsEveryExpressionErrorAtItsToken) {
    Config config = plane();
    config.text = "problem:\n  a: 1 + foo * x\n  sigma: sin(x\n  f: 'x * t'\n  initial: z\n";
    config.a = expression("1 + foo * x", 2, 6);
    config.sigma = expression("sin(x", 3, 10);
    config.f = expression("x * t", 4, 6);
    config.initial = expression("z", 5, 12);
    EXPECT_EQ(
        failure_of(config),
        "2\n"
        "2:10 problem.a: unknown name 'foo'; the names known here are x, y, pi, e\n"
        "3:15 problem.sigma: the formula ends here, but the 'sin(' at character 1 is not closed\n4:11 "
        "problem.f: the time t cannot be used in a value of each cell; write the part that depends on t "
        "as a 'factor' next to the expression\n5:12 problem.initial: the grid has 2 dimensions, x "
        "and y: there is no z");
}

TEST(MakeProblem, RefusesAssignmentsAndSeveralValues) {
    Config config = plane();
    config.a = expression("x = 2", 1);
    config.f = expression("x, y", 2);
    config.initial = expression("x >= 2 && x != 3", 3);
    EXPECT_EQ(failure_of(config),
              "2\n"
              "1:1 problem.a: '=' is not allowed in a formula; compare two values with '==' (character 3 of "
              "'x = 2')\n2:1 problem.f: ',' is allowed only inside brackets; write (a, b) for a vector "
              "(character 2 of 'x, y')");
}

TEST(MakeProblem, NamesTheFirstCellOfUnacceptableValues) {
    Config config = box();
    config.a = expression("x - 1", 3);
    config.f = expression("1 / (y - 1.5)", 4);
    config.sigma = number(-2.0, 5);
    config.initial = expression("log(z - 1)", 6);
    set_side(config, 0, SideKind::value, expression("sqrt(1 - z)", 7));
    EXPECT_EQ(
        failure_of(config),
        "5\n"
        "3:1 problem.a must be finite and not negative, but is -0.5 at cell [z, y, x] = [0, 0, 0], "
        "(x, y, z) = (0.5, 0.5, 0.5); the same holds at 5 more points\n"
        "5:1 problem.sigma must be finite and not negative, but is -2 everywhere\n"
        "4:1 problem.f must be finite, but is inf at cell [z, y, x] = [0, 1, 0], (x, y, z) = (0.5, 1.5, "
        "0.5); the same holds at 7 more points\n"
        "7:1 boundary.x-.value must be finite, but is nan at face [z, y] = [1, 0], (x, y, z) = (0, 0.5, "
        "1.5); the same holds at 2 more points\n"
        "6:1 problem.initial must be finite, but is nan at cell [z, y, x] = [0, 0, 0], (x, y, z) = "
        "(0.5, 0.5, 0.5); the same holds at 11 more points");
}

TEST(MakeProblem, RefusesANegativeExchangeCoefficient) {
    Config config = plane();
    set_side(config, 3, SideKind::exchange, number(0.0), -1.0);
    config.sides[3].coefficient.position.line = 9;
    EXPECT_EQ(
        failure_of(config),
        "5\n9:1 boundary.y+.exchange.coefficient must be finite and not negative, but is -1 everywhere");
}

// a = 1 but in cells [0, 2] and [1, 2]; h is 0.5 along x and 2 along y.
Config with_flow(Convection convection) {
    Config config = plane();
    config.a = expression("x > 11 ? 0.25 : 1", 2);
    set_side(config, 0, SideKind::value, number(1.0));
    config.velocity.emplace();
    config.velocity->convection = convection;
    config.velocity->position = {"case.yaml", 7, 3};
    config.velocity->components = {expression("y - 20", 7), number(-0.25, 7), number(0.0, 7)};
    return config;
}

TEST(MakeProblem, WarnsOfTheLargestCellPecletNumberUnderCentralDifferences) {
    const Problem problem = make_problem(with_flow(Convection::central));
    EXPECT_TRUE(problem.only_field().convective);
    EXPECT_EQ(problem.only_field().velocity[0].values, (std::vector<double>{1, 1, 1, 3, 3, 3}));
    EXPECT_EQ(problem.only_field().velocity[1].values, (std::vector<double>{-0.25}));
    ASSERT_EQ(problem.warnings.size(), 1U);
    EXPECT_EQ(problem.warnings[0].position.line, 7);
    EXPECT_EQ(problem.warnings[0].message,
              "problem.velocity: the cell Peclet number |v| h / a reaches 6 along x in cell [y, x] = [1, 2] "
              "and is above 2 in 1 of 6 cells; central differences may oscillate and the iteration "
              "may stagnate; use problem.convection: upwind, or a spacing of at most 0.167");
    EXPECT_TRUE(make_problem(with_flow(Convection::upwind)).warnings.empty());
}

TEST(MakeProblem, AVelocityNeedsALevel) {
    Config config = with_flow(Convection::upwind);
    config.sides[0].kind = SideKind::flux;
    config.sides[0].values = number(0.0);
    EXPECT_EQ(
        failure_of(config),
        "5\n7:3 problem.velocity: with a velocity, u is determined only up to a constant; give a side a " +
            kinds_that_fix_level() + ", or set sigma > 0");
    config.velocity->components[1] = expression("1 / (x - x)", 9);
    EXPECT_NE(failure_of(config).find("9:1 problem.velocity[0] must be finite"), std::string::npos)
        << failure_of(config);
}

TEST(MakeProblem, RefusesAFactorThatDoesNotParse) {
    Config config = plane();
    config.type = ProblemType::heat;
    config.f = number(1.0, 4);
    config.f.time_factor = "sin(w * t)";
    EXPECT_EQ(failure_of(config),
              "2\n4:1 problem.f: unknown name 'w'; the names known here are t, pi, e (character 5 of 'sin(w "
              "* t)')");
}

TEST(TimeFactor, IsEvaluatedAtTheTimesGiven) {
    EXPECT_EQ(evaluate_time_factor("", {0.0, 1.0}), (std::vector<double>{1.0, 1.0}));
    EXPECT_EQ(evaluate_time_factor("2 * t^2 + 1", {0.0, 0.5, 3.0}), (std::vector<double>{1.0, 1.5, 19.0}));
    EXPECT_DOUBLE_EQ(evaluate_time_factor("sin(pi * t)", {0.5})[0], 1.0);
}

TEST(TimeFactor, NamesTheTimeWhereItIsNotFinite) {
    try {
        evaluate_time_factor("1 / (t - 2)", {0.0, 2.0});
        FAIL();
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        EXPECT_STREQ(failure.what(),
                     "factor '1 / (t - 2)' is infinite at t = 2; it must be finite at every step");
    }
}

}  // namespace
}  // namespace perdure::make_problem_test
