// Formulas that are meant to break the parser: it reads or refuses them, and never crashes.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "solver/formulas/names.hpp"
#include "solver/formulas/to_text.hpp"
#include "tests/solver/formulas/same_tree.hpp"

namespace perdure::formulas::hostile_test {
namespace {

std::string repeated(const std::string &part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) {
        text += part;
    }
    return text;
}

/// The message, or "" when it was read: then printing and checking work as well.
std::string refusal(const std::string &formula) {
    try {
        const Node tree = parse(formula);
        const std::string text = to_text(tree);
        check_names(tree, {});
        if (text.size() <= 20000) {
            EXPECT_TRUE(same_tree(parse(text), tree)) << formula;
        }
        return {};
    } catch (const FormulaError &error) {
        EXPECT_GE(error.begin(), 0);
        EXPECT_LE(error.begin(), error.end());
        EXPECT_LE(static_cast<std::size_t>(error.end()), formula.size());
        EXPECT_LT(std::string(error.what()).size(), 300U) << error.what();
        return error.what();
    }
}

TEST(Hostile, TenThousandBracketsAreRefused) {
    const std::string message =
        "more than 200 brackets, signs, exponents and conditions are nested; give parts of the formula a "
        "name "
        "under 'let'";
    for (const std::string part :
         {"(", "lap(", "-", "+", "not ", "!", "2^", "a?", "a?b:", "(a,", "f(a;", "-(", "1+("}) {
        EXPECT_EQ(refusal(repeated(part, 20000 / static_cast<int>(part.size()))), message) << part;
    }
    EXPECT_EQ(refusal(repeated("(", 10000) + repeated(")", 10000)), message);
    EXPECT_EQ(refusal(repeated("(", 201) + "u" + repeated(")", 201)), message);
    EXPECT_EQ(refusal(repeated("(", 200) + "u" + repeated(")", 200)), "");
}

TEST(Hostile, TheBracketThatIsOneTooManyIsShown) {
    try {
        parse(repeated("(", 201) + "u" + repeated(")", 201));
        ADD_FAILURE();
    } catch (const FormulaError &error) {
        EXPECT_EQ(error.begin(), 200);
        EXPECT_EQ(error.end(), 201);
    }
}

TEST(Hostile, ChainsOfTwentyThousandCharactersAreTrees) {
    for (const std::string operation : {"+", "-", "*", "/", " and ", " or ", "&&"}) {
        const int terms = 20000 / static_cast<int>(operation.size() + 1);
        const std::string formula = repeated("a" + operation, terms - 1) + "a";
        EXPECT_EQ(refusal(formula), "") << operation;
        Node tree = parse(formula);
        EXPECT_EQ(all_nodes(tree).size(), static_cast<std::size_t>(2 * terms - 1)) << operation;
        EXPECT_EQ(names_in(tree).size(), 1U);
#if !defined(PERDURE_SANITIZED)  // whose frames are so large that copying takes more stack than there is
        const Node copy = tree;
        EXPECT_TRUE(same_tree(copy, tree));
#endif
        tree = Node{};  // and away with it
    }
    EXPECT_EQ(refusal("max(" + repeated("a,", 9990) + "a)"), "");
}

TEST(Hostile, MoreThanTwentyThousandCharactersAreRefused) {
    const std::string most = repeated("a+", 9999) + "aa";
    EXPECT_EQ(most.size(), 20000U);
    EXPECT_EQ(refusal(most), "");
    EXPECT_EQ(refusal(most + "a"),
              "the formula has 20001 characters, but at most 20000 are allowed; give parts of it a name "
              "under 'let'");
    EXPECT_NE(refusal(std::string(50'000'000, '(')), "");
}

TEST(Hostile, EveryByteIsReadOrRefusedWhereverItStands) {
    int refused = 0;
    for (int byte = 0; byte < 256; ++byte) {
        const std::string character(1, static_cast<char>(byte));
        for (const std::string &formula :
             {character, "a" + character, character + "a", "a+" + character + "*b", "2" + character + "3",
              "lap(u" + character + "v)", character + character, "a" + character + character + "b"}) {
            refused += refusal(formula).empty() ? 0 : 1;
        }
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 8 * 256);
}

TEST(Hostile, RandomBytesOfTenKilobytes) {
    std::mt19937 random(7);
    static constexpr std::string_view alphabet = "()()+-*/^<>=!&|?:;,.0123eu ux\x80\xc3";
    for (int i = 0; i < 200; ++i) {
        std::string formula(1 + random() % 10000, ' ');
        for (char &byte : formula) {
            byte = i % 2 == 0 ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
        }
        refusal(formula);
    }
}

TEST(Hostile, MutationsOfFormulas) {
    const std::array<std::string, 8> formulas{
        "Du*lap(u) - u*v^2 + F*(1 - u)",
        "conserve(hu, hv; abs(hu/h) + sqrt(9.81*h))",
        "div((1 + u^2)*grad(u)) + upwind((vx, vy), u)",
        "x < 0.5 and not t > 1e-3 || !(u >= v) ? sin(2*pi*x) : -exp(-t)^2",
        "if(u == v, min(a, b, c), max(a, b)) + mod(x, .25)",
        "0.25*(abs(x-1.25)<0.1) + 0.01*random(1)",
        "dot(grad(u), (1, 0)) - dxx(u)/2e5",
        "a ? b : c ? d : e"};
    const std::array<std::string, 24> parts{
        "(",  ")", ",",     ";",    "?", ":",  "+",  "-", "*",    "/",        "^",    "<",
        "==", "!", " and ", "not ", "2", ".5", "1e", "u", "lap(", "\xc2\xb2", "\xff", std::string(1, '\0')};
    std::mt19937 random(2026);
    int read = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string formula = formulas[random() % formulas.size()];
        for (auto edits = 1 + random() % 3; edits > 0; --edits) {
            const std::size_t at = random() % (formula.size() + 1);
            const std::size_t length = random() % 4;
            const std::string &other = formulas[random() % formulas.size()];
            switch (random() % 3) {
                case 0:
                    formula.replace(at, length, parts[random() % parts.size()]);
                    break;
                case 1:
                    formula.erase(at, length);
                    break;
                default:
                    formula.insert(at, other.substr(random() % other.size(), random() % 20));
            }
        }
        read += refusal(formula).empty() ? 1 : 0;
    }
    EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace perdure::formulas::hostile_test
