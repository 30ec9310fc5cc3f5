// Warnings of units that do not add up, and of derivatives of what jumps.
#include "solver/systems/units.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "example_system.hpp"

namespace perdure::units_test {
namespace {

using namespace systems_test;
using systems::read_units;
using systems::Units;

TEST(Units, AreRead) {
    EXPECT_EQ(read_units("mol/m3"), (Units{{"mol", 1}, {"m", -3}}));
    EXPECT_EQ(read_units("kg m-1 s^-2"), read_units("Pa"));
    EXPECT_EQ(read_units("W/(m2 K)"), read_units("J s-1 m^-2/K"));
    EXPECT_EQ(read_units("1/s"), read_units("kHz"));
    EXPECT_EQ(read_units("kW.m-1.K-1"), read_units("W/(m K)")) << "as UDUNITS and CF write it";
    EXPECT_EQ(read_units("W\u00b7m^-1.5\u00b7K-1"), read_units("W m-1.5 K-1"));
    EXPECT_EQ(read_units("W/m/K"), read_units("W/(m.K)"));
    EXPECT_EQ(read_units("m 1/s"), read_units("m/s"));
    EXPECT_EQ(read_units("mm/ms"), (Units{{"m", 1}, {"s", -1}}));
    EXPECT_EQ(read_units("1"), Units{});
    EXPECT_EQ(read_units("m/m"), Units{});
    EXPECT_EQ(read_units("cells/h"), (Units{{"cells", 1}, {"s", -1}}));
    EXPECT_EQ(systems::to_text(*read_units("N^0.5/m")), "kg0.5 m-0.5 s-1");
    for (const char *const text : {"m/", "(m", "m)", "m3.5.5-", "?", "W/m.K", "W/m K", "m2/s2K", "W/mK",
                                   "W/(10 m K)", "1.5 m", "m//s", "\u00b5m"}) {
        EXPECT_EQ(read_units(text), std::nullopt) << text;
    }
}

std::vector<std::string> warnings(SystemConfig config, const std::map<std::string, std::string> &units) {
    for (SystemField &field : config.fields) {
        field.units = units.contains(field.name) ? units.at(field.name) : "";
    }
    for (const auto &[name, value] : config.parameters) {
        if (units.contains(name)) {
            config.parameter_units[name] = units.at(name);
        }
    }
    std::vector<std::string> texts;
    for (const Diagnostic &warning : systems::make_system(config, unit_grid(2, 8)).warnings) {
        texts.push_back(
            fmt::format("{}:{} {}", warning.position.line, warning.position.column, warning.message));
    }
    return texts;
}

TEST(Units, ThatCannotBeReadSayWhy) {
    using systems::mistake_in_units;
    for (const char *const text : {"W/m.K", "W/m K", "J/kg K", "W/m2K"}) {
        EXPECT_EQ(mistake_in_units(text), "a product behind '/' needs brackets, as in W/(m K)") << text;
    }
    for (const char *const text : {"W/mK", "W/(mK)", "1/(m (mK))"}) {
        EXPECT_EQ(mistake_in_units(text), "mK is millikelvin; write W/(m K)") << text;
    }
    for (const char *const text : {"mK", "W/(m/mK)", "W m-1 mK-1"}) {
        EXPECT_TRUE(read_units(text)) << text;
    }
    for (const char *const text : {"\u00b5m2/s", "m\u00b2/s", "W/(m\u2009K)"}) {
        EXPECT_EQ(mistake_in_units(text),
                  "write um for micrometres, powers as in m2 and s-1, and plain blanks")
            << text;
    }
    EXPECT_EQ(mistake_in_units("W/(10 m K)"),
              "no number but 1 stands among units: multiply the number before them by it");
    EXPECT_EQ(mistake_in_units("m/"), "");
    EXPECT_EQ(mistake_in_units("W/(m K)"), "");
}

TEST(Units, ThatAddUpAreNotWarnedOf) {
    const std::map<std::string, std::string> units{{"u", "mol/m3"}, {"v", "mol/m3"}, {"D", "m2/s"},
                                                   {"k", "1/s"},    {"w", "m/s"},    {"c", "1"}};
    const auto good = [&](const std::string &rate) {
        const SystemConfig config =
            config_of({{"u", rate}, {"v", "k*v*c"}}, {{"D", 1.0}, {"k", 2.0}, {"w", 3.0}, {"c", 4.0}},
                      {{"f", "D*grad(u) - (w, 2*w)*v"}});
        std::vector<std::string> found = warnings(config, units);
        std::erase_if(
            found, [](const std::string &text) { return text.find("no formula uses") != std::string::npos; });
        return found;
    };
    for (const char *const rate :
         {"D*lap(u) - k*(u - 1)*exp(c)", "div(f) + k*u*if(u < v, 2, c)",
          "conserve(w*u, 2*w*u; w) - upwind((w, w), u)", "k*sqrt(u*v) + u^-1*v^2*k + 9.81*v*u",
          "k*max(u, v, 0)*sin(2*pi*x) + k*random(1)*u", "D*dxx(u) + w*dy(u) + D/sqrt(D/k)*dx(v)"}) {
        EXPECT_EQ(good(rate), std::vector<std::string>{}) << rate;
    }
}

TEST(Units, ThatDoNotAddUpAreWarnedOf) {
    const std::map<std::string, std::string> units{{"u", "mol/m3"}, {"D", "m2/s"}, {"k", "1/s"}};
    const auto one = [&](const std::string &rate, const std::string &begin) {
        const std::vector<std::string> found =
            warnings(config_of({{"u", rate}}, {{"D", 1.0}, {"k", 2.0}}), units);
        ASSERT_FALSE(found.empty()) << rate;
        EXPECT_TRUE(found[0].starts_with(begin)) << found[0];
    };
    one("D*lap(u) - D*u + k*u",
        "1:19 inconsistent units: 'D*lap(u)' has the units m-3 mol s-1, but 'D*u' has m-1 mol s-1");
    one("D*dx(u) + 0*k", "1:18 inconsistent units: 'D*dx(u)' has the units m-2 mol s-1, but '0*k' has s-1");
    one("k*u*u", "1:8 inconsistent units: the rate of 'u' has the units m-3 mol s-1, but this has");
    one("k*u*exp(u) + 0*D*lap(u)",
        "1:16 inconsistent units: exp() must have no units, but 'u' has the units m-3 mol");
    one("k*u + 0*D*lap(u) + k*u*(k < D)",
        "1:36 inconsistent units: 'k' has the units s-1, but 'D' has m2 s-1");
}

TEST(Jumps, InsideDerivativesAreWarnedOf) {
    const auto warned = [](const std::string &rate) {
        const std::vector<std::string> found = warnings(
            config_of({{"u", rate}}, {}, {{"layer", "if(x < 0.5, 1, 2)"}, {"late", "if(t < 1, 0, 1)"}}), {});
        return std::any_of(found.begin(), found.end(), [](const std::string &text) {
            return text.find("a value that jumps from cell to cell") != std::string::npos;
        });
    };
    for (const char *const rate :
         {"dx(u*layer) + late", "lap(if(u > 1, u, 0)) + late*layer",
          "div((1 + u)*grad(u*(y > 0.5))) + late*layer", "dy(floor(u)) + late*layer"}) {
        EXPECT_TRUE(warned(rate)) << rate;
    }
    for (const char *const rate : {"div(layer*grad(u)) + late", "lap(late*u) + layer", "layer*lap(u) + late",
                                   "lap(max(u, 0)*abs(u)) + late*layer",
                                   "conserve(layer*u, 0; layer) + late - upwind((layer, 1), u)"}) {
        EXPECT_FALSE(warned(rate)) << rate;
    }
}

}  // namespace
}  // namespace perdure::units_test
