// sweep: one case file that stands for many.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::sweep_test {
namespace {

class Sweep : public CaseFileTest {
  protected:
    std::string case_ =
        "problem: {type: diffusion, a: 1}\ngrid: {shape: [8, 9]}\nboundary: {x-: {value: 1}}\n";

    [[nodiscard]] std::vector<Config> cases(const std::string &sweep,
                                            const std::vector<std::string> &overrides = {}) const {
        return load_cases(write(case_ + sweep), overrides);
    }

    [[nodiscard]] std::vector<std::string> errors_of(const std::string &sweep) const {
        return errors(case_ + sweep);
    }
};

TEST_F(Sweep, TakesEveryCombinationTheLastKeyFastest) {
    const auto members =
        cases("sweep:\n  solver.rtol: [1e-4, 1e-6]\n  grid.shape: [[4, 5], [6, 7], [8, 9]]\n");
    ASSERT_EQ(members.size(), 6);
    EXPECT_EQ(members[0].solver.rtol, 1e-4);
    EXPECT_EQ(members[0].grid.cells[0], 5);
    EXPECT_EQ(members[1].grid.cells[0], 7);
    EXPECT_EQ(members[4].solver.rtol, 1e-6);
    EXPECT_EQ(members[4].grid.cells[1], 6);
    ASSERT_TRUE(members[4].sweep);
    EXPECT_EQ(members[4].sweep->number, 5);
    EXPECT_EQ(members[4].sweep->count, 6);
    const decltype(SweepPlace::settings) settings{{"solver.rtol", "1e-06"}, {"grid.shape", "[6, 7]"}};
    EXPECT_EQ(members[4].sweep->settings, settings);
}

TEST_F(Sweep, TakesMapsOneByOne) {
    const auto members =
        cases("sweep:\n  - {solver.rtol: 1e-4, title: coarse}\n  - {boundary.x-.value: 3}\n");
    ASSERT_EQ(members.size(), 2);
    EXPECT_EQ(members[0].title, "coarse");
    EXPECT_EQ(members[0].sides[0].values.number, 1.0);
    EXPECT_EQ(members[1].solver.rtol, 1e-8);
    EXPECT_EQ(members[1].sides[0].values.number, 3.0);
}

TEST_F(Sweep, GivesEachMemberANameOfItsOwn) {
    EXPECT_EQ(cases("sweep: {solver.rtol: [1e-4, 1e-6]}\n")[1].output.name, "case-solver.rtol-1e-06");
    EXPECT_EQ(cases("output: {name: wall}\nsweep: {solver.rtol: [1e-4, 1e-6]}\n")[0].output.name,
              "wall-solver.rtol-0.0001");
    EXPECT_EQ(cases("sweep: {output.name: [thick, thin]}\n")[1].output.name, "thin");
    EXPECT_EQ(cases("")[0].output.name, "");
    EXPECT_FALSE(cases("")[0].sweep);
}

TEST_F(Sweep, ALongerSweepKeepsWhatItsMembersAre) {
    const auto two = cases("sweep: {solver.rtol: [1e-4, 1e-6]}\n");
    const auto three = cases("sweep: {solver.rtol: [1e-4, 1e-6, 1e-8]}\n");
    EXPECT_EQ(two[1].as_read, three[1].as_read);
    EXPECT_NE(two[0].as_read, two[1].as_read);
    EXPECT_EQ(two[1].as_read,
              "{problem: {type: diffusion, a: 1}, grid: {shape: [8, 9]}, boundary: {x-: {value: 1}}, "
              "solver: {rtol: 1e-06}}");
    EXPECT_EQ(case_text(two[1]), case_ + "sweep: {solver.rtol: [1e-4, 1e-6]}\n# sweep solver.rtol=1e-06\n");
}

TEST_F(Sweep, WhatIsReadCanBeReadAgain) {
    case_ += "title: 'a: \"b\" # [c]'\nsolver: {rtol: 1e-7}\n";
    const Config once = load(case_);
    const Config again = load(once.as_read);
    EXPECT_EQ(again.title, "a: \"b\" # [c]");
    EXPECT_EQ(again.solver.rtol, 1e-7);
    EXPECT_EQ(again.as_read, once.as_read);
}

TEST_F(Sweep, ComesAfterOverridesAndCanBeTakenAway) {
    EXPECT_EQ(cases("sweep: {solver.rtol: [1e-4, 1e-6]}\n", {"solver.atol=1e-2"})[1].solver.atol, 1e-2);
    for (const std::string text : {"solver.rtol=1e-2", "solver={rtol: 1e-2}"}) {
        EXPECT_EQ(errors(case_ + "sweep: {solver.rtol: [1e-4, 1e-6]}\n", {text}),
                  Texts{"--set " + text +
                        " the sweep sets solver.rtol; change the sweep, or remove it with --set sweep="});
    }
    EXPECT_EQ(cases("sweep: {solver.rtol: [1e-4, 1e-6]}\n", {"sweep="}).size(), 1);
    EXPECT_EQ(cases("", {"sweep={solver.rtol: [1e-4, 1e-6]}"}).size(), 2);
    EXPECT_EQ(load(case_ + "sweep: {solver.rtol: [1e-4, 1e-6]}\n", {"sweep="}).solver.rtol, 1e-8);
}

TEST_F(Sweep, IsRefusedWhereOneCaseIsMeant) {
    try {
        load(case_ + "sweep: {solver.rtol: [1e-4, 1e-6]}\n");
        FAIL() << "accepted";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        EXPECT_NE(std::string(failure.what()).find("the case has a sweep of 2 members"), std::string::npos);
    }
}

TEST_F(Sweep, OfAParameterThatIsNotThereIsRefused) {
    const auto found = [&](const std::string &parameters, const std::string &sweep) {
        return errors("problem: {type: system, fields: {u: 1}, equations: {u: D*lap(u)}" + parameters +
                      "}\ngrid: {shape: [4, 4]}\ntime: {end: 1}\nsweep: {" + sweep + "}\n");
    };
    const std::string message =
        "4:9 sweep: there is no parameter 'DD' in problem.parameters, and no formula uses one";
    EXPECT_EQ(found(", parameters: {D: 1}", "problem.parameters.DD: [1, 2]"),
              Texts{message + "; did you mean 'D'?"});
    EXPECT_EQ(found("", "problem.parameters.D: [1, 2]"), Texts{}) << "the sweep gives what a formula uses";
    EXPECT_EQ(found(", parameters: {D: 1, k: 2}", "problem.parameters.k: [1, 2]"), Texts{})
        << "which no formula uses, but is there";
}

TEST_F(Sweep, MistakesHaveTheirPlace) {
    const std::string forms =
        "a map of lists, as in {solver.rtol: [1e-6, 1e-8]}, or a list of maps, as in "
        "[{solver.rtol: 1e-6}, ...]";
    EXPECT_EQ(errors_of("sweep: 3\n"), Texts{"4:8 sweep: expected " + forms + ", found '3'"});
    EXPECT_EQ(errors_of("sweep: []\n"), Texts{"4:8 sweep: expected " + forms + ", found an empty list"});
    EXPECT_EQ(
        errors_of("sweep: {solver.rtol: 1e-6}\n"),
        Texts{
            "4:9 sweep.solver.rtol: expected a list of the values to take, or a range such as {from: 1, to: "
            "100, count: 7}, found '1e-6'"});
    EXPECT_EQ(errors_of("sweep: {a..b: [1], sweep: [2]}\n"),
              (Texts{"4:9 sweep: expected a key path such as solver.rtol, found 'a..b'",
                     "4:20 sweep: a sweep cannot set itself"}));
    EXPECT_EQ(errors_of("sweep: {solver.rtol: [1e-6], solver: [{rtol: 1e-5}]}\n"),
              Texts{"4:9 sweep: 'solver.rtol' is part of 'solver', which the sweep also sets; "
                    "use only one "
                    "of them"});
    EXPECT_EQ(
        errors_of("sweep: [1]\n"),
        Texts{"4:9 sweep[0]: expected a map of keys and values, such as {solver.rtol: 1e-6}, found '1'"});
    EXPECT_EQ(errors_of("sweep:\n  solver.rtol: [1e-6, -1]\n").size(), 1);
    EXPECT_EQ(errors_of("sweep:\n  solver.rtol: [1e-6, -1]\n")[0].substr(0, 4), "5:23");
    EXPECT_EQ(errors_of("sweep:\n  solver.rtoll: [1e-6]\n")[0].substr(0, 4), "5:3 ");
    EXPECT_EQ(
        errors_of(
            "sweep: {problem.a: {from: 1, to: 2, count: 1001}, problem.f: {from: 1, to: 2, count: 1000}}\n"),
        Texts{
            "4:51 sweep: with problem.f, the sweep has 1001000 cases or more; at most 1000000 are allowed"});
}

}  // namespace
}  // namespace perdure::sweep_test
