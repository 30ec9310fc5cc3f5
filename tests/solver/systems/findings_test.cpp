// What is wrong with formulas is told with its place, all at once.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "example_system.hpp"

namespace perdure::findings_test {
namespace {

using namespace systems_test;

/// "line:column message" of each finding.
std::vector<std::string> findings(const SystemConfig &config, const Grid &grid = unit_grid(2, 16)) {
    std::vector<std::string> texts;
    const auto add = [&](const std::vector<Diagnostic> &diagnostics) {
        for (const Diagnostic &diagnostic : diagnostics) {
            texts.push_back(std::to_string(diagnostic.position.line) + ":" +
                            std::to_string(diagnostic.position.column) + " " + diagnostic.message);
        }
    };
    try {
        add(systems::make_system(config, grid).warnings);
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        add(failure.diagnostics());
    }
    return texts;
}

/// Exactly one finding, which begins like that.
void expect_one(const SystemConfig &config, const std::string &begin, const Grid &grid = unit_grid(2, 16)) {
    const std::vector<std::string> texts = findings(config, grid);
    ASSERT_EQ(texts.size(), 1U) << testing::PrintToString(texts);
    EXPECT_TRUE(texts[0].starts_with(begin)) << texts[0] << "\n" << begin;
}

void expect_one(const std::string &rate, const std::string &begin, const Grid &grid = unit_grid(2, 16)) {
    expect_one(config_of({{"u", rate}}, {{"D", 1.0}}), begin, grid);
}

TEST(Findings, AreToldAllAtOnceInTheOrderOfTheFile) {
    const std::vector<std::string> texts = findings(config_of(
        {{"u", "D*lap(uu) + (1, 2)"}, {"v", "2*"}, {"w", "grad(u)"}}, {{"D", 1.0}}, {{"a", "sin(1, 2)"}}));
    ASSERT_EQ(texts.size(), 4U) << testing::PrintToString(texts);
    EXPECT_TRUE(texts[0].starts_with("1:8 'sin' takes 1 argument")) << texts[0];
    EXPECT_EQ(texts[1], "2:14 unknown name 'uu'; did you mean 'u'?");
    EXPECT_TRUE(texts[2].starts_with("3:")) << texts[2];
    EXPECT_TRUE(texts[3].starts_with("4:8 'grad(u)' is a vector, but a scalar is needed")) << texts[3];
}

TEST(Findings, HaveACaretBelowTheirCharacter) {
    try {
        systems::make_system(config_of({{"omega", "1 + lap(omega2)"}}), unit_grid(2, 4));
        FAIL();
    } catch (const Failure &failure) {
        EXPECT_STREQ(failure.what(),
                     "case.yaml:1:16: error: unknown name 'omega2'; did you mean 'omega'?\n"
                     "    1 |        1 + lap(omega2)\n"
                     "      |                ^");
    }
}

TEST(Findings, OfAFormulaWithoutAPlaceNameTheCharacter) {
    SystemConfig config = config_of({{"u", "1/0"}});
    config.fields[0].rate.position = {};
    expect_one(config, "0:0 '1/0' has no finite value (character 1 of '1/0')");
}

TEST(Findings, TellScalarsFromVectors) {
    expect_one("2 + 3*sin((u, 1))", "1:18 '(u, 1)' is a vector, but a scalar is needed");
    expect_one("div(u)", "1:12 'u' is a scalar, but a vector is needed; write (a, b) or grad(..)");
    expect_one("dot(u, grad(u))", "1:12 'u' is a scalar, but a vector is needed");
    expect_one("div(grad(u)*(1, 2))", "1:12 'grad(u)*(1, 2)' is a product of two vectors");
    expect_one("div(grad(u) - u)", "1:22 'u' is a scalar, but the term before the '-' is a vector");
    expect_one("div(2/grad(u))", "1:14 'grad(u)' is a vector, but a scalar is needed");
    expect_one("div((u, u, u))", "1:12 this vector has 3 components, but the grid has 2 dimensions");
    expect_one("div((u, u))", "1:12 this vector has 2 components, but the grid has 3 dimensions",
               unit_grid(3, 4));
    expect_one("upwind(u, u)", "1:15 'u' is a scalar");
    expect_one("lap((u, u))", "1:12 '(u, u)' is a vector");
}

TEST(Findings, KnowTheGrid) {
    expect_one("u + z", "1:12 the grid has 2 dimensions, x and y: there is no z");
    expect_one("dzz(u)", "1:8 the grid has 2 dimensions, x and y: there is no dzz(u)");
    expect_one("conserve(u, u, u; 1)",
               "1:8 the grid has 2 dimensions: write conserve(flux_x, flux_y; speed)");
    expect_one("conserve(u, u; 1)", "1:8 the grid has 3 dimensions: write conserve(", unit_grid(3, 4));
    expect_one("conserve(u - dx(u), u; 1, minmod)",
               "1:17 minmod needs values on both sides of a face, which a derivative does not have");
    expect_one(config_of({{"u", "conserve(u, u; a, minmod)"}}, {}, {{"a", "abs(dx(u))"}}),
               "2:23 minmod needs values on both sides of a face");
    expect_one("lap(lap(lap(u)))",
               "1:8 this formula reaches 3 cells away along x, but the grid has only 2 there; use at least 3",
               [] {
                   Grid grid = unit_grid(2, 16);
                   grid.cells[0] = 2;
                   return grid;
               }());
    std::string nested = "u";
    for (int i = 0; i < 8; ++i) {
        nested = "dx(" + nested + ")";
    }
    EXPECT_TRUE(findings(config_of({{"u", nested}})).empty());
    expect_one("dx(" + nested + ")", "1:8 this formula reaches more than 8 cells away along x");
}

TEST(Findings, OfPartsAreToldWhereThePartStands) {
    expect_one(config_of({{"u", "a + lap(a)"}}, {}, {{"a", "b*u"}, {"b", "u"}}),
               "1:8 'b' is a part that is defined further down");
    expect_one(config_of({{"u", "a + lap(a)"}}, {}, {{"a", "2*a"}}), "1:10 'a' is this part itself");
    expect_one(config_of({{"u", "a + lap(a)"}}, {}, {{"a", "u*(1, u)*(1, 1)"}}),
               "1:8 'u*(1, u)*(1, 1)' is a product");
    expect_one(config_of({{"u", "2*a"}}, {}, {{"a", "conserve(u, u; 1)"}}),
               "1:8 conserve() may appear only in the equation");
    expect_one(config_of({{"u", "c*lap(u)"}}, {}, {{"c", "2"}, {"d", "c"}}),
               "2:8 no formula uses the part 'd'");
    EXPECT_TRUE(findings(config_of({{"u", "div(f)"}}, {}, {{"k", "1 + u"}, {"f", "k*grad(u)"}})).empty());
    SystemConfig initial = config_of({{"u", "lap(u)"}}, {}, {{"bump", "exp(-x^2)"}});
    initial.fields[0].initial.kind = ValueSource::Kind::expression;
    initial.fields[0].initial.expression = "1 - bump";
    EXPECT_TRUE(findings(initial).empty());
}

TEST(Findings, OfInitialValuesAndSides) {
    SystemConfig config = config_of({{"u", "lap(u)"}}, {}, {{"r", "lap(u)"}, {"s", "u^2 + t + r"}});
    config.fields[0].initial.kind = ValueSource::Kind::expression;
    config.fields[0].initial.expression = "x + u + t + s + random(7)";
    config.fields[0].initial.position = {"case.yaml", 8, 1};
    config.fields[0].sides[0].kind = SideKind::exchange;
    config.fields[0].sides[0].values = {"dx(u) + r + u", {"case.yaml", 9, 1}};
    config.fields[0].sides[0].coefficient = {"(1, 2)", {"case.yaml", 10, 1}};
    const std::vector<std::string> texts = findings(config);
    ASSERT_EQ(texts.size(), 6U) << testing::PrintToString(texts);
    EXPECT_TRUE(texts[0].starts_with("8:5 'u' is a field, which cannot be used in an initial value"))
        << texts[0];
    EXPECT_TRUE(texts[1].starts_with("8:9 the time t cannot be used in an initial value")) << texts[1];
    EXPECT_TRUE(
        texts[2].starts_with("8:13 's' is a part with fields, coefficients, time, noise or derivatives"))
        << texts[2];
    EXPECT_TRUE(texts[3].starts_with("9:1 the derivative dx(u) cannot be used in a formula at a side"))
        << texts[3];
    EXPECT_TRUE(texts[4].starts_with("9:9 'r' is a part with derivatives")) << texts[4];
    EXPECT_TRUE(texts[5].starts_with("10:1 '(1, 2)' is a vector, but a scalar is needed")) << texts[5];
}

TEST(Findings, OfNames) {
    SystemConfig config = config_of({{"u", "u"}, {"u", "u"}, {"lap", "1"}}, {{"k", 1.0}}, {{"k", "u*u"}});
    const std::vector<std::string> texts = findings(config);
    ASSERT_EQ(texts.size(), 3U) << testing::PrintToString(texts);
    EXPECT_EQ(texts[0], "1:8 'k' is a parameter and also a part under 'let'; give one of them another name");
}

TEST(Findings, WarnOfFieldsThatNothingSteps) {
    expect_one("0*3 - 0", "1:8 the rate of 'u' is 0");
    expect_one("lap(D)", "1:8 the rate of 'u' is 0");
    EXPECT_TRUE(findings(config_of({{"u", "1"}})).empty());
}

TEST(Findings, RefuseWhatTakesTooMuch) {
    Equations doubling{{"p0", "u"}}, vectors{{"p0", "(u, u)"}}, chain{{"p0", "u"}};
    for (int i = 1; i < 3000; ++i) {
        const std::string before = "p" + std::to_string(i - 1), name = "p" + std::to_string(i);
        chain.emplace_back(name, before + " + 1");
        if (i < 60) {
            doubling.emplace_back(name, before + "*" + before + " + sin(" + before + ")");
            vectors.emplace_back(name, before + " + " + before);
        }
    }
    EXPECT_TRUE(findings(config_of({{"u", "p59 + lap(p59)"}}, {}, doubling)).empty());  // each once
    expect_one(config_of({{"u", "div(p59)"}}, {}, vectors), "61:8 the formulas are too large to expand");
    EXPECT_TRUE(findings(config_of({{"u", "p2999"}}, {}, chain)).empty());
    expect_one(config_of({{"u", "lap(p2999)"}}, {}, chain),
               "3001:8 too many parts and derivatives are nested");
    std::string sum = "u";
    for (int i = 0; i < 2000; ++i) {
        sum += " + u/" + std::to_string(i + 3);
    }
    EXPECT_TRUE(findings(config_of({{"u", "lap(" + sum + ")"}})).empty());
    std::string nested = "lap(lap(lap(lap(" + sum + "))))";
    expect_one(nested, "1:8 the formulas have more than 100000 terms");
}

}  // namespace
}  // namespace perdure::findings_test
