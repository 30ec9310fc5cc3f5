// Printed formulas are read as the same tree and have no bracket too many.
#include "solver/formulas/to_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/solver/formulas/same_tree.hpp"

namespace perdure::formulas::to_text_test {
namespace {

using Random = std::mt19937;

std::size_t below(std::size_t bound, Random &random) {
    return random() % bound;
}

Node leaf(Random &random) {
    static constexpr std::array numbers{0.0, 1.0, 2.5, 1e-3, 6.02e23, 1.0 / 3.0, 5e-324, 1e15};
    static constexpr std::array names{"u", "v", "Du", "x", "pi", "android"};
    Node node;
    if (random() % 3 == 0) {
        node.number = numbers[below(numbers.size(), random)];
    } else {
        node.kind = NodeKind::name;
        node.name = names[below(names.size(), random)];
    }
    return node;
}

/// As parse() could make it, at most `depth` levels below the first.
Node random_tree(int depth, Random &random) {
    static constexpr std::array binary{
        "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "and", "or"};
    if (depth == 0 || random() % 8 == 0) {
        return leaf(random);
    }
    Node node;
    node.kind = NodeKind::call;
    std::size_t children = 2;
    switch (random() % 8) {
        case 0:
            node.name = random() % 2 == 0 ? "negate" : "not";
            children = 1;
            break;
        case 1:
            node.name = "if";
            children = 3;
            break;
        case 2:
            node.kind = NodeKind::vector;
            children = 2 + below(2, random);
            break;
        case 3:
            node.name = random() % 2 == 0 ? "lap" : "conserve";
            children = 1 + below(4, random);
            node.behind_semicolon = static_cast<int>(below(children, random));
            break;
        default:
            node.name = binary[below(binary.size(), random)];
    }
    for (std::size_t i = 0; i < children; ++i) {
        node.children.push_back(random_tree(depth - 1, random));
    }
    return node;
}

/// Whether the text is read as the tree.
bool is_text_of(const std::string &text, const Node &tree) {
    try {
        return same_tree(parse(text), tree);
    } catch (const FormulaError &) {
        return false;
    }
}

/// The text without the pair of brackets that opens at `open`.
std::string without_brackets(std::string text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open;; ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) {
            text[i] = ' ';
            text[open] = ' ';
            return text;
        }
    }
}

TEST(ToText, OfThousandRandomTreesIsReadAsTheSameTree) {
    Random random(36);
    for (int i = 0; i < 1000; ++i) {
        const Node tree = random_tree(1 + i % 6, random);
        const std::string text = to_text(tree);
        ASSERT_TRUE(is_text_of(text, tree)) << text;
        ASSERT_EQ(to_text(parse(text)), text);
    }
}

TEST(ToText, HasNoBracketsThatCouldBeLeftOut) {
    Random random(63);
    int brackets = 0;
    for (int i = 0; i < 1000; ++i) {
        const Node tree = random_tree(1 + i % 5, random);
        const std::string text = to_text(tree);
        for (std::size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
            const bool of_function = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
            if (!of_function) {
                ++brackets;
                ASSERT_FALSE(is_text_of(without_brackets(text, at), tree)) << text << " at " << at;
            }
        }
    }
    EXPECT_GT(brackets, 1000);
}

TEST(ToText, LooksAsPeopleWriteIt) {
    const std::vector<std::pair<std::string, std::string>> table{
        {"Du*lap( u )-u*v^2+F*(1-u)", "Du*lap(u) - u*v^2 + F*(1 - u)"},
        {"((a-b)-c)-(d-e)", "a - b - c - (d - e)"},
        {"(2^3)^2 + 2^(3^2) + (-2)^2 + 2^(-1)", "(2^3)^2 + 2^3^2 + (-2)^2 + 2^-1"},
        {"-(a*b) + (-a)*b - (-(-c))", "-(a*b) + -a*b - --c"},
        {"!(a<b)&&(!c||d)", "not a < b and (not c or d)"},
        {"(a<b)==(c<d)", "(a < b) == (c < d)"},
        {"if(x<1,2,if(x<2,3,4))", "x < 1 ? 2 : x < 2 ? 3 : 4"},
        {"1+(c?a:b)", "1 + if(c, a, b)"},
        {"(c?a:b)?(c?d:e):f", "if(c, a, b) ? c ? d : e : f"},
        {"if(a,b)", "if(a, b)"},
        {"upwind((vx,vy),(u))", "upwind((vx, vy), u)"},
        {"conserve(hu,hv;abs(u)+c)", "conserve(hu, hv; abs(u) + c)"},
        {"1e-3*1e22*.5*2.50", "0.001*1e+22*0.5*2.5"}};
    for (const auto &[given, expected] : table) {
        EXPECT_EQ(to_text(parse(given)), expected);
    }
}

/// The text nests no deeper than the one that was read, or it could not be read again.
TEST(ToText, OfTheDeepestFormulasCanBeRead) {
    for (const auto &[before, behind] :
         std::vector<std::pair<std::string, std::string>>{{"(a - ", ")"},
                                                          {"if(a, b, 1 + ", ")"},
                                                          {"if(", ", a, b)"},
                                                          {"lap(", ")"},
                                                          {"-", ""},
                                                          {"not ", ""},
                                                          {"2^", ""},
                                                          {"a ? b : ", ""},
                                                          {"a ? ", " : b"},
                                                          {"(a, ", ")"},
                                                          {"(", ")^2"}}) {
        std::string text = "a";
        for (int i = 0; i < 200; ++i) {
            text = before + text + behind;
        }
        const Node tree = parse(text);
        EXPECT_TRUE(is_text_of(to_text(tree), tree)) << before;
    }
}

}  // namespace
}  // namespace perdure::formulas::to_text_test
