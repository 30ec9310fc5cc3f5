// Old spellings of keys, and the format of case files.
#include "solver/case_file/renamed_keys.hpp"

#include "tests/solver/case_file/case_files.hpp"

namespace perdure::renamed_keys_test {
namespace {

class RenamedKeys : public CaseFileTest {
  protected:
    std::string case_ =
        "problem: {type: diffusion, a: 1}\ngrid: {shape: [8, 9]}\nboundary: {x-: {value: 1}}\n";
    std::vector<RenamedKey> renamed_{{"solver.tolerance", "solver.rtol", 2}, {"out", "output", 3}};

    [[nodiscard]] std::vector<Config> cases(const std::string &more,
                                            const std::vector<std::string> &overrides = {}) const {
        return load_cases(write(case_ + more), overrides, renamed_);
    }

    [[nodiscard]] std::string failure(const std::string &more,
                                      const std::vector<std::string> &overrides = {}) const {
        try {
            (void)cases(more, overrides);
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
            return failure.what();
        }
        return "";
    }
};

TEST_F(RenamedKeys, AreReadWithAWarningThatShowsTheNewSpelling) {
    const auto configs = cases("solver:\n  tolerance: 1e-3\nout: {name: other}\n");
    EXPECT_EQ(configs[0].solver.rtol, 1e-3);
    EXPECT_EQ(configs[0].output.name, "other");
    ASSERT_EQ(configs[0].warnings.size(), 2U);
    const Diagnostic &warning = configs[0].warnings[0];
    EXPECT_EQ(warning.severity, Diagnostic::Severity::warning);
    EXPECT_EQ(warning.position.line, 5);
    EXPECT_EQ(warning.position.column, 3);
    EXPECT_EQ(
        warning.message,
        "'solver.tolerance' has been called 'solver.rtol' since case-file format 2; write 'solver.rtol'");
    EXPECT_EQ(warning.source_line, "  tolerance: 1e-3");
    EXPECT_EQ(configs[0].as_read, cases("solver: {rtol: 1e-3}\noutput: {name: other}\n")[0].as_read);
}

TEST_F(RenamedKeys, AreReadFromOverridesAndSweeps) {
    const auto set = cases("", {"solver.tolerance=1e-3"});
    EXPECT_EQ(set[0].solver.rtol, 1e-3);
    ASSERT_EQ(set[0].warnings.size(), 1U);
    EXPECT_EQ(set[0].warnings[0].position.file, "--set solver.tolerance=1e-3");
    EXPECT_EQ(cases("solver: {tolerance: 1e-3}\n", {"solver.rtol=1e-4"})[0].solver.rtol, 1e-4);
    EXPECT_EQ(cases("solver: {rtol: 1e-3}\n", {"solver.tolerance=1e-4"})[0].solver.rtol, 1e-4);
    const auto swept = cases("solver: {rtol: 1e-3}\nsweep: {solver.tolerance: [1e-4, 1e-5]}\n");
    EXPECT_EQ(swept[1].solver.rtol, 1e-5);
    EXPECT_EQ(swept[0].warnings.size(), 1U) << "once for all members";
    EXPECT_TRUE(swept[1].warnings.empty());
}

TEST_F(RenamedKeys, TheOldWordForCompressionIsReadWithAWarning) {
    const Config config = load(
        "problem: {type: diffusion, a: 1.0}\ngrid: {shape: [8, 9]}\nboundary: {x-: {value: 1}}\n"
        "output: {compression: gzip}\n");
    EXPECT_EQ(config.output.compression, Compression::fast);
    ASSERT_EQ(config.warnings.size(), 1U);
    EXPECT_EQ(config.warnings[0].position.column, 23);
    EXPECT_EQ(
        config.warnings[0].message,
        "output.compression: 'gzip' is now called 'fast', and 'small' makes smaller files; write 'fast'");
}

TEST_F(RenamedKeys, TheIntegratorIsTheMethodOfTheTimeSection) {
    const Config config = load(
        "problem: {type: system, fields: {u: 1}, equations: {u: -u}}\ngrid: {shape: [8, 9]}\n"
        "time: {end: 1, integrator: ssprk3}\n");
    EXPECT_EQ(config.time->integrator, TimeIntegrator::ssprk3);
    ASSERT_EQ(config.warnings.size(), 1U);
    EXPECT_EQ(config.warnings[0].position.line, 3);
    EXPECT_NE(config.warnings[0].message.find("write 'time.method'"), std::string::npos);
}

TEST_F(RenamedKeys, AreAnErrorWhereBothAreGiven) {
    EXPECT_NE(failure("solver: {rtol: 1e-3, tolerance: 1e-4}\n")
                  .find("'solver.tolerance' is the old name of 'solver.rtol', which is also "
                        "given, in line 4, column 10; remove 'solver.tolerance'"),
              std::string::npos);
}

TEST_F(RenamedKeys, OfTheProgramAreOtherKeysThanItsOwn) {
    for (const RenamedKey &key : renamed_keys()) {
        EXPECT_NE(key.old_path, key.new_path);
    }
    EXPECT_NE(failure("solver: {tolerence: 1e-3}\n").find("unknown key 'solver.tolerence'"),
              std::string::npos);
}

TEST_F(RenamedKeys, KeysThatHaveGoneAreIgnoredWithAWarningThatSaysWhy) {
    const auto configs = cases("execution: {backend: host, cg_variant: pipelined}\n");
    ASSERT_EQ(configs[0].warnings.size(), 1U);
    EXPECT_EQ(configs[0].warnings[0].position.line, 4);
    EXPECT_EQ(configs[0].warnings[0].position.column, 28);
    EXPECT_EQ(
        configs[0].warnings[0].message,
        "'execution.cg_variant' was removed from perdure and is ignored, because pipelined conjugate "
        "gradients were slower than the single-reduction variant that model: resident uses; remove the key");
    EXPECT_EQ(cases("", {"execution.cg_variant=auto"})[0].warnings.size(), 1U);
}

TEST_F(RenamedKeys, AFileOfALaterFormatIsRefusedWithNothingElseSaid) {
    EXPECT_EQ(cases("format: 1\n")[0].as_read, cases("")[0].as_read);
    const std::string message = failure("format: 7\nnew_section: {}\n");
    EXPECT_NE(message.find("case.yaml:4:9: error: format: this case file has format 7, but perdure "),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("use a later version of perdure"), std::string::npos) << message;
    EXPECT_EQ(message.find("new_section: {}"), std::string::npos) << message;
    EXPECT_NE(failure("format: new\n").find("expected a whole number"), std::string::npos);
}

TEST_F(RenamedKeys, MembersOfASweepShareTheTextOfTheFile) {
    const auto members = cases("sweep: {solver.rtol: [1e-4, 1e-5]}\n");
    EXPECT_EQ(members[0].file_text.get(), members[1].file_text.get());
    EXPECT_LT(members[1].text.size(), 40U);
}

}  // namespace
}  // namespace perdure::renamed_keys_test
