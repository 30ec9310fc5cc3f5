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

TEST_F(CoefficientUnits, OfMembersAreInJoulesHoweverTheyAreWritten) {
    const std::string grid = "units: {length: mm}\ngrid: {shape: [4, 5]}\n";
    const std::vector<Config> members = load_cases(
        write("problem: {type: diffusion, a: 1}\nsweep: {problem.a: [0.6 W/(m K), 0.6 kg m/(s3 K)]}\n" +
              grid),
        {});
    ASSERT_EQ(members.size(), 2U);
    EXPECT_DOUBLE_EQ(members[0].a.number, 6.0e-4);
    EXPECT_DOUBLE_EQ(members[1].a.number, 6.0e-4);
    EXPECT_DOUBLE_EQ(load("problem: {type: diffusion, a: 1 m2/s, f: 2 g/(m3 s)}\n" + grid).f.number, 2.0e-12)
        << "kilograms: kg/(mm3 s)";
}

TEST_F(CoefficientUnits, OfTheEndsOfRanges) {
    const std::vector<Config> members = load_cases(
        write("problem: {type: diffusion, a: 1}\nunits: {length: mm, time: s}\ngrid: {shape: [4, 5]}\n"
              "sweep: {problem.a: {from: 0.1 W/(m K), to: 10 W/(m K), count: 3, scale: log}}\n"),
        {});
    ASSERT_EQ(members.size(), 3U);
    EXPECT_DOUBLE_EQ(members[0].a.number, 1.0e-4);
    EXPECT_DOUBLE_EQ(members[1].a.number, 1.0e-3);
    EXPECT_DOUBLE_EQ(members[2].a.number, 1.0e-2);
    EXPECT_EQ(members[1].sweep->settings[0].second, "1 W/(m K)");
    EXPECT_EQ(errors("problem: {type: diffusion, a: 1}\ngrid: {shape: [4, 5]}\n"
                     "sweep: {problem.a: {from: 0.1 W/(m K), to: 10, count: 3}}\n"),
              Texts{"3:20 sweep.problem.a: from is in 'W/(m K)' and to in ''; give both in the same units"});
}

TEST_F(CoefficientUnits, CapitalExponentsAreThoseOfNumbers) {
    const Config config = load(heat("a: 1.5E-9, capacity: 1E3, f: 1.5E-3*x, initial: 2.E+1"));
    EXPECT_EQ(config.a.number, 1.5e-9);
    EXPECT_EQ(config.capacity.number, 1000.0);
    EXPECT_EQ(config.f.expression, "1.5E-3*x");
    EXPECT_EQ(config.initial.number, 20.0);
    EXPECT_DOUBLE_EQ(load(heat("a: 1.5E-9 m2/s")).a.number, 1.5e-3);
    EXPECT_DOUBLE_EQ(load(heat("a: 1.5E-9m2/s")).a.number, 1.5e-3);
    EXPECT_EQ(load(heat("a: 1, f: {expression: 1E2*y}")).f.expression, "1E2*y");
    EXPECT_EQ(load("problem: {type: effective, a: {file: i.h5, dataset: /i, labels: {0: 1E2, 1: \"1E-3\"}}}\n"
                   "grid: {shape: [4, 5]}\n")
                  .a.labels.at(1),
              1.0e-3);
}

/// What nothing else tells: in which units results are, and values that have none.
TEST_F(CoefficientUnits, OfResultsAndOfPlainValuesAreSaid) {
    const Config config = load(heat("a: 0.6 W/(m K), capacity: 2e6, initial: 0, f: 3*x",
                                    "{length: mm, time: s}", "{all: {value: 300 K}}"));
    EXPECT_EQ(config.assumed, (Texts{"grid.spacing 1", "u in K", "flux in J/(mm2 s)",
                                     "problem.capacity: 2e6 J/(mm3 K)", "problem.f: 3*x J/(mm3 s)"}));
    EXPECT_EQ(config.output.units, "K");
    EXPECT_EQ(config.output.flux_units, "J/(mm2 s)");
    const std::string rest = "boundary: {all: {value: 1 bar}}\ngrid: {shape: [4, 5], spacing: 1}\n";
    const Config pressure = load("problem: {type: diffusion, a: 1}\nunits: {length: mm}\n" + rest);
    EXPECT_DOUBLE_EQ(pressure.sides[0].values.number, 1.0e-4);
    EXPECT_EQ(pressure.assumed, Texts{"u in J/mm3"});
    const Config named =
        load("problem: {type: diffusion, a: 1}\nunits: {length: mm}\noutput: {units: bar}\n" + rest);
    EXPECT_EQ(named.output.units, "bar") << "as the case says";
    const Config si =
        load("problem: {type: diffusion, a: 2 m2/(Pa s), f: 3}\nunits: {length: m, time: s}\n" + rest);
    EXPECT_EQ(si.assumed, (Texts{"u in J/m3", "flux in m/s"})) << "numbers are those of the SI";
    const Config steady = load(
        "problem: {type: diffusion, a: 0.6 W/(m K), f: 3}\nunits: {length: mm}\nboundary: {all: {value: 0}}\n"
        "grid: {shape: [4, 5], spacing: 1}\n");
    EXPECT_EQ(steady.assumed, (Texts{"units.time s", "problem.f: 3 times the units of u times J/(mm3 s K)"}));
    EXPECT_EQ(steady.output.units, std::nullopt);
}

