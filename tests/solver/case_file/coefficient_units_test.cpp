// Coefficients, sources and values with units.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::coefficient_units_test {
namespace {

using Texts = std::vector<std::string>;

class CoefficientUnits : public CaseFileTest {
  protected:
    static std::string heat(const std::string &problem, const std::string &units = "{length: mm, time: s}",
                            const std::string &boundary = "{}") {
        return "problem: {type: heat, " + problem + "}\nboundary: " + boundary + "\nunits: " + units +
               "\ngrid: {shape: [4, 5]}\ntime: {end: 1}\n";
    }
};

/// A diffusivity of 0.3 mm2/s, however it is written.
TEST_F(CoefficientUnits, BecomeNumbersInTheUnitsOfTheCase) {
    const Config config =
        load(heat("a: 0.6 W/(m K), capacity: 2 MJ/(m3 K), f: 3 kW/m3, initial: 20 K", "{length: mm, time: s}",
                  "{x-: {flux: 100 W/m2}, x+: {exchange: {coefficient: 25 W/(m2 K), ambient: 300 K}}, "
                  "y-: {value: {number: 0.28 kK}}}"));
    EXPECT_DOUBLE_EQ(config.a.number, 6.0e-4);
    EXPECT_DOUBLE_EQ(config.capacity.number, 2.0e-3);
    EXPECT_DOUBLE_EQ(config.f.number, 3.0e-6);
    EXPECT_EQ(config.initial.number, 20.0);
    EXPECT_DOUBLE_EQ(config.sides[0].values.number, 1.0e-4);
    EXPECT_DOUBLE_EQ(config.sides[1].coefficient.number, 2.5e-5);
    EXPECT_EQ(config.sides[1].values.number, 300.0);
    EXPECT_DOUBLE_EQ(config.sides[2].values.number, 280.0);
    const Config by_hours = load(heat("a: 0.6 W/(m K), capacity: 2e6 J m^-3 K-1", "{length: cm, time: h}"));
    EXPECT_DOUBLE_EQ(by_hours.a.number, 0.6 * 3600.0 / 100.0) << "J/(h cm K)";
    EXPECT_DOUBLE_EQ(by_hours.capacity.number, 2.0) << "J/(cm3 K)";
    EXPECT_EQ(load(heat("a: 1/4 mm2/s")).a.number, 0.25) << "exactly";
    EXPECT_DOUBLE_EQ(load(heat("a: 2.5e-7 m2/s")).a.number, 0.25);
    EXPECT_EQ(load(heat("a: 0.6 W/(m K), capacity: 2e6 J/(m3 K)", "{length: m, time: s}")).a.number, 0.6);
}

TEST_F(CoefficientUnits, OfSteadyProblemsImagesAndSweeps) {
    const std::string rest = "units: {length: um, time: s}\ngrid: {shape: [4, 5]}\n";
    const Config config = load(
        "problem: {type: diffusion, a: 1.5e-9 m2/s, f: 2 mol/(m3 s), sigma: 3 1/s}\n"
        "boundary: {x-: {value: 5 mol/L}}\n" +
        rest);
    EXPECT_DOUBLE_EQ(config.a.number, 1500.0);
    EXPECT_DOUBLE_EQ(config.f.number, 2.0e-18);
    EXPECT_DOUBLE_EQ(config.sides[0].values.number, 5.0e-15);
    const Config image = load(
        "problem: {type: effective, a: {file: i.h5, dataset: /i, labels: {0: 0.6 W/(m K), 1: {x: 30 W/(m K), "
        "y: 30 W/(m K)}}}}\n" +
        rest);
    EXPECT_DOUBLE_EQ(image.a.labels.at(0), 0.6e-6);
    EXPECT_DOUBLE_EQ(image.a.labels.at(1), 30.0e-6);
    const std::vector<Config> members =
        load_cases(write("problem: {type: diffusion, a: 1}\nsweep: {problem.a: [2 mm2/s, 3]}\n" + rest), {});
    ASSERT_EQ(members.size(), 2U);
    EXPECT_DOUBLE_EQ(members[0].a.number, 2.0e6);
    EXPECT_EQ(members[1].a.number, 3.0);
}

TEST_F(CoefficientUnits, ExpressionsAreLeftAlone) {
    EXPECT_EQ(load(heat("a: 1, f: 2*x + 1e-3, initial: 1 and x > 2")).f.expression, "2*x + 1e-3");
    EXPECT_EQ(load(heat("a: 2*pi")).a.expression, "2*pi");
}

TEST_F(CoefficientUnits, ThatDoNotFitAreRefused) {
    EXPECT_EQ(errors(heat("a: 0.6 W/(m K), capacity: 4 kJ/(kg K)")),
              Texts{"1:49 problem.capacity: found '4 kJ/(kg K)', in units of K-1 m2 s-2; expected units of "
                    "K-1 kg m-1 "
                    "s-2, which follow from problem.a ('0.6 W/(m K)')"});
    EXPECT_EQ(
        errors(heat("a: 0.6 W/(m K)")),
        Texts{"1:26 problem.a: found '0.6 W/(m K)', in units of K-1 kg m s-3; expected units of m2 s-1; "
              "without problem.capacity, a of heat is a diffusivity"});
    EXPECT_EQ(errors(heat("a: 1 m2/s, initial: 3 K, f: 5 K/min", "{length: m, time: s}")), Texts{});
    EXPECT_EQ(errors(heat("a: 1 m2/s, initial: 3 K, f: 5 K")),
              Texts{"1:51 problem.f: found '5 K', in units of K; expected units of K s-1, which follow from "
                    "problem.initial ('3 K'); without problem.capacity, a of heat is a diffusivity"});
    EXPECT_EQ(
        errors(heat("a: 3 furlongs/s")),
        Texts{"1:26 problem.a: 'furlongs' in '3 furlongs/s' is not made of units that perdure knows, such as "
              "W/(m K), mol/(m3 s), mm2/s and 1/h"});
    EXPECT_EQ(
        errors(heat("a: 3 m2/s", "{length: m}")),
        Texts{
            "1:26 problem.a: found '3 m2/s', and the case does not say in which units its lengths and times "
            "are: write units: {length: m, time: s} at the top, say, and all numbers of the case in such "
            "units"});
    EXPECT_EQ(errors(heat("a: 0.6 W/(m K), capacity: 2e6 kg/(m s2 K)")),
              Texts{"1:49 problem.capacity: '2e6 kg/(m s2 K)' names a mass and problem.a ('0.6 W/(m K)') an "
                    "energy or "
                    "force; with lengths and times other than m and s, give all values with one of these"});
    EXPECT_EQ(errors(heat("a: 0.6 W/(m K), capacity: 2e6 kg/(m s2 K)", "{length: m, time: s}")), Texts{});
}

}  // namespace
}  // namespace perdure::coefficient_units_test
