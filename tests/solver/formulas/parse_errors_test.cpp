// Every error of parse(), word by word, with the characters that it is about.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/formulas/tree.hpp"

namespace perdure::formulas::parse_errors_test {
namespace {

struct Wrong {
    std::string formula;
    int begin, end;
    std::string message;
};

const std::string no_semicolon =
    "';' is allowed only inside the brackets of a function, as in conserve(fx, fy; speed)";
const std::string misread = "'!' before a comparison can be misread; write !(a < b) or (!a) < b";
const std::string no_chain =
    "comparisons cannot be chained; join two of them with 'and', as in a < b and b < c";

const std::vector<Wrong> wrong{
    {"", 0, 0, "the formula is empty; expected a value such as 0 or 2*u"},
    {"  ", 0, 2, "the formula is empty; expected a value such as 0 or 2*u"},
    // values that are missing
    {"1 +", 3, 3, "the formula ends here; expected a value after '+'"},
    {"-", 1, 1, "the formula ends here; expected a value after '-'"},
    {"a and", 5, 5, "the formula ends here; expected a value after 'and'"},
    {"1 + * 2", 4, 5, "expected a value after '+', found '*'"},
    {"* 2", 0, 1, "expected a value, found '*'"},
    {")", 0, 1, "expected a value, found ')'"},
    {"a * not b", 4, 7, "put 'not' and its operand in brackets: (not a)"},
    {"a == !b", 5, 6, "put '!' and its operand in brackets: (! a)"},
    {"-not a", 1, 4, "expected a value after '-', found 'not'"},
    {"max(a,)", 6, 7, "expected a value after ',', found ')'"},
    {"max(,a)", 4, 5, "expected a value after '(', found ','"},
    {"max(a,,b)", 6, 7, "expected a value after ',', found ','"},
    {"conserve(a; )", 12, 13, "expected a value after ';', found ')'"},
    {"lap()", 0, 5, "expected a value between 'lap(' and ')'"},
    {"1 + ( )", 4, 7, "expected a value between '(' and ')'"},
    // brackets
    {"1 + lap(", 8, 8, "the formula ends here, but the 'lap(' at character 5 is not closed"},
    {"lap(a*(b + c)", 13, 13, "the formula ends here, but the 'lap(' at character 1 is not closed"},
    {"(a, b", 5, 5, "the formula ends here, but the '(' at character 1 is not closed"},
    {"a + b)", 5, 6, "this ')' has no matching '('"},
    {"a, b", 1, 2, "',' is allowed only inside brackets; write (a, b) for a vector"},
    {"0,5*x", 1, 2,
     "',' is allowed only inside brackets; write a decimal number with a point, as 0.5, and a vector as (a, "
     "b)"},
    {"(a, b, c, d)", 0, 12, "expected 2 or 3 components of a vector, found 4"},
    {"(a; b)", 0, 6, no_semicolon},
    {"a; b", 1, 2, no_semicolon},
    {"f(a; b; c)", 6, 7, "a second ';' in the same brackets; expected ',' or ')'"},
    {"negate(a)", 0, 6, "there is no function 'negate'; write -a"},
    // conditions
    {"a ? b", 5, 5,
     "expected ':' and the other value for the '?' at character 3, found the end of the formula"},
    {"(a ? b)", 6, 7, "expected ':' and the other value for the '?' at character 4, found ')'"},
    {"a : b", 2, 3, "':' without a '?' before it; write a condition as c ? a : b"},
    {"a if b else c", 2, 4, "expected an operator; write a condition as c ? a : b or if(c, a, b)"},
    {"a < b < c", 6, 7, no_chain},
    {"a == b + 1 != c", 11, 13, no_chain},
    {"not a < b < c", 10, 11, no_chain},
    {"!a < b", 0, 6, misread},
    {"c and !(a) == b", 6, 15, misread},
    // operators that are missing or none
    {"2x", 0, 2, "expected an operator between '2' and 'x'; write 2*x for a product"},
    {"a + 2.5e3kg", 4, 11, "expected an operator between '2.5e3' and 'kg'; write 2.5e3*kg for a product"},
    {"2e", 0, 2,
     "expected an operator between '2' and 'e'; write 2*e for a product, or digits after the e for a power "
     "of ten"},
    {"2 x", 2, 3, "expected an operator between '2' and 'x'; write a product as a*b"},
    {"2(x)", 1, 2, "expected an operator between '2' and '('; write a product as a*b"},
    {"(a)(b)", 3, 4, "expected an operator between ')' and '('; write a product as a*b"},
    {"(a b)", 3, 4, "expected an operator between 'a' and 'b'; write a product as a*b"},
    {"sin x", 4, 5, "expected an operator between 'sin' and 'x'; write sin(a)"},
    {"a not b", 2, 5, "expected an operator between 'a' and 'not'"},
    {"a ** 2", 2, 4, "'**' is not an operator; write ^ for a power"},
    {"a <> 2", 2, 4, "'<>' is not an operator; write != for unequal"},
    {"a = 2", 2, 3, "'=' is not allowed in a formula; compare two values with '=='"},
    {"a => 2", 2, 3, "'=' is not allowed in a formula; compare two values with '=='"},
    {"a === 2", 4, 5, "'=' is not allowed in a formula; compare two values with '=='"},
    // numbers
    {"1.2.3", 0, 5, "'1.2.3' is not a number; write numbers like 2, 2.5, .5 or 1e-3"},
    {"1..2", 0, 4, "'1..2' is not a number; write numbers like 2, 2.5, .5 or 1e-3"},
    {"a + .", 4, 5, "'.' is allowed only in numbers such as 2.5"},
    {"a.b", 1, 2, "'.' is allowed only in numbers such as 2.5"},
    {"2*1e999", 2, 7, "'1e999' is out of range; the magnitude of a number is between 5e-324 and 1.7e308"},
    {"1e-400", 0, 6, "'1e-400' is out of range; the magnitude of a number is between 5e-324 and 1.7e308"},
    // characters
    {"a % b", 2, 3, "formulas cannot contain '%'; write mod(a, b) for the remainder"},
    {"a & b", 2, 3, "formulas cannot contain '&'; write 'and' or &&"},
    {"|a|", 0, 1, "formulas cannot contain '|'; write 'or' or ||; write abs(a) for the absolute value"},
    {"u[1]", 1, 2, "formulas cannot contain '['; use round brackets"},
    {"a @ b", 2, 3, "formulas cannot contain '@'"},
    {"$HOME", 0, 1, "formulas cannot contain '$'"},
    {"v\u00b2", 1, 2, "formulas cannot contain '\u00b2' (U+00B2); write ^2"},
    {"2*\u03c0", 2, 3, "formulas cannot contain '\u03c0' (U+03C0); write pi"},
    {"a \u2212 b", 2, 3, "formulas cannot contain '\u2212' (U+2212); write -"},
    {"\u2207u", 0, 1,
     "formulas cannot contain '\u2207' (U+2207); write grad(u), div(v) or, for its square, lap(u)"},
    {"a\u00a0+ b", 1, 2, "formulas cannot contain U+00A0; it looks like a space; write an ordinary space"},
    {"\U0001f600", 0, 1, "formulas cannot contain '\U0001f600' (U+1F600)"},
    {std::string("a\0b", 3), 1, 2, "formulas cannot contain U+0000"},
    {"a\x1b[31m", 1, 2, "formulas cannot contain U+001B"},
    {"a\xff", 1, 2, "the byte 0xff is not valid UTF-8"},
    {"a\xc0\x80", 1, 2, "the byte 0xc0 is not valid UTF-8"},
    {"a\xed\xa0\x80", 1, 2, "the byte 0xed is not valid UTF-8"},
    {"a\xe2\x88", 1, 2, "the byte 0xe2 is not valid UTF-8"},
};

TEST(ParseErrors, SayWhatIsWrongAndWhere) {
    for (const Wrong &expected : wrong) {
        try {
            parse(expected.formula);
            ADD_FAILURE() << expected.formula << " was read";
        } catch (const FormulaError &error) {
            EXPECT_EQ(error.what(), expected.message) << expected.formula;
            EXPECT_EQ(error.begin(), expected.begin) << expected.formula;
            EXPECT_EQ(error.end(), expected.end) << expected.formula;
        }
    }
}

TEST(ParseErrors, OfLongNamesAreShort) {
    const std::string longest(15000, 'w');
    for (const std::string &formula :
         {"2" + longest, "a " + longest, longest + "(", longest + " 2", "2*1" + std::string(9000, '.')}) {
        try {
            parse(formula);
            ADD_FAILURE() << formula.substr(0, 20);
        } catch (const FormulaError &error) {
            EXPECT_LT(std::string(error.what()).size(), 250U) << error.what();
        }
    }
}

}  // namespace
}  // namespace perdure::formulas::parse_errors_test
