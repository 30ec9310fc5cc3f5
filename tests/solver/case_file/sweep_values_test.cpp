// Values of a sweep: ranges, lists side by side, samples, files; and what members are known by.
#include <cmath>
#include <set>

#include "solver/case_file/case_file.hpp"
#include "solver/output/output_names.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::sweep_values_test {
namespace {

class SweepValues : public CaseFileTest {
  protected:
    std::string case_ =
        "problem: {type: diffusion, a: 1}\ngrid: {shape: [8, 9]}\nboundary: {x-: {value: 1}}\n";

    /// What each member sets, as KEY=VALUE.
    [[nodiscard]] Texts members(const std::string &sweep, const Texts &overrides = {}) const {
        Texts texts;
        for (const Config &config : load_cases(write(case_ + sweep), overrides)) {
            std::string text;
            for (const auto &[key, value] : config.sweep->settings) {
                text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
            }
            texts.push_back(text);
        }
        return texts;
    }

    [[nodiscard]] std::vector<double> values(const std::string &sweep, std::size_t setting = 0) const {
        std::vector<double> numbers;
        for (const Config &config : load_cases(write(case_ + sweep), {})) {
            numbers.push_back(std::stod(config.sweep->settings.at(setting).second));
        }
        return numbers;
    }

    [[nodiscard]] Texts errors_of(const std::string &sweep) const { return errors(case_ + sweep); }
};

TEST_F(SweepValues, OfARangeHaveOneDistanceOrOneFactor) {
    EXPECT_EQ(members("sweep: {problem.a: {from: 1, to: 100, count: 7, scale: log}}\n"),
              (Texts{"problem.a=1", "problem.a=2.15443469003", "problem.a=4.64158883361", "problem.a=10",
                     "problem.a=21.5443469003", "problem.a=46.4158883361", "problem.a=100"}));
    EXPECT_EQ(members("sweep: {solver.max_iterations: {from: 30, to: 10, count: 3}}\n"),
              (Texts{"solver.max_iterations=30", "solver.max_iterations=20", "solver.max_iterations=10"}));
    EXPECT_EQ(members("sweep: {problem.a: {from: 1/3, to: 1, count: 2}}\n")[0],
              "problem.a=0.3333333333333333")
        << "the ends have all their digits";
}

TEST_F(SweepValues, OfRangesAreFoundWhereTheyAreWrong) {
    const std::string above = "4:9 ";
    EXPECT_EQ(
        errors_of("sweep: {problem.a: {from: 0, to: 5, count: 3, scale: log}}\n"),
        Texts{"4:27 sweep.problem.a.from: expected a number > 0, because scale: log needs one, found '0'"});
    EXPECT_EQ(errors_of("sweep: {problem.a: {from: 1, to: 5}}\n"),
              Texts{above + "missing key 'sweep.problem.a.count': the number of values in the range"});
    EXPECT_EQ(
        errors_of("sweep: {problem.a: {from: 1, to: 5, count: 1, scale: lin, by: 2}}\n"),
        (Texts{"4:44 sweep.problem.a.count: expected a whole number from 2 to 1000000, found '1'",
               "4:54 sweep.problem.a.scale: expected linear or log, found 'lin'",
               "4:59 unknown key 'sweep.problem.a.by'; the keys allowed here are scale, from, to, count"}));
    EXPECT_EQ(errors_of("sweep: {problem.a: {from: 2, to: 2, count: 3}}\n"),
              Texts{"4:20 sweep.problem.a: from and to are the same number; expected a range"});
}

TEST_F(SweepValues, OfZippedListsGoSideBySide) {
    EXPECT_EQ(
        members(
            "sweep:\n  zip: {grid.shape: [[8, 8], [16, 16]], grid.spacing: {from: 0.2, to: 0.1, count: 2}}\n"
            "  problem.a: [1, 3]\n"),
        (Texts{"grid.shape=[8, 8] grid.spacing=0.2 problem.a=1",
               "grid.shape=[8, 8] grid.spacing=0.2 problem.a=3",
               "grid.shape=[16, 16] grid.spacing=0.1 problem.a=1",
               "grid.shape=[16, 16] grid.spacing=0.1 problem.a=3"}));
    EXPECT_EQ(errors_of("sweep: {zip: {problem.a: [1, 2], solver.rtol: [0.1]}}\n"),
              Texts{"4:34 sweep.zip.solver.rtol: expected 2 values, as many as in 'problem.a', found 1"});
    EXPECT_EQ(errors_of("sweep: {zip: {problem.a: [1, 2]}, problem: [{a: 1}]}\n"),
              Texts{"4:15 sweep: 'problem.a' is part of 'problem', which the sweep also sets; "
                    "use only one "
                    "of them"});
}

TEST_F(SweepValues, OfALatinHypercubeHitEachPartOfEachRangeOnce) {
    const std::string sweep =
        "sweep: {sample: {method: latin_hypercube, count: 50, seed: 7, keys: {problem.a: {from: 1, to: 1024, "
        "scale: log}, "
        "problem.f: {from: -1, to: 1}}}}\n";
    std::set<int> of_a, of_f;
    bool in_step = true;
    const std::vector<double> a = values(sweep, 0), f = values(sweep, 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
        of_a.insert(static_cast<int>(std::floor(std::log2(a[i]) / 10 * 50)));
        of_f.insert(static_cast<int>(std::floor((f[i] + 1) / 2 * 50)));
        in_step = in_step && std::abs(std::log2(a[i]) / 10 - (f[i] + 1) / 2) < 0.04;
    }
    EXPECT_EQ(of_a.size(), 50U);
    EXPECT_EQ(of_f.size(), 50U);
    EXPECT_EQ(*of_f.rbegin(), 49);
    EXPECT_FALSE(in_step) << "keys are shuffled apart";
}

TEST_F(SweepValues, OfRandomSamplesStayWhereMoreAreDrawn) {
    const auto sweep = [](int count, int seed) {
        return fmt::format(
            "sweep: {{sample: {{count: {}, seed: {}, keys: {{problem.a: {{from: 2, to: 4}}}}}}}}\n", count,
            seed);
    };
    const std::vector<double> few = values(sweep(10, 1)), many = values(sweep(1000, 1));
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
    EXPECT_NE(few, values(sweep(10, 2)));
    double sum = 0.0, squares = 0.0;
    for (const double value : many) {
        ASSERT_TRUE(value >= 2.0 && value < 4.0);
        sum += value;
        squares += (value - 3.0) * (value - 3.0);
    }
    EXPECT_NEAR(sum / 1000, 3.0, 0.06);            // three standard errors
    EXPECT_NEAR(squares / 1000, 1.0 / 3.0, 0.03);  // of a uniform distribution
    EXPECT_EQ(
        errors_of("sweep: {sample: {count: 0, sed: 1, keys: {problem.a: {from: 1, to: 2, count: 3}}}}\n"),
        (Texts{"4:25 sweep.sample.count: expected a whole number from 1 to 1000000, found '0'",
               "4:28 unknown key 'sweep.sample.sed'; did you mean 'seed'?",
               "4:71 sweep.sample.keys.problem.a.count: a sample has one count for all of its keys; give "
               "sweep.sample.count instead"}));
}

TEST_F(SweepValues, OfSubvolumesAreCubesSideBySide) {
    case_ =
        "problem: {type: effective, a: {file: i.h5, dataset: /i, labels: {0: 1}}}\ngrid:\n  shape: [8, 8]\n";
    const std::vector<std::string> found = members("sweep: {subvolumes: {edges: [4, 8]}}\n");
    ASSERT_EQ(found.size(), 5U) << "of a grid of 8 by 8";
    EXPECT_EQ(found[1], "problem.subvolume.shape=4 problem.subvolume.from=[0, 4]");
    EXPECT_EQ(found[2], "problem.subvolume.shape=4 problem.subvolume.from=[4, 0]");
    EXPECT_EQ(found[4], "problem.subvolume.shape=8 problem.subvolume.from=[0, 0]");
    EXPECT_EQ(members("sweep: {subvolumes: {edges: [3]}}\n")[3],
              "problem.subvolume.shape=3 problem.subvolume.from=[4, 4]")
        << "in the middle: one cell is left out below and one above";
    const std::vector<std::string> some = members("sweep: {subvolumes: {edges: [1], most: 9}}\n");
    EXPECT_EQ(some.size(), 9U);
    EXPECT_EQ(std::set<std::string>(some.begin(), some.end()).size(), 9U);
    EXPECT_EQ(some, members("sweep: {subvolumes: {edges: [1], most: 9}}\n"));
    EXPECT_EQ(
        errors_of("sweep: {subvolumes: {edges: [9, 0], most: 0}}\n"),
        (Texts{"4:30 sweep.subvolumes.edges[0]: a cube of 9 voxels does not fit into the image, which has 8 "
               "along one axis",
               "4:33 sweep.subvolumes.edges[1]: expected a whole number from 1 to 2147483647, found '0'",
               "4:43 sweep.subvolumes.most: expected a whole number from 1 to 2147483647, found '0'"}));
    EXPECT_EQ(members("sweep: {subvolumes: {edges: [4]}}\n", {"sweep.subvolumes.edges=[8]"}).size(), 1U);
    EXPECT_EQ(errors_of("sweep: {subvolumes: {most: 3}}\n").size(), 1U);
}

TEST_F(SweepValues, OfAFileAreItsRows) {
    (void)write("problem.a, grid.shape,solver.rtol\n1,\"[8, 8]\",1.0e-3\n2,,\n", "values.csv");
    EXPECT_EQ(members("sweep: {file: values.csv}\n"),
              (Texts{"problem.a=1 grid.shape=[8, 8] solver.rtol=0.001", "problem.a=2"}));
    const std::string csv = (folder_ / "values.csv").string();
    (void)write("problem.a,problem.f\n1,2\n1,2,3\n", "values.csv");
    EXPECT_EQ(errors_of("sweep: {file: values.csv}\n")[0],
              "3:1 sweep: expected 2 cells, as in the first line, found 3");
    (void)write("problem.a,solver.rtol\n1,1e-3\n2,-1\n", "values.csv");
    EXPECT_EQ(errors_of("sweep: {file: values.csv}\n"),
              Texts{"3:3 solver.rtol: expected a number in [0, 1), found '-1'"});
    (void)write("problem.a\n1\n1.0\n", "values.csv");
    EXPECT_EQ(errors_of("sweep: {file: values.csv}\n"),
              Texts{"3:1 sweep: problem.a=1 is given twice, first in line 2, column 1; members are "
                    "identified by their values, so remove one of them"});
    EXPECT_EQ(errors_of("sweep: {file: nothing.csv}\n")[0].substr(0, 17), "4:15 sweep.file: ");
}

TEST_F(SweepValues, AreOneWhereTheyAreEqual) {
    EXPECT_EQ(members("sweep: {solver.rtol: [1.0e-3, 1e-2]}\n"),
              members("sweep: {solver.rtol: [0.001, .01]}\n"));
    EXPECT_EQ(errors_of("sweep: {problem.a: [1, 2, 1.0]}\n"),
              Texts{"4:27 sweep: problem.a=1 is given twice, first in line 4, column 21; members are "
                    "identified by their values, so remove one of them"});
}

TEST_F(SweepValues, OfLengthsAndTimesMayHaveUnits) {
    const std::string units = "units: {length: mm, time: s}\n";
    EXPECT_EQ(members(units + "sweep: {grid.length: {from: 1 mm, to: 0.5 cm, count: 3}}\n"),
              (Texts{"grid.length=1", "grid.length=3", "grid.length=5"}));
    EXPECT_EQ(members(units + "sweep: {grid.spacing: [20 um, [1 mm, 3]], problem.a: [2]}\n"),
              (Texts{"grid.spacing=0.02 problem.a=2", "grid.spacing=[1, 3] problem.a=2"}));
    EXPECT_EQ(members(units + "sweep: {zip: {grid.length: [1 cm, 2 cm], problem.a: [1, 2]}}\n"),
              (Texts{"grid.length=10 problem.a=1", "grid.length=20 problem.a=2"}));
    EXPECT_EQ(members(units + "sweep: [{grid.length: 1 cm}, {grid.length: 1 m}]\n"),
              (Texts{"grid.length=10", "grid.length=1000"}));
    EXPECT_EQ(members(units + "sweep: {sample: {count: 2, keys: {grid.length: {from: 1 cm, to: 2 cm}}}}\n")
                  .front()
                  .substr(0, 13),
              "grid.length=1");
    EXPECT_EQ(members("sweep: {units.length: [mm, cm], grid.length: [1 cm]}\n"),
              (Texts{"units.length=mm grid.length=1 cm", "units.length=cm grid.length=1 cm"}));
    EXPECT_EQ(errors_of("sweep: {grid.length: {from: 1 mm, to: 5 mm, count: 5}}\n").size(), 2U);
    EXPECT_EQ(
        errors_of(units + "sweep: {grid.length: {from: 1 s, to: 5 furlongs, count: 5}}\n"),
        (Texts{"5:29 sweep.grid.length.from: expected a length, found '1 s', which is a time",
               "5:38 sweep.grid.length.to: 'furlongs' is not a unit that perdure knows in '5 furlongs'; the "
               "units of length are nm, um, mm, cm, m and km"}));
    EXPECT_EQ(errors_of(units + "sweep: {grid.length: [1 cm, 10 mm]}\n"),
              Texts{"5:29 sweep: grid.length=10 is given twice, first in line 5, column 23; members are "
                    "identified by their values, so remove one of them"});
}

TEST_F(SweepValues, MakeTheNamesOfMembers) {
    using Settings = decltype(SweepPlace::settings);
    EXPECT_EQ(member_name("wall", Settings{{"problem.a", "2.5"}, {"grid.shape", "[64, 64]"}}),
              "wall-problem.a-2.5-grid.shape-64x64");
    EXPECT_EQ(member_name("wall", Settings{{"title", "thin one"}, {"problem.a", "2"}}), "wall-problem.a-2");
    EXPECT_EQ(member_name("wall", Settings{{"title", "thin"}}), "wall-title-thin");
    const std::string hashed = member_name("wall", Settings{{"problem.f", "sin(pi*x)/2"}});
    EXPECT_EQ(hashed.size(), std::string("wall-problem.f-").size() + 8);
    EXPECT_NE(hashed, member_name("wall", Settings{{"problem.f", "sin(pi*x)/3"}}));
    Settings many;
    for (int i = 0; i < 10; ++i) {
        many.emplace_back(fmt::format("problem.parameters.p{}", i), "1");
    }
    EXPECT_EQ(member_name("wall", many).size(), std::string("wall-").size() + 16);
}

TEST_F(SweepValues, OfOneKeyMayBeSetForOneRun) {
    EXPECT_EQ(members("", {"sweep.problem.a=[1, 2]"}), (Texts{"problem.a=1", "problem.a=2"}));
    EXPECT_EQ(members("sweep: {problem.a: [1, 2], solver.rtol: [0.1]}\n",
                      {"sweep.problem.a={from: 3, to: 4, count: 2}"}),
              (Texts{"problem.a=3 solver.rtol=0.1", "problem.a=4 solver.rtol=0.1"}));
    EXPECT_EQ(members("sweep: {problem.a: [1, 2], solver.rtol: [0.1]}\n", {"sweep.problem.a="}),
              Texts{"solver.rtol=0.1"});
    const std::string mixed = "sweep: [{problem.a: 1}, {title: other, solver.rtol: 0.1}]\n";
    EXPECT_FALSE(load(case_ + mixed, {"sweep=", "solver.rtol=0.2"}).sweep);
    EXPECT_EQ(members(mixed, {"sweep=[{problem.f: x}, {problem.a: {expression: y}}]"}),
              (Texts{"problem.f=x", "problem.a={expression: y}"}));
}

TEST_F(SweepValues, OfAMillionMembersAreMadeOneByOne) {
    CaseFile file(write(
        case_ +
        "sweep: {problem.a: {from: 1, to: 2, count: 1000}, problem.f: {from: 0, to: 1, count: 1000}}\n"));
    EXPECT_EQ(file.size(), 1'000'000U);
    EXPECT_EQ(file.config(999'999).output.name, "case-problem.a-2-problem.f-1");
    EXPECT_EQ(file.config(1000).a.number, 1.001001001);
}

}  // namespace
}  // namespace perdure::sweep_values_test
