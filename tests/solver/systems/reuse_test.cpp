// What a cell takes from the one before it: which values, and that nothing is computed in vain.
#include "solver/systems/reuse.hpp"

#include <gtest/gtest.h>

#include "example_system.hpp"

namespace perdure::reuse_test {
namespace {

using namespace systems_test;
using systems::make_system;
using systems::print_rates;
using systems::print_reusing_rates;
using systems::ReusingText;
using systems::System;

std::size_t count_of(const std::string &piece, const std::string &text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
        ++count;
    }
    return count;
}

SystemConfig shallow_water() {
    return config_of({{"h", "conserve(p, q; speed)"},
                      {"p", "conserve(p^2/h + 4.905*h^2, p*q/h; speed)"},
                      {"q", "conserve(p*q/h, q^2/h + 4.905*h^2; speed)"}},
                     {}, {{"speed", "max(abs(p), abs(q))/h + sqrt(9.81*h)"}});
}

TEST(ReusedValues, OfAConservationLawAreFluxesThroughTheFaceAndQuantitiesOfTheCell) {
    const System system = make_system(shallow_water(), unit_grid(2, 8));
    const std::string all = print_rates(system);
    const ReusingText text = print_reusing_rates(system, 1, sizeof(float));
    // the speed of a wave: of the cell and of its four neighbours; of both neighbours along x and of the one ahead
    EXPECT_EQ(count_of("VALUE_SQUARE_ROOT", all), 5U);
    EXPECT_EQ(count_of("VALUE_SQUARE_ROOT", text.rates), 3U);
    // that at a face, which the fluxes of all fields have in common: of four faces; of all but the one behind
    EXPECT_EQ(count_of("VALUE_MAXIMUM", all), 5U + 4U);
    EXPECT_EQ(count_of("VALUE_MAXIMUM", text.rates), 3U + 3U);
    // p^2/h of three cells, q^2/h of three, p q/h of five, speeds of five; now of three, one, three and three
    EXPECT_EQ(count_of("VALUE_DIVIDE", all), 16U);
    EXPECT_EQ(count_of("VALUE_DIVIDE", text.rates), 10U);
    EXPECT_EQ(count_of("VALUE_FIELD", all), 15U);
    EXPECT_EQ(count_of("VALUE_FIELD", text.rates), 12U);
    EXPECT_EQ(count_of("0, -1, 0)", text.rates), 0U) << "nothing of the cell behind is loaded";
    EXPECT_EQ(count_of("VALUE_RATE", text.rates), 3U);
    EXPECT_EQ(count_of("VALUE_REUSED", text.rates), text.values);
    EXPECT_EQ(count_of("VALUE_TO_REUSE", text.rates), text.values);
    EXPECT_EQ(count_of("VALUE_TO_REUSE", text.first), text.values);
    EXPECT_LE(text.values, 10U);
    EXPECT_EQ(print_reusing_rates(system, 1, sizeof(double)).values, 0U) << "too many registers";
}

TEST(ReusedValues, OfStencilsReplaceLoads) {
    const System in_3d = make_system(gray_scott(), unit_grid(3, 8));
    EXPECT_EQ(count_of("VALUE_FIELD", print_rates(in_3d)), 14U);
    EXPECT_EQ(count_of("0, 0, -1)", print_rates(in_3d)), 2U);
    const std::string rates = print_reusing_rates(in_3d, 2, sizeof(double)).rates;
    EXPECT_EQ(count_of("VALUE_FIELD", rates), 12U);
    EXPECT_EQ(count_of("0, 0, -1)", rates), 0U);
    // in 2D that is a sixth of a cell's work
    EXPECT_EQ(print_reusing_rates(make_system(gray_scott(), unit_grid(2, 8)), 1, sizeof(float)).values, 0U);
}

TEST(ReusedValues, AreNoneWhereNeighboursAlongTheAxisHaveNothingInCommon) {
    const Grid grid = unit_grid(2, 8);
    EXPECT_EQ(
        print_reusing_rates(make_system(config_of({{"u", "sin(u) - u^3"}}), grid), 1, sizeof(float)).values,
        0U);
    const System along_x = make_system(config_of({{"u", "dx(u)^2 + dx(dx(u))"}}), grid);
    EXPECT_EQ(print_reusing_rates(along_x, 1, sizeof(float)).values, 0U);
    EXPECT_GT(print_reusing_rates(along_x, 0, sizeof(float)).values, 0U);
}

TEST(ReusedValues, AreFunctionsOfPlacesAndRandomNumbersToo) {
    const System system = make_system(config_of({{"u", "lap(exp(y)*random(3))"}}), unit_grid(2, 8));
    const ReusingText text = print_reusing_rates(system, 1, sizeof(float));
    EXPECT_EQ(count_of("VALUE_EXPONENTIAL", print_rates(system)), 3U);
    EXPECT_EQ(count_of("VALUE_RANDOM", print_rates(system)), 5U);
    EXPECT_EQ(count_of("VALUE_EXPONENTIAL", text.rates), 1U);
    EXPECT_EQ(count_of("VALUE_RANDOM", text.rates), 3U);
}

}  // namespace
}  // namespace perdure::reuse_test
