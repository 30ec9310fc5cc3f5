// Expressions of values and factors.
#include "solver/problem/expression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>

#include "kernels/cell_random.h"
#include "solver/failure.hpp"

namespace perdure::expression_test {
namespace {

std::string sum_of(int terms, const std::string &term) {
    std::string text = term;
    for (int i = 1; i < terms; ++i) {
        text += "+" + term;
    }
    return text;
}

SamplePoints line_of(std::vector<double> x) {
    return {3, -1, {std::move(x), {0.25}, {-1.0}}};
}

double value_at(const std::string &text, double x) {
    return values_of_expression({text, {}}, line_of({x}))[0];
}

std::string failure_of(const std::string &text) {
    try {
        values_of_expression({text, {}}, line_of({0.0}));
        return {};
    } catch (const Failure &failure) {
        return failure.what();
    }
}

/// Processor time that it takes to parse, the least of a few: others use the machine as well.
double seconds_to_parse(const std::string &text) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
        std::string not_kept_from_before = text;
        not_kept_from_before.back() = static_cast<char>('0' + i);
        const std::clock_t begin = std::clock();
        value_at(not_kept_from_before, 0.0);
        least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
}

TEST(Expression, TakesTimeInProportionToItsLength) {
    const double one = seconds_to_parse(sum_of(1250, "x"));
    const double eight = seconds_to_parse(sum_of(10000, "x"));
    EXPECT_LT(eight, 24.0 * one) << one << " s for an eighth of the terms";  // 64 times when quadratic
}

TEST(Expression, OfTenThousandTermsHasTheValueOfItsSum) {
    EXPECT_EQ(value_at(sum_of(10000, "x"), 0.5), 5000.0);
}

/// Files that were written for muParser, which read expressions before.
TEST(Expression, OperatorsAndFunctionsAreReadAsBefore) {
    const double x = 2.0;
    for (const auto &[text, value] : std::vector<std::pair<std::string, double>>{
             {"x^2-x/4", 3.5},
             {"x<3&&x>1", 1.0},
             {"x>=2?x==2?7:8:9", 7.0},
             {"x!=2||x<=1", 0.0},
             {"-x+-x", -4.0},
             {"1e-1*x+0*e", 0.2},
             {"sin(pi)*0+exp(0)", 1.0},
             {"2*-x^2", -8.0},
             {"2^3^x", 512.0},
             {"sum(x, 1, 2) + avg(x, 4)", 8.0},
             {"rint(x + 0.5) - rint(-0.5)", 3.0},
             {"ln(x) - log(x) + log2(8*x) + log10(100)", 6.0},
             {"atan2(x, -x)", std::atan2(x, -x)},
             {"sinh(x)*cosh(x)*tanh(x)", std::pow(std::sinh(x), 2)},
             {"asinh(x) + acosh(x) + atanh(x/4)", std::asinh(x) + std::acosh(x) + std::atanh(x / 4)},
             {"sign(-x)*abs(-x)*min(1, x, 3)*max(0, x)", -4.0}}) {
        EXPECT_DOUBLE_EQ(value_at(text, x), value) << text;
    }
}

TEST(Expression, KnowsTheGrammarOfFormulas) {
    for (const auto &[text, value] : std::vector<std::pair<std::string, double>>{
             {"if(x < 3 and not x == 1, 5, 6)", 5.0},
             {"mod(-x, 3) + floor(1.5) + ceil(1.5) + round(2.5)", 7.0},
             {"pow(x, 5) + erf(x)", 32.0 + std::erf(2.0)},
             {"y + z", -0.75}}) {
        EXPECT_DOUBLE_EQ(value_at(text, 2.0), value) << text;
    }
}

TEST(Expression, HasAValueForEachPointInTheirOrder) {
    SamplePoints points{3, -1, {std::vector<double>(7), std::vector<double>(11), std::vector<double>(13)}};
    for (std::vector<double> &along : points.coordinates) {
        std::iota(along.begin(), along.end(), 0.0);
    }
    const Samples values = values_of_expression({"x + 100*y + 10000*z", {}}, points);
    ASSERT_EQ(values.values.size(), 7U * 11 * 13);
    for (std::int64_t i = 0; i < points.count(); ++i) {
        const auto [x, y, z] = points.indices(i);
        ASSERT_EQ(values[i], static_cast<double>(x + 100 * y + 10000 * z)) << i;
    }
    const Samples random = values_of_expression({"random(3)", {}}, points);
    EXPECT_EQ(random[500], cell_random_double(3, 500));
    EXPECT_TRUE(values_of_expression({"2*pi", {}}, points).uniform());
}

TEST(Expression, ThatIsTooLongOrNamesWhatIsNotThereIsRefusedBriefly) {
    for (const std::string &text : {sum_of(10001, "x"), std::string(9000, 'w')}) {
        const std::string failure = failure_of(text);
        EXPECT_FALSE(failure.empty()) << text.size();
        EXPECT_LT(failure.size(), 400U) << failure;
    }
}

TEST(Expression, HasNeitherTimeNorDerivatives) {
    EXPECT_NE(failure_of("x*t").find("the time t cannot be used in a value of each cell"), std::string::npos);
    EXPECT_NE(failure_of("lap(x)").find("the derivative lap(u) cannot be used in a value"),
              std::string::npos);
    EXPECT_NE(failure_of("(x, y, z)").find("is a vector"), std::string::npos) << failure_of("(x, y, z)");
    EXPECT_NE(failure_of("sinn(x)").find("sin"), std::string::npos);
}

TEST(Factor, IsOfTimeAlone) {
    EXPECT_EQ(values_of_factor({"if(t < 1, 2*t, 2)", {}}, {0.0, 0.5, 3.0}),
              (std::vector<double>{0.0, 1.0, 2.0}));
    for (const auto &[text, told] : std::vector<std::pair<std::string, std::string>>{
             {"x", "the coordinate x cannot be used in a factor, which depends only on t"},
             {"random(1)", "random numbers, which differ from cell to cell, cannot be used in a factor"}}) {
        try {
            values_of_factor({text, {}}, {0.0});
            ADD_FAILURE() << text;
        } catch (const Failure &failure) {
            EXPECT_NE(std::string(failure.what()).find(told), std::string::npos) << failure.what();
        }
    }
}

}  // namespace
}  // namespace perdure::expression_test
