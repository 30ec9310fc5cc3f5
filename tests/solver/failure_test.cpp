#include "solver/failure.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perdure::failure_test {
namespace {

/// to_text() of a diagnostic made from its parts.
std::string text_of(const TextPosition &position, const std::string &message, const std::string &line = {},
                    Diagnostic::Severity severity = Diagnostic::Severity::error) {
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.position = position;
    diagnostic.message = message;
    diagnostic.source_line = line;
    return to_text(diagnostic);
}

TEST(ToText, ShowsPlaceLineAndCaret) {
    EXPECT_EQ(text_of({"case.yaml", 7, 3}, "unknown key 'solver.tolerence'", "  tolerence: 1"),
              "case.yaml:7:3: error: unknown key 'solver.tolerence'\n"
              "    7 |   tolerence: 1\n"
              "      |   ^");
}

TEST(ToText, LeavesOutWhatIsNotKnown) {
    EXPECT_EQ(text_of({"a.yaml", 2, 0}, "text", "", Diagnostic::Severity::warning),
              "a.yaml:2: warning: text");
    EXPECT_EQ(text_of({"a.yaml", 0, 0}, "text", "line"), "a.yaml: error: text");
    EXPECT_EQ(text_of({}, "text"), "error: text");
    EXPECT_EQ(text_of({"--set a=1", 0, 0}, "text"), "--set a=1: error: text");
}

TEST(ToText, CaretStandsUnderTheCharacterAfterTabsAndMultibyteCharacters) {
    EXPECT_EQ(text_of({"f", 1, 4}, "m", "\té: 1"), "f:1:4: error: m\n    1 | \té: 1\n      | \t  ^");
}

TEST(ToText, CutsLongLinesAroundTheCaret) {
    const std::string line = std::string(200, 'a') + "X" + std::string(200, 'b');
    EXPECT_EQ(text_of({"f", 1, 201}, "m", line), "f:1:201: error: m\n    1 | ..." + std::string(50, 'a') +
                                                     "X" + std::string(49, 'b') + "...\n      | " +
                                                     std::string(53, ' ') + "^");
}

TEST(ToText, WritesControlCharactersAsEscapes) {
    EXPECT_EQ(text_of({"f", 0, 0},
                      "\x1b[31m \xc2\x9b"
                      "2J é"),
              "f: error: \\x1b[31m \\x9b2J é");
}

TEST(Failure, HoldsEveryFinding) {
    const Failure failure(ExitCode::bad_input, {{Diagnostic::Severity::error, {"f", 1, 1}, "one", ""},
                                                {Diagnostic::Severity::warning, {"f", 2, 1}, "two", ""}});
    EXPECT_STREQ(failure.what(), "f:1:1: error: one\nf:2:1: warning: two");
    EXPECT_EQ(failure.code(), ExitCode::bad_input);
    EXPECT_EQ(failure.diagnostics().size(), 2);
    EXPECT_STREQ(Failure(ExitCode::device, "plain").what(), "plain");
}

}  // namespace
}  // namespace perdure::failure_test
