// Mistakes that have one cause: one message about it, with what perdure calls what was meant.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::mistakes_test {
namespace {

using Mistakes = CaseFileTest;

TEST_F(Mistakes, AMisspelledKeyIsNotMissingBesides) {
    EXPECT_EQ(errors("problem: {type: diffusion, A: 1}\ngrid: {shape: [2, 2]}\n"),
              Texts{"1:28 unknown key 'problem.A'; did you mean 'a'?"});
    EXPECT_EQ(errors("problem: {equation: diffusion, a: 1}\nmesh: {shape: [2, 2]}\n"),
              (Texts{"1:11 unknown key 'problem.equation'; did you mean 'type'?",
                     "2:1 unknown key 'mesh'; did you mean 'grid'?"}));
    // keys that are known elsewhere are not taken for another
    EXPECT_EQ(errors("problem: {type: diffusion, f: 1}\ngrid: {shape: [2, 2]}\n"),
              Texts{"1:1 missing key 'problem.a': the coefficient of div(a grad u)"});
}

TEST_F(Mistakes, KindsOfSidesHaveOtherNamesElsewhere) {
    EXPECT_EQ(errors_of_diffusion("boundary: {left: {dirichlet: 1}}\n"),
              Texts{"3:12 unknown key 'boundary.left'; did you mean 'x-'?"});
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {dirichlet: 1}, x+: {neumann: 0}, y+: {robin: {h: 1}}}\n"),
              (Texts{"3:17 unknown key 'boundary.x-.dirichlet'; did you mean 'value'?",
                     "3:37 unknown key 'boundary.x+.neumann'; did you mean 'flux'?",
                     "3:55 unknown key 'boundary.y+.robin'; did you mean 'exchange'?"}));
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {exchange: {h: 1, ambient: 2}}}\n"),
              Texts{"3:28 unknown key 'boundary.x-.exchange.h'; did you mean 'coefficient'?"});
}

TEST_F(Mistakes, WhatFollowsFromAMissingFormulaIsNotToldBesides) {
    EXPECT_EQ(
        errors("problem: {type: system, fields: {u: 1}, equations: {w: lap(u)}}\ngrid: {shape: [2, 2]}\n"
               "time: {end: 1}\n"),
        (Texts{"1:34 problem.equations.u: missing; give du/dt for each field, or 0 if the field does not "
               "change",
               "1:53 problem.equations.w: problem.fields has no field 'w'"}));
    const std::string heat = "problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\ntime: {end: 1}\n";
    EXPECT_EQ(errors(heat + "watch: {integrals: {m: u}}\n"),
              Texts{"4:24 watch.integrals.m: expected one of sum, mean, min, max, L1, L2, Linf and flux, "
                    "such as {sum: "
                    "u}, found 'u'"});
    EXPECT_EQ(errors(heat + "watch: {integrals: {m: {average: u}}}\n").size(), 1U);
    for (const char *const integral : {"{units: kg}", "{where: x < 1}", "{sum: u, mean: u}"}) {
        const Texts found = errors(heat + "watch: {integrals: {m: " + integral + "}}\n");
        ASSERT_EQ(found.size(), 1U) << integral;
        EXPECT_TRUE(found[0].starts_with("4:24 watch.integrals.m: expected one of sum, mean,")) << found[0];
    }
}

TEST_F(Mistakes, AnExactSolutionBelongsToAFieldOfASystem) {
    EXPECT_EQ(
        errors("problem: {type: system, exact: x, fields: {u: 1}, equations: {u: lap(u)}}\n"
               "grid: {shape: [2, 2]}\ntime: {end: 1}\n"),
        Texts{"1:25 problem.exact: in a system each field has its own; give problem.fields.FIELD.exact"});
}

TEST_F(Mistakes, DecimalNumbersHaveAPoint) {
    EXPECT_EQ(
        errors_of_diffusion("solver: {atol: '0,5'}\n"),
        Texts{"3:16 solver.atol: expected a number >= 0, found the quoted text \"0,5\" (use a decimal point: "
              "write 0.5)"});
    const std::string heat = "problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\nunits: {time: s}\n";
    EXPECT_EQ(errors(heat + "time:\n  end: 2,5 min\n").at(0).substr(0, 25), "5:8 time.end: expected a ");
    EXPECT_NE(errors(heat + "time:\n  end: 2,5 min\n").at(0).find("(use a decimal point: write 2.5 min)"),
              std::string::npos);
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {exchange: {coefficient: 8,5, ambient: 2}}}\n"),
              Texts{"3:43 unknown key 'boundary.x-.exchange.5'; a comma begins the next key here: put a "
                    "formula in quotes, and "
                    "write a decimal number with a point, as 0.5"});
}

TEST_F(Mistakes, WhatIsWatchedStandsUnderProbesOrIntegrals) {
    const std::string heat = "problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\ntime: {end: 1}\n";
    EXPECT_EQ(
        errors(heat + "watch: {gauge: {x: 1, y: 1}}\n"),
        Texts{
            "4:9 watch.gauge: points and lines stand under probes: write watch: {probes: {gauge: {x: ..}}}"});
    EXPECT_EQ(
        errors(heat + "watch: {heat: {sum: u}}\n"),
        Texts{"4:9 watch.heat: what is summed up over cells or a side stands under integrals: write watch: "
              "{integrals: {heat: {mean: u}}}"});
    EXPECT_EQ(errors(heat + "probes: {gauge: {x: 1, y: 1}}\n"),
              Texts{"4:1 unknown key 'probes'; did you mean 'watch.probes'?"});
}

TEST_F(Mistakes, AKeyWithoutItsSectionIsFound) {
    EXPECT_EQ(errors_of_diffusion("max_iterations: 7\n"),
              Texts{"3:1 unknown key 'max_iterations'; did you mean 'solver.max_iterations'?"});
}

}  // namespace
}  // namespace perdure::mistakes_test
