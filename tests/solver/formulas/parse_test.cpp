// What formulas mean: values of a table of formulas, places of nodes, shapes of calls.
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solver/formulas/walk.hpp"

namespace perdure::formulas::parse_test {
namespace {

/// With a = 2, b = 3, c = 5.
double value_of(const Node &tree) {
    static const std::map<std::string, double> names{{"a", 2.0}, {"b", 3.0}, {"c", 5.0}};
    if (tree.kind == NodeKind::number) {
        return tree.number;
    }
    if (tree.kind == NodeKind::name) {
        return names.at(tree.name);
    }
    std::vector<double> v;
    for (const Node &child : tree.children) {
        v.push_back(value_of(child));
    }
    const std::map<std::string, double> one{{"negate", -v[0]}, {"not", v[0] == 0.0 ? 1.0 : 0.0}};
    if (v.size() == 1) {
        return one.at(tree.name);
    }
    const auto truth = [](bool holds) { return holds ? 1.0 : 0.0; };
    const std::map<std::string, double> several{{"+", v[0] + v[1]},
                                                {"-", v[0] - v[1]},
                                                {"*", v[0] * v[1]},
                                                {"/", v[0] / v[1]},
                                                {"^", std::pow(v[0], v[1])},
                                                {"<", truth(v[0] < v[1])},
                                                {"<=", truth(v[0] <= v[1])},
                                                {">", truth(v[0] > v[1])},
                                                {">=", truth(v[0] >= v[1])},
                                                {"==", truth(v[0] == v[1])},
                                                {"!=", truth(v[0] != v[1])},
                                                {"and", truth(v[0] != 0.0 && v[1] != 0.0)},
                                                {"or", truth(v[0] != 0.0 || v[1] != 0.0)},
                                                {"if", v[0] != 0.0 ? v[1] : v.back()}};
    return several.at(tree.name);
}

TEST(Parse, GivesOperatorsTheirPrecedence) {
    const std::vector<std::pair<std::string, double>> table{
        {"2", 2.0},
        {"2.5", 2.5},
        {".5", 0.5},
        {"2.", 2.0},
        {"1e-3", 0.001},
        {"1E+3", 1000.0},
        {"2.5e2", 250.0},
        {"007", 7.0},
        {"5e-324", 5e-324},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {" \t\r\n2 ", 2.0},
        {"((2))", 2.0},
        {"-2^2", -4.0},
        {"(-2)^2", 4.0},
        {"2^-1", 0.5},
        {"2^3^2", 512.0},
        {"(2^3)^2", 64.0},
        {"2^-1^2", 0.5},
        {"2^-2*3", 0.75},
        {"-a*b", -6.0},
        {"a*-b", -6.0},
        {"a--b", 5.0},
        {"a - -b", 5.0},
        {"+a", 2.0},
        {"a+ +b", 5.0},
        {"--a", 2.0},
        {"-+-a", 2.0},
        {"a-b-c", -6.0},
        {"a-(b-c)", 4.0},
        {"a/b/c", 2.0 / 15.0},
        {"a/b*c", 10.0 / 3.0},
        {"a/(b*c)", 2.0 / 15.0},
        {"a+b*c", 17.0},
        {"(a+b)*c", 25.0},
        {"a*b^a", 18.0},
        {"a+b<c+1", 1.0},
        {"a+b<c", 0.0},
        {"a+b<=c", 1.0},
        {"a+b>=c", 1.0},
        {"a+b>c", 0.0},
        {"a+b==c", 1.0},
        {"a+b!=c", 0.0},
        {"(a<b)<c", 1.0},
        {"(a<b)==(b<c)", 1.0},
        {"a<b and b<c", 1.0},
        {"a<b && b>c", 0.0},
        {"a>b or b<c", 1.0},
        {"a>b || b>c", 0.0},
        {"1 or 0 and 0", 1.0},
        {"(1 or 0) and 0", 0.0},
        {"0 and 0 or 1", 1.0},
        {"not 0", 1.0},
        {"!0", 1.0},
        {"!!a", 1.0},
        {"not not 0", 0.0},
        {"not a < b", 0.0},
        {"not a > b", 1.0},
        {"!(a > b)", 1.0},
        {"(!a) < b", 1.0},
        {"!a and 0", 0.0},
        {"not 0 or 1", 1.0},
        {"not (0 or 1)", 0.0},
        {"0 or not 0", 1.0},
        {"1 ? a : b", 2.0},
        {"0 ? a : b", 3.0},
        {"0 ? a : 0 ? b : c", 5.0},
        {"1 ? 0 ? a : b : c", 3.0},
        {"a < b ? a + 1 : b", 3.0},
        {"1 or 0 ? a : b", 2.0},
        {"1 ? a : b + 10", 2.0},
        {"(1 ? a : b) + 10", 12.0},
        {"if(0, a, b)", 3.0},
    };
    for (const auto &[text, value] : table) {
        EXPECT_DOUBLE_EQ(value_of(parse(text)), value) << text;
    }
}

TEST(Parse, TakesAPointWhateverTheLocale) {
    const char *const german = std::setlocale(LC_ALL, "de_DE.UTF-8");
    EXPECT_EQ(parse("2.5").number, 2.5);
    std::setlocale(LC_ALL, "C");
    if (german == nullptr) {
        GTEST_SKIP() << "this machine has no German locale";
    }
}

TEST(Parse, TellsVectorsCallsAndWhatStandsBehindASemicolon) {
    const Node vector = parse("(a, b + 1)");
    EXPECT_EQ(vector.kind, NodeKind::vector);
    ASSERT_EQ(vector.children.size(), 2U);
    EXPECT_EQ(vector.children[1].name, "+");
    EXPECT_EQ(parse("(a, b, c)").children.size(), 3U);

    const Node conserve = parse("conserve(h*u, h*v; abs(u) + c)");
    EXPECT_EQ(conserve.kind, NodeKind::call);
    EXPECT_EQ(conserve.name, "conserve");
    ASSERT_EQ(conserve.children.size(), 3U);
    EXPECT_EQ(conserve.behind_semicolon, 1);
    EXPECT_EQ(conserve.children[2].name, "+");

    const Node call = parse("upwind ((1, 2), u)");
    EXPECT_EQ(call.name, "upwind");
    ASSERT_EQ(call.children.size(), 2U);
    EXPECT_EQ(call.children[0].kind, NodeKind::vector);
    EXPECT_EQ(parse("android").kind, NodeKind::name);  // begins with a word that is an operator
    EXPECT_EQ(parse("a_1").name, "a_1");
}

TEST(Parse, KnowsThePlaceOfEveryNode) {
    const std::string text = "2*(lap(u) - 1) + (v)";
    const Node tree = parse(text);
    std::vector<std::string> places;
    for (const Node *node : all_nodes(tree)) {
        places.push_back(text.substr(static_cast<std::size_t>(node->begin),
                                     static_cast<std::size_t>(node->end - node->begin)));
    }
    EXPECT_EQ(places,
              (std::vector<std::string>{text, "2*(lap(u) - 1)", "2", "lap(u) - 1", "lap(u)", "u", "1", "v"}));
}

TEST(Parse, NamesAreGivenOnceInTheOrderOfTheirPlaces) {
    const Node tree = parse("u*v + lap(w) - u + max(b, v, a)");
    std::vector<std::string> names;
    std::vector<int> places;
    for (const Node *node : names_in(tree)) {
        names.push_back(node->name);
        places.push_back(node->begin);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"u", "v", "w", "b", "a"}));
    EXPECT_EQ(places, (std::vector<int>{0, 2, 10, 23, 29}));
}

}  // namespace
}  // namespace perdure::formulas::parse_test
