#include "solver/case_file/number_of_text.hpp"

#include <cmath>

#include "tests/solver/case_file/case_files.hpp"

namespace perdure::tests::number_of_text_test {
namespace {

TEST(NumberOfText, MayBeAnExpressionOfNumbers) {
    EXPECT_EQ(number_of_text("0.25"), 0.25);
    EXPECT_EQ(number_of_text("1/64"), 1.0 / 64.0);
    EXPECT_EQ(number_of_text("-2*pi"), -2.0 * std::acos(-1.0));
    EXPECT_EQ(number_of_text("sqrt(9) + 2^3"), 11.0);
    for (const char *const text : {"", "x", "t", "2*x", "random(1)", "u", "1/0", "0/0", "1e400", "1 2", "1/",
                                   "nan", "0x10", "010", "1_000", "1,5"}) {
        EXPECT_EQ(number_of_text(text), std::nullopt) << text;
    }
}

TEST(NumberOfText, IsWholeWithoutAFraction) {
    EXPECT_EQ(whole_number_of_text("64"), 64);
    EXPECT_EQ(whole_number_of_text("64/2"), 32);
    EXPECT_EQ(whole_number_of_text("2^20"), 1 << 20);
    for (const char *const text : {"64.0", "6.4e1", "1/2", "2^60", "2*x", "pi"}) {
        EXPECT_EQ(whole_number_of_text(text), std::nullopt) << text;
    }
}

TEST(NumberOfText, MistakesInExpressionsAreNamed) {
    EXPECT_TRUE(mistake_in_number("tann(2)").starts_with("unknown function 'tann'"))
        << mistake_in_number("tann(2)");
    EXPECT_NE(mistake_in_number("gauss(2)").find("the functions are if, sqrt, exp"), std::string::npos);
    EXPECT_EQ(mistake_in_number("sin(x)"), "an expression here is of numbers alone, and finite");
    EXPECT_EQ(mistake_in_number("fast"), "");
    EXPECT_EQ(mistake_in_number("sqrt(4)"), "");
}

class NumbersOfACase : public CaseFileTest {};

TEST_F(NumbersOfACase, StandWhereverANumberStands) {
    const Config config = load(R"yaml(
problem: {type: heat, a: "1/4", initial: 1}
grid: {shape: [2*8, "10"], spacing: 1/64, origin: [0, -pi]}
boundary: {x-: {exchange: {coefficient: 3/2, ambient: 1 - 1/3}}}
time: {end: 0.5*4, dt: 1/1000, method: euler}
solver: {check_every: 5*5}
)yaml");
    EXPECT_EQ(config.grid.cells[0], 10);
    EXPECT_EQ(config.grid.cells[1], 16);
    EXPECT_EQ(config.grid.spacing[0], 1.0 / 64.0);
    EXPECT_EQ(config.grid.origin[1], 0.0);
    EXPECT_EQ(config.time->end, 2.0);
    EXPECT_EQ(config.time->step, 0.001);
    EXPECT_EQ(config.solver.check_every, 25);
}

}  // namespace
}  // namespace perdure::tests::number_of_text_test
