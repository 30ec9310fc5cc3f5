// What a heat problem has of its own: a capacity, and a solver where its steps are implicit.
#include <fstream>

#include <fmt/format.h>

#include "tests/solver/case_file/case_files.hpp"

namespace perdure::heat_section_test {
namespace {

using HeatSection = CaseFileTest;

TEST_F(HeatSection, ImplicitStepsTakeASolver) {
    const auto of = [&](const std::string &rest) {
        return errors(
            "problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\n"
            "time: {end: 1, dt: 0.1, method: bdf2}\n" +
            rest);
    };
    EXPECT_EQ(of("solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-6, max_iterations: 50}\n"
                 "execution: {precision: mixed}\n"),
              Texts{});
    EXPECT_EQ(of("solver: {method: multigrid}\n"), Texts{});
    EXPECT_EQ(
        of("solver: {method: jacobi}\n"),
        Texts{"4:1 solver.method: jacobi cannot solve the steps of time.method: bdf2; use cg and multigrid"});
    EXPECT_EQ(errors("problem: {type: wave, a: 1}\ngrid: {shape: [2, 2]}\n"
                     "time: {end: 1, method: backward_euler}\n"),
              Texts{"3:24 time.method: backward_euler cannot advance a wave problem; use verlet"});
}

TEST_F(HeatSection, CapacityBelongsToHeat) {
    EXPECT_EQ(errors_of_heat("").size(), 0);
    EXPECT_EQ(
        errors("problem: {type: diffusion, a: 1, capacity: 2}\ngrid: {shape: [2, 2]}\n"),
        Texts{"1:34 problem.capacity: this key belongs to type: heat; remove it, or change problem.type"});
    EXPECT_EQ(errors("problem: {type: heat, a: 1, capacity: {number: 2, factor: t}}\n"
                     "grid: {shape: [2, 2]}\ntime: {end: 1}\n")
                  .size(),
              1);
}

TEST_F(HeatSection, ATableThatRepeatsWithinAStepIsWarnedOf) {
    const std::string file = write("0 1\n12 3\n24 1\n", "day.csv").string();
    const auto warnings = [&](const std::string &more) {
        return load(fmt::format("problem: {{type: heat, a: 1, f: day, tables: {{day: {{file: '{}', beyond: "
                                "repeat{}}}}}}}\n"
                                "grid: {{shape: [2, 2]}}\n"
                                "time: {{end: 172800, dt: 600, method: bdf2}}\n",
                                file, more))
            .warnings;
    };
    ASSERT_EQ(warnings("").size(), 1U);
    EXPECT_NE(warnings("")[0].message.find("the table repeats after 24, and a step is 600"),
              std::string::npos)
        << warnings("")[0].message;
    EXPECT_TRUE(warnings(", time_scale: 3600").empty());
}

/// Implicit steps of what varies with time alone are those of heat, with its solvers.
TEST_F(HeatSection, ValuesOfTimeAloneAreFactors) {
    const std::string file = write("0 1\n1 3\n2 1\n", "outside.csv").string();
    const auto of = [&](const std::string &f, const std::string &ambient, const std::string &method) {
        return load(fmt::format(
            "problem: {{type: heat, a: 1 + x, f: {}, tables: {{outside: {{file: '{}', beyond: repeat}}}}}}\n"
            "grid: {{shape: [2, 2]}}\n"
            "boundary: {{x-: {{exchange: {{coefficient: 2, ambient: {}}}}}}}\n"
            "time: {{end: 2, dt: 0.1, method: {}}}\n",
            f, file, ambient, method));
    };
    const Config config = of("sin(t)", "{expression: 2*outside - 1, factor: cos(t)}", "bdf2");
    EXPECT_EQ(config.type, ProblemType::heat);
    EXPECT_EQ(config.f.time_factor, "sin(t)");
    EXPECT_EQ(config.f.number, 1.0);
    const ValueSource &ambient = config.sides[0].values;
    EXPECT_EQ(ambient.kind, ValueSource::Kind::number);
    EXPECT_TRUE(ambient.time_factor.ends_with(")*(cos(t))")) << ambient.time_factor;
    EXPECT_EQ(ambient.time_factor.find("outside"), std::string::npos) << ambient.time_factor;
    EXPECT_EQ(of("sin(t)", "outside", "rk4").type, ProblemType::system);
    EXPECT_EQ(of("x*sin(t)", "1", "bdf2").type, ProblemType::system) << "of x, too";
    EXPECT_EQ(of("1", "outside*u", "bdf2").type, ProblemType::system);
    EXPECT_EQ(of("1", "y", "bdf2").type, ProblemType::heat);
}

TEST_F(HeatSection, TablesAreFunctionsOfTime) {
    const std::string file = write("", "outside.csv").string();
    const auto of = [&](const std::string &text, const std::string &more = "") {
        std::ofstream(file) << text;
        std::string joined;
        for (const std::string &error : errors(fmt::format(
                 "problem: {{type: heat, a: 1, f: outside, tables: {{outside: {{file: '{}'{}}}}}}}\n"
                 "grid: {{shape: [2, 2]}}\ntime: {{end: 2}}\n",
                 file, more))) {
            joined += error.substr(error.find(' ') + 1) + "\n";
        }
        return joined;
    };
    const std::string prefix = fmt::format("problem.tables.outside: '{}': ", file);
    EXPECT_EQ(of("0 1\n2 3\n"), "");
    EXPECT_EQ(of("time,T\n0,1\n\n2,3\n"), "");
    EXPECT_EQ(of("0 1\n1 3\n"),
              "problem.tables.outside: the run covers t = 0 to 2, but the table covers only 0 to 1; write "
              "'beyond: hold' to hold its first and last value, or 'beyond: repeat'\n");
    EXPECT_EQ(of("0 1\n1 3\n", ", time_scale: 2"), "");
    EXPECT_EQ(of("0 1\n2 3\n1 2\n"), prefix + "line 3: the time 1 follows 2, but times must not decrease\n");
    EXPECT_EQ(of("t,T\n0,1\n2,warm\n"),
              prefix + "line 3: column 2: expected a finite number, found 'warm'\n");
    EXPECT_EQ(of("t,T\n0,1\n2\n"), prefix + "line 3: expected 2 cells, as in the first line, found 1\n");
    EXPECT_EQ(of("t,T\n0,1\n2,1\n", ", value: sun"),
              prefix + "there is no column 'sun'; the columns are t, T\n");
    EXPECT_EQ(of("t,T\n0,1\n"), prefix + "the file has one row of numbers, but a table needs two or more\n");
    EXPECT_EQ(of("\xEF\xBB\xBF"
                 "0,1\r\n2,3\r\n"),
              "");
    EXPECT_EQ(of("0,nan\n1,2\n2,3\n"), prefix + "line 1: column 2: expected a finite number, found 'nan'\n");
    EXPECT_EQ(of("a b c\n0 1\n2 3\n"), prefix + "line 2: expected 3 cells, as in the first line, found 2\n");
    EXPECT_EQ(of("t\tv\n\t1\n"), prefix + "line 2: column 1: expected a finite number, found nothing\n");
    EXPECT_EQ(of("v,v\n0,1\n2,3\n"), prefix + "line 1: two columns have the name 'v'\n");
    EXPECT_EQ(of("\"t\",\"v\"\n0,1\n2,3\n", ", value: v"), "");
    std::string many;
    for (int i = 0; i < 600; ++i) {
        many += fmt::format("{} {}\n", i / 299.0, i % 7);
    }
    EXPECT_NE(of(many).find("600 rows give a formula of"), std::string::npos);
    EXPECT_EQ(of("0 1\n0 2\n", ", beyond: hold"),
              prefix + "all rows have the same time; a table needs two or more\n");
    EXPECT_EQ(errors("problem: {type: diffusion, a: 1, tables: {t1: {file: x}}}\ngrid: {shape: [2, 2]}\n"),
              Texts{"1:34 problem.tables: tables in time belong to the types heat and system; remove the "
                    "key, or change problem.type"});
}

}  // namespace
}  // namespace perdure::heat_section_test
