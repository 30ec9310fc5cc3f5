// Numbers, expressions, datasets and labels, and how they go wrong.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::value_source_test {
namespace {

class ValueSourceText : public CaseFileTest {
  protected:
    /// Findings about the value of problem.f; it stands in column 6 of line 4.
    [[nodiscard]] Texts errors_of_f(const std::string &value, const std::string &type = "diffusion") const {
        return errors("problem:\n  type: " + type + "\n  a: 1.0\n  f: " + value +
                      "\ngrid: {shape: [8, 9]}\n" + (type == "heat" ? "time: {end: 1}\n" : ""));
    }
    /// Why a text is no number, as said about solver.atol.
    [[nodiscard]] std::string mistake(const std::string &number) const {
        const Texts found = errors_of_diffusion("solver: {atol: " + number + "}\n");
        const std::string start = "3:16 solver.atol: expected a number >= 0, found ";
        return found.size() == 1 && found[0].starts_with(start) ? found[0].substr(start.size()) : "";
    }
};

TEST_F(ValueSourceText, NumbersOfYaml) {
    for (const auto &[text, number] :
         std::vector<std::pair<std::string, double>>{{"1", 1.0},
                                                     {"1.0", 1.0},
                                                     {"0.25", 0.25},
                                                     {"2.5e-3", 0.0025},
                                                     {"1E+3", 1000.0},
                                                     {"+1", 1.0},
                                                     {".5", 0.5},
                                                     {"1.", 1.0},
                                                     {"0", 0.0},
                                                     {"0e0", 0.0},
                                                     {"1.7976931348623157e308", 1.7976931348623157e308}}) {
        const Config config =
            load("problem: {type: diffusion, a: 1}\ngrid: {shape: [8, 9]}\nsolver: {atol: " + text + "}\n");
        EXPECT_EQ(config.solver.atol, number) << text;
    }
}

TEST_F(ValueSourceText, NoNumbersOfYaml) {
    EXPECT_EQ(mistake("010"), "'010' (numbers have no leading zeros: write 10)");
    EXPECT_EQ(mistake("00.5"), "'00.5' (numbers have no leading zeros: write 0.5)");
    EXPECT_EQ(mistake("0x10"), "'0x10' (write it as a decimal number)");
    EXPECT_EQ(mistake("0o7"), "'0o7' (write it as a decimal number)");
    EXPECT_EQ(mistake("1_000"), "'1_000' (numbers have no underscores: write 1000)");
    EXPECT_EQ(mistake("nan"), "'nan' (only finite numbers are allowed)");
    EXPECT_EQ(mistake(".NaN"), "'.NaN' (only finite numbers are allowed)");
    EXPECT_EQ(mistake("-.inf"), "'-.inf' (only finite numbers are allowed)");
    EXPECT_EQ(mistake("inf"), "'inf' (only finite numbers are allowed)");
    EXPECT_EQ(mistake("1e400"), "'1e400' (the number is outside the range of double precision)");
    EXPECT_EQ(mistake("\"1.0\""), "");
    EXPECT_EQ(mistake("yes"), "'yes'");
    EXPECT_EQ(mistake("true"), "'true'");
    EXPECT_EQ(mistake("~"), "");
    EXPECT_EQ(mistake("[1]"), "a list");
    EXPECT_EQ(mistake("{a: 1}"), "a map");
    EXPECT_EQ(mistake("1e"), "'1e'");
    EXPECT_EQ(mistake("--1"), "");
    EXPECT_EQ(mistake(std::string(100, '9') + "x"), "'" + std::string(40, '9') + "...'");
}

TEST_F(ValueSourceText, MistypedNumbersAreNoExpressions) {
    const std::string expected =
        "4:6 problem.f: expected a number, an expression or a map such as {file: data.h5, dataset: /a}, "
        "found ";
    EXPECT_EQ(errors_of_f("010"), Texts{expected + "'010' (numbers have no leading zeros: write 10)"});
    EXPECT_EQ(errors_of_f("nan"), Texts{expected + "'nan' (only finite numbers are allowed)"});
    EXPECT_EQ(errors_of_f("1,5"), Texts{expected + "'1,5' (use a decimal point: write 1.5)"});
    EXPECT_EQ(errors_of_f("\"2.0\""), Texts{});
    EXPECT_EQ(errors_of_f("yes"), Texts{expected + "'yes'"});
    EXPECT_EQ(errors_of_f("[1, 2]"), Texts{expected + "a list"});
    EXPECT_EQ(errors_of_f("2*x"), Texts{});
    EXPECT_EQ(errors_of_f("\"x\""), Texts{});
}

TEST_F(ValueSourceText, EmptyValuesAreReportedAtTheirKey) {
    EXPECT_EQ(
        errors_of_f(""),
        Texts{
            "4:3 problem.f: expected a number, an expression or a map such as {file: data.h5, dataset: /a}, "
            "found nothing"});
    EXPECT_EQ(errors_of_f("''").size(), 1);
}

TEST_F(ValueSourceText, Maps) {
    EXPECT_EQ(errors_of_f("{}"), Texts{"4:6 problem.f: expected one of the keys number, expression or file"});
    EXPECT_EQ(errors_of_f("{number: 1, expression: x}"),
              Texts{"4:6 problem.f: found both 'number' and 'expression': expected one of them"});
    EXPECT_EQ(errors_of_f("{expression: }"),
              Texts{"4:7 problem.f.expression: expected an expression in x, y, z, "
                    "found nothing"});
    EXPECT_EQ(errors_of_f("{expresion: x}").at(1),
              "4:7 unknown key 'problem.f.expresion'; did you mean 'expression'?");
    EXPECT_EQ(
        errors_of_f("{file: d.h5}"),
        Texts{"4:3 missing key 'problem.f.dataset': the path of the dataset in the file, such as /image"});
    EXPECT_EQ(errors_of_f("{dataset: /a}"),
              (Texts{"4:6 problem.f: expected one of the keys number, expression or file",
                     "4:7 problem.f.dataset: this key needs 'file', which is not given"}));
    EXPECT_EQ(
        errors_of_f("{file: '', dataset: [a]}"),
        (Texts{"4:13 problem.f.file: expected the name of an HDF5 file, found an empty text",
               "4:26 problem.f.dataset: expected the path of a dataset, such as /image, found a list"}));
}

TEST_F(ValueSourceText, Labels) {
    const auto labels = [&](const std::string &text) {
        return errors_of_f("{file: d.h5, dataset: /a, labels: " + text + "}");
    };
    const std::string start = "problem.f.labels: expected ";
    EXPECT_EQ(
        labels("{}"),
        Texts{"4:40 " + start + "a map from labels to values, such as {0: 1.0, 1: 0.0}, found an empty map"});
    EXPECT_EQ(labels("[1.0]").size(), 1);
    EXPECT_EQ(labels("{01: 1, a: 2, 1.0: 3, \"4\": 1}"),
              (Texts{"4:41 " + start + "a whole number as a label, found '01'",
                     "4:48 " + start + "a whole number as a label, found 'a'",
                     "4:54 " + start + "a whole number as a label, found '1.0'",
                     "4:62 " + start + "a whole number as a label, found '4'"}));
    EXPECT_EQ(labels("{1: 1, +1: 2}"), Texts{"4:47 problem.f.labels: label 1 is given twice"});
    EXPECT_EQ(labels("{1: x}"), Texts{"4:44 problem.f.labels.1: expected a number, found 'x'"});
}

TEST_F(ValueSourceText, FactorsBelongToSourcesAndSidesOfHeatProblems) {
    EXPECT_EQ(errors_of_f("{number: 1, factor: t}"),
              Texts{"4:18 problem.f.factor: a factor depends on time, but a diffusion problem is steady; "
                    "remove the factor"});
    EXPECT_EQ(errors_of_f("{number: 1, factor: t}", "heat"), Texts{});
    EXPECT_EQ(errors_of_f("{factor: t}", "heat"),
              Texts{"4:6 problem.f: expected one of the keys number, expression or file"});
    EXPECT_EQ(errors_of_f("{number: 1, factor: ''}", "heat"),
              Texts{"4:26 problem.f.factor: expected an expression in t, found an empty text"});
    for (const std::string key : {"a", "sigma", "initial"}) {
        const Texts found =
            errors("grid: {shape: [2, 2]}\ntime: {end: 1}\nproblem:\n  type: heat\n" +
                   std::string(key == "a" ? "" : "  a: 1\n") + "  " + key + ": {number: 1, factor: t}\n");
        ASSERT_EQ(found.size(), 1) << key;
        EXPECT_NE(found[0].find("problem." + key +
                                ".factor: only f and the values of sides may have a factor in time"),
                  std::string::npos);
    }
    EXPECT_EQ(errors_of_heat("boundary: {x-: {exchange: {coefficient: {number: 1, factor: t}, "
                             "ambient: {number: 1, factor: t}}}}\n"),
              Texts{"4:53 boundary.x-.exchange.coefficient.factor: the coefficient of a side must be "
                    "constant in time; only its ambient value may have a factor"});
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {value: {number: 1, factor: t}}}\n").size(), 1);
}

}  // namespace
}  // namespace perdure::value_source_test
