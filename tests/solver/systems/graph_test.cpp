// Terms stand once, numbers are worked out, products are fused with sums.
#include "solver/systems/graph.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "solver/systems/arrange.hpp"
#include "solver/systems/term_builder.hpp"

namespace perdure::graph_test {
namespace {

using systems::Arranged;
using systems::Graph;
using systems::Operation;
using systems::Term;
using systems::TermBuilder;

Term number(double value) {
    Term term;
    term.number = value;
    return term;
}

Term field(int index, int x = 0) {
    Term term;
    term.operation = Operation::FIELD;
    term.index = index;
    term.offset = {x, 0, 0};
    return term;
}

Term of(Operation operation, int a, int b = -1, int c = -1) {
    Term term;
    term.operation = operation;
    term.arguments = {a, b, c};
    return term;
}

TEST(Graph, KeepsEqualTermsOnce) {
    Graph graph;
    const int u = graph.add(field(0)), v = graph.add(field(1)), east = graph.add(field(0, 1));
    EXPECT_EQ(graph.add(field(0)), u);
    EXPECT_NE(u, east);
    const int sum = graph.add(of(Operation::ADD, u, v));
    EXPECT_EQ(graph.add(of(Operation::ADD, v, u)), sum);
    EXPECT_NE(graph.add(of(Operation::SUBTRACT, u, v)), graph.add(of(Operation::SUBTRACT, v, u)));
    const int fused = graph.add(of(Operation::FUSED_PRODUCT, u, v, east));
    EXPECT_EQ(graph.add(of(Operation::FUSED_PRODUCT, v, u, east)), fused);
    EXPECT_NE(graph.add(of(Operation::FUSED_PRODUCT, east, u, v)), fused);
    EXPECT_EQ(graph.terms().size(), 8U);
}

TEST(Graph, TellsNumbersApartByTheirBits) {
    Graph graph;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(graph.add(number(0.0)), graph.add(number(-0.0)));
    EXPECT_EQ(graph.add(number(nan)), graph.add(number(nan)));
    EXPECT_NE(graph.add(number(0.1 + 0.2)), graph.add(number(0.3)));
}

TEST(Graph, WorksOutWhatIsOfNumbersAlone) {
    Graph graph;
    const auto value = [&](Operation operation, double a, double b, double c) {
        const int x = graph.add(number(a)), y = graph.add(number(b)), z = graph.add(number(c));
        const int count = arguments_of(operation);
        const Term &term = graph.terms()[graph.add(of(operation, x, count > 1 ? y : -1, count > 2 ? z : -1))];
        EXPECT_EQ(term.operation, Operation::NUMBER);
        return term.number;
    };
    EXPECT_EQ(value(Operation::SUBTRACT, 2.0, 5.0, 0.0), -3.0);
    EXPECT_EQ(value(Operation::FUSED_PRODUCT, 0.1, 10.0, -1.0), std::fma(0.1, 10.0, -1.0));
    EXPECT_EQ(value(Operation::LESS, 1.0, 2.0, 0.0), 1.0);
    EXPECT_EQ(value(Operation::LESS_OR_EQUAL, 2.0, 2.0, 0.0), 1.0);
    EXPECT_EQ(value(Operation::EQUAL, 1.0, 2.0, 0.0), 0.0);
    EXPECT_EQ(value(Operation::AND, 3.0, -1.0, 0.0), 1.0);
    EXPECT_EQ(value(Operation::NOT, 0.5, 0.0, 0.0), 0.0);
    EXPECT_EQ(value(Operation::SELECT, 0.0, 7.0, 8.0), 8.0);
    EXPECT_EQ(value(Operation::POWER, 2.0, -2.0, 0.0), 0.25);
    EXPECT_EQ(value(Operation::FLOOR, -1.5, 0.0, 0.0), -2.0);
}

TEST(Graph, LeavesOutWhatChangesNothing) {
    Graph graph;
    const int u = graph.add(field(0)), v = graph.add(field(1)), zero = graph.add(number(0.0)),
              one = graph.add(number(1.0));
    EXPECT_EQ(graph.add(of(Operation::ADD, u, zero)), u);
    EXPECT_EQ(graph.add(of(Operation::ADD, zero, u)), u);
    EXPECT_EQ(graph.add(of(Operation::SUBTRACT, u, zero)), u);
    EXPECT_NE(graph.add(of(Operation::SUBTRACT, zero, u)), u);
    EXPECT_EQ(graph.add(of(Operation::MULTIPLY, one, u)), u);
    EXPECT_EQ(graph.add(of(Operation::DIVIDE, u, one)), u);
    EXPECT_NE(graph.add(of(Operation::MULTIPLY, u, zero)), zero);  // u may be infinite
    EXPECT_EQ(graph.add(of(Operation::SELECT, one, u, v)), u);
    EXPECT_EQ(graph.add(of(Operation::SELECT, zero, u, v)), v);
    EXPECT_EQ(graph.add(of(Operation::SELECT, u, v, v)), v);
}

/// Of the operations that a root consists of: how many there are of one.
int count(const Graph &graph, Operation operation) {
    int found = 0;
    for (const Term &term : graph.terms()) {
        found += term.operation == operation ? 1 : 0;
    }
    return found;
}

TEST(TermBuilder, MultipliesForWholePowers) {
    TermBuilder builder;
    const int u = builder.leaf(Operation::FIELD);
    EXPECT_EQ(builder.power(u, builder.number(1.0)), u);
    EXPECT_TRUE(builder.is_number(builder.power(u, builder.number(0.0)), 1.0));
    const Arranged cube = arrange(builder.graph(), {builder.power(u, builder.number(3.0))});
    EXPECT_EQ(count(cube.graph, Operation::MULTIPLY), 2);
    const Arranged sixteenth = arrange(builder.graph(), {builder.power(u, builder.number(-16.0))});
    EXPECT_EQ(count(sixteenth.graph, Operation::MULTIPLY), 4);
    EXPECT_EQ(count(sixteenth.graph, Operation::DIVIDE), 1);
    EXPECT_EQ(builder.term(builder.power(u, builder.number(17.0))).operation, Operation::POWER);
    EXPECT_EQ(builder.term(builder.power(u, builder.number(0.5))).operation, Operation::SQUARE_ROOT);
    EXPECT_EQ(builder.term(builder.power(u, builder.number(1.5))).operation, Operation::POWER);
}

TEST(Arrange, FusesProductsThatAreUsedOnce) {
    TermBuilder builder;
    const int u = builder.leaf(Operation::FIELD, 0), v = builder.leaf(Operation::FIELD, 1);
    const int w = builder.leaf(Operation::FIELD, 2), p = builder.leaf(Operation::PARAMETER, 0);
    const int product = builder.multiply(u, v);
    const auto only = [&](int root) { return arrange(builder.graph(), {root}); };
    for (const int sum : {builder.add(w, product), builder.add(product, w)}) {
        const Arranged fused = only(sum);
        EXPECT_EQ(count(fused.graph, Operation::FUSED_PRODUCT), 1);
        EXPECT_EQ(fused.graph.terms().size(), 4U);
    }
    EXPECT_EQ(count(only(builder.add(product, product)).graph, Operation::FUSED_PRODUCT), 0);
    const Arranged twice = arrange(builder.graph(), {product, builder.add(w, product)});
    EXPECT_EQ(count(twice.graph, Operation::FUSED_PRODUCT), 0);
    // w - p u is (-p) u + w: the parameter is negated, whatever its place.
    for (const int scaled : {builder.multiply(p, u), builder.multiply(u, p)}) {
        const Arranged fused = only(builder.subtract(w, scaled));
        const Term &root = fused.graph.terms()[fused.roots[0]];
        ASSERT_EQ(root.operation, Operation::FUSED_PRODUCT);
        const Term &negated = fused.graph.terms()[root.arguments[0]];
        ASSERT_EQ(negated.operation, Operation::NEGATE);
        EXPECT_EQ(fused.graph.terms()[negated.arguments[0]].operation, Operation::PARAMETER);
    }
    // w - u (v - p) is u (p - v) + w.
    const Arranged turned = only(builder.subtract(w, builder.multiply(u, builder.subtract(v, p))));
    EXPECT_EQ(count(turned.graph, Operation::NEGATE), 0);
    EXPECT_EQ(turned.graph.terms().size(), 6U);
    // u v - w is u v + (-w); u v - 3 needs no negation in the cell.
    EXPECT_EQ(count(only(builder.subtract(product, w)).graph, Operation::NEGATE), 1);
    EXPECT_EQ(count(only(builder.subtract(product, builder.number(3.0))).graph, Operation::NEGATE), 0);
    // Of two products, one is fused with the other.
    const Arranged both = only(builder.add(product, builder.multiply(p, w)));
    EXPECT_EQ(count(both.graph, Operation::FUSED_PRODUCT), 1);
    EXPECT_EQ(count(both.graph, Operation::MULTIPLY), 1);
}

TEST(Arrange, DropsWhatNoRootNeedsAndKeepsArgumentsFirst) {
    TermBuilder builder;
    const int u = builder.leaf(Operation::FIELD, 0), v = builder.leaf(Operation::FIELD, 1);
    builder.apply(Operation::SINE, v);
    int deep = u;
    for (int i = 0; i < 200000; ++i) {
        deep = builder.apply(Operation::SINE, deep);
    }
    const Arranged arranged = arrange(builder.graph(), {deep, u, deep});
    EXPECT_EQ(arranged.graph.terms().size(), 200001U);
    EXPECT_EQ(arranged.roots, (std::vector<int>{200000, 0, 200000}));
    for (int i = 1; i <= 200000; ++i) {
        ASSERT_EQ(arranged.graph.terms()[i].arguments[0], i - 1);
    }
}

}  // namespace
}  // namespace perdure::graph_test