TEST_F(CoefficientUnits, TemperaturesWithAnOffsetAreRefused) {
    const std::string number = "; write K, or a number without units";
    EXPECT_EQ(
        errors(heat("a: 1, initial: 20 C")),
        Texts{"1:38 problem.initial: found '20 C': C is the coulomb, and degrees Celsius have an offset" +
              number});
    EXPECT_EQ(errors(heat("a: 1", "{length: mm, time: s}", "{x-: {value: 68 F}}")),
              Texts{"2:24 boundary.x-.value: found '68 F': F is the farad, and degrees Fahrenheit have an "
                    "offset" +
                    number});
    EXPECT_EQ(errors(heat("a: 1, initial: 20 degC")),
              Texts{"1:38 problem.initial: found '20 degC': degC has an offset" + number});
    EXPECT_EQ(errors(heat("a: 1, initial: 20 \u00b0C")),
              Texts{"1:38 problem.initial: found '20 \u00b0C': degrees have an offset" + number});
    EXPECT_EQ(errors("problem: {type: diffusion, a: 8.9e-12 F/m, f: 3 C/m3}\nunits: {length: m}\n"
                     "grid: {shape: [4, 5]}\n"),
              Texts{})
        << "a charge";
}

TEST_F(CoefficientUnits, MistakesAreNamed) {
    EXPECT_EQ(errors(heat("a: 1d-3")), Texts{"1:26 problem.a: found '1d-3': write the number as 1e-3"});
    EXPECT_EQ(load(heat("a: 1, sigma: 6 min-1")).sigma.number, 0.1) << "min() is a function, too";
    EXPECT_EQ(load(heat("a: 86400 m2/d", "{length: m, time: s}")).a.number, 1.0);
    EXPECT_EQ(
        errors(heat("a: 5 \u00b5m2/s")),
        Texts{"1:26 problem.a: found '5 \u00b5m2/s': write um for micrometres, powers as in m2 and s-1, "
              "and plain blanks"});
    EXPECT_EQ(errors(heat("a: 2 W/m.K")),
              Texts{"1:26 problem.a: found '2 W/m.K': a product behind '/' needs brackets, as in W/(m K)"});
    EXPECT_EQ(
        errors("problem: {type: system, fields: {c: {initial: 0, units: mol/m3}}, equations: {c: 2*lap(c)}}\n"
               "boundary: {x-: {value: 5 mol/L}}\nunits: {length: mm, time: s}\n"
               "grid: {shape: [4, 5]}\ntime: {end: 1, dt: 0.01}\n"),
        Texts{"2:24 boundary.x-.value: found '5 mol/L': sides of a system take numbers without units; "
              "write it in the units of the field's equation"});
    for (const char *const text :
         {"20 K + x", "2 sin(x)", "2 x", "20 K - x"}) {  // formulas say what is wrong
        const std::string formula = fmt::format("a: 1, initial: {}", text);
        EXPECT_EQ(load(heat(formula)).initial.expression, text);
    }
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
              "W/(m K), mol/(m3 s), mm2/s and 1/h (perdure help units lists them); in a formula, write a "
              "product "
              "as a*b"});
    EXPECT_EQ(
        errors(heat("a: 3 m2/s", "{length: m}")),
        Texts{
            "1:26 problem.a: found '3 m2/s', and the case does not say in which units its lengths and times "
            "are: write units: {length: m, time: s} at the top, say, and all numbers of the case in such "
            "units"});
    EXPECT_EQ(errors(heat("a: 0.6 W/(m K), capacity: 2e6 kg/(m s2 K)")), Texts{}) << "J/(m3 K)";
    EXPECT_EQ(
        errors("problem: {type: diffusion, a: 1e-3 kg/(m s), f: 2 Pa/m}\nunits: {length: mm, time: s}\n"
               "grid: {shape: [4, 5]}\n"),
        Texts{"1:31 problem.a: '1e-3 kg/(m s)' is in units of a mass and problem.f ('2 Pa/m') of an energy "
              "or force; with lengths and times other than m and s, give all values with one of these"});
    EXPECT_EQ(errors(heat("a: 0.6 W/(m K), capacity: 2e6 kg/(m s2 K)", "{length: m, time: s}")), Texts{});
}

}  // namespace
}  // namespace perdure::coefficient_units_test
