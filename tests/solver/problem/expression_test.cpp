// Long expressions.
#include "solver/problem/expression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>

namespace perdure::expression_test {
namespace {

std::string sum_of(int terms, const std::string &term) {
    std::string text = term;
    for (int i = 1; i < terms; ++i) {
        text += "+" + term;
    }
    return text;
}

/// Processor time that it takes to parse, the least of a few: others use the machine as well.
double seconds_to_parse(const std::string &text) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
        const std::clock_t begin = std::clock();
        Expression(text, {"x", "y", "z"});
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
    Expression expression(sum_of(10000, "x"), {"x"});
    const double x = 0.5;
    EXPECT_EQ(expression({&x, 1}), 5000.0);
}

TEST(Expression, OperatorsAreReadAsBefore) {
    const double x = 2.0;
    for (const auto &[text, value] : std::vector<std::pair<std::string, double>>{{"x^2-x/4", 3.5},
                                                                                 {"x<3&&x>1", 1.0},
                                                                                 {"x>=2?x==2?7:8:9", 7.0},
                                                                                 {"x!=2||x<=1", 0.0},
                                                                                 {"-x+-x", -4.0},
                                                                                 {"1e-1*x+e-e", 0.2},
                                                                                 {"sin(pi)*0+exp(0)", 1.0},
                                                                                 {"2*-x^2", -8.0}}) {
        Expression expression(text, {"x"});
        EXPECT_DOUBLE_EQ(expression({&x, 1}), value) << text;
    }
}

TEST(Expression, ThatIsTooLongOrNamesWhatIsNotThereIsRefusedBriefly) {
    for (const std::string &text : {sum_of(10001, "x"), std::string(9000, 'w')}) {
        try {
            Expression(text, {"x"});
            ADD_FAILURE() << text.size();
        } catch (const ExpressionError &error) {
            EXPECT_LT(std::string(error.what()).size(), 200U) << error.what();
        }
    }
}

}  // namespace
}  // namespace perdure::expression_test
