// What is said of a system's case file before it runs: places in the file, parameters, units, rates that have no value at time 0.
#include "solver/run/first_rates.hpp"
#include "solver/systems/stability.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::tests::system_findings_test {
namespace {

class SystemFindings : public CaseFileTest {
  protected:
    [[nodiscard]] Texts warnings(const std::string &text) const {
        Texts found;
        for (const Diagnostic &warning : load(text).warnings) {
            found.push_back(
                fmt::format("{}:{} {}", warning.position.line, warning.position.column, warning.message));
        }
        return found;
    }
};

const char *const rest = "grid: {shape: [4, 4]}\ntime: {end: 1.0, dt: 0.1}\n";

TEST_F(SystemFindings, StandWhereTheCharactersOfTextsOverLinesDo) {
    const Texts found = errors(fmt::format(R"yaml(problem:
  type: system
  fields: {{u: 1, v: 0, w: 0, s: 0}}
  equations:
    u: |
      lap(u) -
        wrong_1*u
    v: >-  # folded
      lap(v)
      - wrong_2
    w: lap(w)
      + wrong_3
    s: "lap(s) +
      wrong_4"
{})yaml",
                                           rest));
    ASSERT_EQ(found.size(), 4U);
    EXPECT_TRUE(found[0].starts_with("7:9 unknown name 'wrong_1'")) << found[0];
    EXPECT_TRUE(found[1].starts_with("10:9 unknown name 'wrong_2'")) << found[1];
    EXPECT_TRUE(found[2].starts_with("12:9 unknown name 'wrong_3'")) << found[2];
    EXPECT_TRUE(found[3].starts_with("14:7 unknown name 'wrong_4'")) << found[3];
}

TEST_F(SystemFindings, NamesOfParametersHaveAPlace) {
    const auto found = [&](const std::string &parameters) {
        return errors(
            fmt::format("problem:\n  type: system\n  fields: {{u: 1}}\n  parameters: {}\n"
                        "  equations: {{u: lap(u)}}\n{}",
                        parameters, rest));
    };
    EXPECT_EQ(found("{k: 1, 2a: 3}"),
              (Texts{"4:22 problem.parameters.2a: '2a' cannot be used in formulas: a name consists of the "
                     "letters a to z and A to Z, digits and _, and does not begin with a digit"}));
    ASSERT_EQ(found("{u: 1}").size(), 1U);
    EXPECT_TRUE(found("{u: 1}")[0].starts_with("4:16 'u' is a field and also a parameter"))
        << found("{u: 1}")[0];
    EXPECT_EQ(found("{minmod: 1}").size(), 1U);
    EXPECT_EQ(found("{k: {units: m}}"), (Texts{"4:16 missing key 'problem.parameters.k.value': a number"}));
}

TEST_F(SystemFindings, ParametersThatNoFormulaUsesAndUnitsAreWarnedOf) {
    EXPECT_EQ(
        warnings(fmt::format(R"yaml(problem:
  type: system
  fields: {{u: {{initial: k1*x, units: mol/m3}}}}
  parameters: {{k1: 1, D: {{value: 2.0, units: m2/s}}, k2: 0.5, k3: 1, k4: 7}}
  let: {{p: k3*u}}
  equations: {{u: D*lap(u) + D*u + 0*p}}
boundary: {{x-: {{value: k2}}}}
{})yaml",
                             rest)),
        (Texts{"4:69 no formula uses the parameter 'k4'",
               "6:29 inconsistent units: 'D*lap(u)' has the units m-3 mol s-1, but 'D*u' has m-1 mol s-1"}));
}

TEST_F(SystemFindings, EquationsAreLinearInTheirFieldsWhateverIsAdded) {
    const auto is_linear = [&](const std::string &rate, const std::string &side) {
        const Config config =
            load(fmt::format("problem: {{type: system, fields: {{u: 1}}, equations: {{u: '{}'}}}}\n"
                             "boundary: {{x-: {}}}\n{}",
                             rate, side, rest));
        return systems::is_linear(*config.formulas);
    };
    EXPECT_TRUE(is_linear("lap(u) + sin(t)*x - exp(-t)", "{value: cos(3*t)}"));
    EXPECT_TRUE(is_linear("if(x < 2, u, 3*u)/4 + max(t, 1)", "{flux: 1 - 2*u}"));
    EXPECT_FALSE(is_linear("lap(u) + t*u", "{value: 0}"));
    EXPECT_FALSE(is_linear("if(t < 1, u, 3*u)", "{value: 0}"));
    EXPECT_FALSE(is_linear("u/(1 + u)", "{value: 0}"));
    EXPECT_FALSE(is_linear("lap(u)", "{flux: -u^4}"));
    EXPECT_FALSE(is_linear("lap(u)", "{exchange: {coefficient: u, ambient: 0}}"));
}

TEST_F(SystemFindings, RatesWithoutAValueAtTimeZeroAreFound) {
    const auto found = [&](const std::string &rate) {
        const Config config =
            load(fmt::format("problem: {{type: system, fields: {{u: x - 0.5, v: 2}},\n"
                             "  equations: {{v: 0, u: '{}'}}}}\n{}",
                             rate, rest));
        ProblemFindings findings(config);
        check_first_rates(config, make_problem(config), findings);
        try {
            findings.throw_if_any();
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.diagnostics()[0].position.line, 2);
            return failure.diagnostics()[0].message;
        }
        return std::string();
    };
    const std::string infinite =
        "problem.equations.u: the rate is inf at t = 0 in the cell at x = 0.5, y = 0.5, u = 0, v = 2, so the "
        "run cannot take its first step";
    EXPECT_EQ(found("v/u"), infinite);
    EXPECT_EQ(found("v/t"), infinite);
    EXPECT_NE(found("sqrt(u - 2)").find("nan at t = 0 in the cell at x = 0.5"), std::string::npos)
        << found("sqrt(u - 2)");
    EXPECT_EQ(found("v/(1 + u) + lap(u)"), "");
    EXPECT_EQ(found("dx(v)/u"), "") << "beside a side, where what lies beyond is not known";
}

}  // namespace
}  // namespace perdure::tests::system_findings_test
