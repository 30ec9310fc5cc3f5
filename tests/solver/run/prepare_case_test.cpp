// What is wrong with a case, its device and its results is said together.
#include "solver/run/run_case.hpp"

#include "tests/solver/case_file/case_files.hpp"

namespace perdure::prepare_case_test {
namespace {

const char *const case_text =
    "problem: {type: diffusion, a: 1.0}\n"
    "grid: {shape: [80, 90]}\n"
    "boundary: {x-: {value: 1.0}}\n";

class PrepareCase : public CaseFileTest {};

TEST_F(PrepareCase, EarlierResultsDoNotHideWhatTheDeviceLacks) {
    const Config config = load(std::string(case_text) +
                               "execution: {backend: host, barrier: cooperative}\noutput: {name: n}\n");
    const auto results_are_there = [] { throw Failure(ExitCode::input_output, "n is there already"); };
    try {
        (void)prepare_case(config, results_are_there);
        FAIL() << "accepted";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::input_output) << "the largest";
        ASSERT_EQ(failure.diagnostics().size(), 2U) << failure.what();
        EXPECT_EQ(failure.diagnostics()[0].position.line, 5);
        EXPECT_EQ(failure.diagnostics()[0].message, "output: n is there already");
        EXPECT_EQ(failure.diagnostics()[1].position.line, 4);
        EXPECT_EQ(failure.diagnostics()[1].position.column, 37);
        EXPECT_NE(failure.diagnostics()[1].message.find("has no cooperative barrier"), std::string::npos);
    }
}

TEST_F(PrepareCase, ABarrierThatIsNotUsedIsWarnedOf) {
    const auto warnings = [&](const std::string &execution) {
        return prepare_case(load(std::string(case_text) + "execution: {backend: host, " + execution + "}\n"))
            .problem.warnings;
    };
    const std::vector<Diagnostic> found = warnings("model: launches, barrier: tree");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Diagnostic::Severity::warning);
    EXPECT_EQ(found[0].position.line, 4);
    EXPECT_EQ(found[0].position.column, 54);
    EXPECT_EQ(found[0].message,
              "execution.barrier: tree is not used, because execution.model: launches has no grid barrier; "
              "only persistent has one");
    EXPECT_TRUE(warnings("model: launches, barrier: auto").empty());
    EXPECT_TRUE(warnings("model: launches").empty());
    EXPECT_TRUE(warnings("model: persistent, barrier: tree").empty());
}

}  // namespace
}  // namespace perdure::prepare_case_test
