// Names, functions and numbers of arguments.
#include "solver/formulas/names.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "solver/formulas/diagnostic.hpp"
#include "solver/formulas/functions.hpp"

namespace perdure::formulas::names_test {
namespace {

AllowedNames rate() {
    AllowedNames allowed;
    allowed.names = {"u", "v", "Du", "feed"};
    return allowed;
}

AllowedNames initial() {
    AllowedNames allowed;
    allowed.place = "an initial value";
    allowed.names = {"Du", "feed"};
    allowed.elsewhere = {{"u", "a field"}, {"v", "a field"}};
    allowed.time = false;
    allowed.derivatives = false;
    allowed.dimensions = 2;
    return allowed;
}

/// "begin-end: message" of each.
std::vector<std::string> errors(const std::string &formula, const AllowedNames &allowed) {
    std::vector<std::string> texts;
    for (const FormulaError &error : check_names(parse(formula), allowed)) {
        texts.push_back(std::to_string(error.begin()) + "-" + std::to_string(error.end()) + ": " +
                        error.what());
    }
    return texts;
}

using Errors = std::vector<std::string>;

TEST(CheckNames, AcceptsWhatIsKnown) {
    EXPECT_EQ(errors("Du*lap(u) - u*v^2 + feed*(1 - u) + sin(2*pi*x)*e*t + z", rate()), Errors{});
    EXPECT_EQ(errors("conserve(u, v; abs(u)) + conserve(u, v, u; 1) + min(u, v, x, y) + random(3)", rate()),
              Errors{});
    EXPECT_EQ(errors("not u or -v < 1 ? if(u, v, 1) : dot((1, 2), grad(u))", rate()), Errors{});
    EXPECT_EQ(errors("1 - 0.5*(abs(x-1.25)<0.1)*Du + random(0)", initial()), Errors{});
}

TEST(CheckNames, SuggestsNames) {
    EXPECT_EQ(errors("1 + fed*u + du", rate()), (Errors{"4-7: unknown name 'fed'; did you mean 'feed'?",
                                                        "12-14: unknown name 'du'; did you mean 'Du'?"}));
    EXPECT_EQ(
        errors("w2w + w2w", rate()),
        (Errors{"0-3: unknown name 'w2w'; the names known here are u, v, Du, feed, x, y, z, t, pi, e"}));
    AllowedNames many;
    for (int i = 100; i < 160; ++i) {
        many.names.push_back("field" + std::to_string(i));
    }
    const Errors one = errors("q", many);
    ASSERT_EQ(one.size(), 1U);
    EXPECT_TRUE(one[0].ends_with("field128, field129 and 36 more")) << one[0];
}

TEST(CheckNames, SuggestsFunctionsAndListsThem) {
    const auto first_words = [](const std::string &formula) {
        const std::string error = errors(formula, rate()).at(0);
        EXPECT_TRUE(error.ends_with(
            "; the functions are if, sqrt, exp, log, ln, log2, log10, sin, cos, tan, asin, acos, atan, "
            "atan2, "
            "sinh, cosh, tanh, asinh, acosh, atanh, erf, abs, sign, min, max, sum, avg, floor, ceil, round, "
            "rint, mod, pow, lap, div, grad, dx, dy, dz, dxx, dyy, dzz, upwind, conserve, dot, random, "
            "noise"))
            << error;
        return error.substr(0, error.find("; the functions"));
    };
    EXPECT_EQ(first_words("1 + lapp(u)"), "4-8: unknown function 'lapp'; did you mean 'lap'?");
    EXPECT_EQ(first_words("Sqrt(u)"), "0-4: unknown function 'Sqrt'; did you mean 'sqrt'?");
    EXPECT_EQ(first_words("fmod(u)"), "0-4: unknown function 'fmod'; did you mean 'mod'?");
    EXPECT_EQ(first_words("laplacian(u)"), "0-9: unknown function 'laplacian'; did you mean 'lap'?");
    EXPECT_EQ(first_words("system(u)"), "0-6: unknown function 'system'");
}

TEST(CheckNames, TellsFunctionsFromNames) {
    EXPECT_EQ(errors("lap + 2*min", rate()), (Errors{"0-3: 'lap' is a function; write lap(u)",
                                                     "8-11: 'min' is a function; write min(a, b, ...)"}));
    EXPECT_EQ(errors("u(1 + v) + pi(2) + u(2)", rate()),
              (Errors{"0-1: 'u' is not a function; write u*(...) for a product",
                      "11-13: 'pi' is not a function; write pi*(...) for a product"}));
    EXPECT_EQ(errors("u(1)", initial()), (Errors{"0-1: 'u' is not a function; write u*(...) for a product"}));
}

TEST(CheckNames, CountsArguments) {
    EXPECT_EQ(errors("lap(u, v) + dx(u)", rate()),
              (Errors{"0-9: 'lap' takes 1 argument, found 2; write lap(u)"}));
    EXPECT_EQ(errors("2*min(u)", rate()),
              (Errors{"2-8: 'min' takes 2 or more arguments, found 1; write min(a, b, ...)"}));
    EXPECT_EQ(errors("if(u, v)", rate()),
              (Errors{"0-8: 'if' takes 3 arguments, found 2; write if(c, a, b)"}));
    EXPECT_EQ(errors("conserve(u, u, u, u; v)", rate()),
              (Errors{"0-23: 'conserve' takes 1 to 3 arguments before the ';', found 4; write "
                      "conserve(flux_x[, flux_y, flux_z]; speed)"}));
    EXPECT_EQ(errors("conserve(u, v)", rate()),
              (Errors{"0-14: 'conserve' takes 1 or 2 arguments after a ';', found none; write "
                      "conserve(flux_x[, flux_y, flux_z]; speed)"}));
    EXPECT_EQ(
        errors("conserve(u, v; 1, 2) + conserve(u, v; 1, 2, minmod) + conserve(u, v; 1, minmod)", rate()),
        Errors{});
    EXPECT_EQ(errors("conserve(u, v; 1, 2, 3)", rate()),
              (Errors{"0-23: 'conserve' takes 1 or 2 arguments after a ';', found 3; write "
                      "conserve(flux_x[, flux_y, flux_z]; speed)"}));
    EXPECT_EQ(errors("conserve(u, v; minmod)", rate()),
              (Errors{"0-22: 'conserve' takes 1 or 2 arguments after a ';', found none; write "
                      "conserve(flux_x[, flux_y, flux_z]; speed)"}));
    EXPECT_EQ(errors("conserve(u, v; minmod, 1) + minmod*u", rate()),
              (Errors{"15-21: 'minmod' is allowed only as the last argument after the ';' of conserve()"}));
    EXPECT_EQ(errors("pow(u; 2)", rate()), (Errors{"0-9: 'pow' has no ';'; write pow(a, b)"}));
    const std::string seed = ": the seed of random() must be a whole number from 0 to 2147483647";
    EXPECT_EQ(errors("random(0.5) + random(2147483648) + random(2147483647)", rate()),
              (Errors{"7-10" + seed, "21-31" + seed}));
}

TEST(CheckNames, RefusesWhatThePlaceDoesNotHave) {
    EXPECT_EQ(errors("u + t + lap(x) + dot(grad(x), (1, 2))", initial()),
              (Errors{"0-1: 'u' is a field, which cannot be used in an initial value",
                      "4-5: the time t cannot be used in an initial value",
                      "8-11: the derivative lap(u) cannot be used in an initial value",
                      "21-25: the derivative grad(u) cannot be used in an initial value"}));
    AllowedNames plane = rate();
    plane.dimensions = 2;
    EXPECT_EQ(errors("z + dz(u) + dzz(u) + dy(u)", plane),
              (Errors{"0-1: the grid has 2 dimensions, x and y: there is no z",
                      "4-6: the grid has 2 dimensions, x and y: there is no dz(u)",
                      "12-15: the grid has 2 dimensions, x and y: there is no dzz(u)"}));
}

TEST(WhyNotAName, KeepsTheWordsOfFormulas) {
    for (const std::string name : {"u", "Du", "_", "T", "E", "PI", "k_1", "laplace", "exponent", "xx"}) {
        EXPECT_EQ(why_not_a_name(name), "") << name;
    }
    EXPECT_EQ(why_not_a_name("x"),
              "'x' is the coordinate x of the cell's centre in every formula; choose another name");
    EXPECT_EQ(why_not_a_name("t"), "'t' is the time in every formula; choose another name");
    EXPECT_EQ(why_not_a_name("e"), "'e' is the number 2.71828... in every formula; choose another name");
    EXPECT_EQ(why_not_a_name("lap"),
              "'lap' is a reserved word of formulas: lap(u), the Laplacian; choose another name");
    for (const BuiltIn &built_in : built_ins()) {
        EXPECT_NE(why_not_a_name(std::string(built_in.name)), "") << built_in.name;
    }
    for (const Function &function : functions()) {
        EXPECT_NE(why_not_a_name(std::string(function.name)), "") << function.name;
    }
    for (const std::string name : {"", "2u", "u v", "u-v", "\xc2\xb5", "a.b", "and", "or", "not", "if"}) {
        EXPECT_NE(why_not_a_name(name), "") << name;
    }
    EXPECT_EQ(why_not_a_name(std::string(64, 'a')), "");
    EXPECT_NE(why_not_a_name(std::string(65, 'a')), "");
}

TEST(Functions, StandOnceEachWithAUsageThatIsRead) {
    std::set<std::string_view> names;
    for (const Function &function : functions()) {
        EXPECT_TRUE(names.insert(function.name).second) << function.name;
        std::string usage(function.usage);
        for (const std::string left_out : {", ...", "[, flux_y, flux_z]"}) {
            if (const std::size_t at = usage.find(left_out); at != std::string::npos) {
                usage.erase(at, left_out.size());
            }
        }
        const Node tree = parse(usage);
        EXPECT_EQ(tree.name, function.name) << usage;
        const auto arguments = static_cast<int>(tree.children.size());
        EXPECT_GE(arguments, function.fewest + function.fewest_behind) << usage;
        EXPECT_LE(arguments - tree.behind_semicolon, function.most) << usage;
        EXPECT_EQ(tree.behind_semicolon, function.fewest_behind) << usage;
        EXPECT_EQ(find_function(function.name), &function);
    }
    EXPECT_EQ(names.size(), 62U);
    EXPECT_EQ(find_function("u"), nullptr);
    EXPECT_EQ(find_built_in("pi")->value, 3.14159265358979323846);
    EXPECT_EQ(find_built_in("e")->value, 2.71828182845904523536);
    EXPECT_FALSE(find_built_in("x")->value.has_value());
}

TEST(ToDiagnostic, ShowsTheCharacterInTheLineOfTheFile) {
    const std::string line = "    u: Du*lapp(u) - u";
    Diagnostic diagnostic =
        to_diagnostic(check_names(parse(line.substr(7)), rate()).at(0), {"case.yaml", 5, 8});
    diagnostic.source_line = line;
    const std::string text = to_text(diagnostic);
    EXPECT_EQ(text.substr(0, text.find(';')), "case.yaml:5:11: error: unknown function 'lapp'");
    EXPECT_EQ(text.substr(text.find('\n')), "\n    5 |     u: Du*lapp(u) - u\n      |           ^");
}

TEST(ToDiagnostic, TellsTheCharacterWhereTheLineIsNotKnown) {
    const Diagnostic diagnostic =
        to_diagnostic(FormulaError("it is wrong", 3, 4), {"--set problem.f=..", 0, 0});
    EXPECT_EQ(to_text(diagnostic), "--set problem.f=..: error: it is wrong (at character 4 of the formula)");
}

}  // namespace
}  // namespace perdure::formulas::names_test
