// Errors with a message for people, a position and an exit code.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace perdure {

/// Process exit codes. With several cases the largest is returned, and computed_elsewhere where no other case failed.
enum class ExitCode : int {
    success = 0,
    differs_or_internal = 1,
    case_or_usage = 2,
    not_converged = 3,
    numerical = 4,
    bad_input = 5,
    input_output = 6,
    device = 7,
    computed_elsewhere = 8,  // another process still computes a case of this batch
    stopped = 75,
};

/// A place in a text file; line and column count from 1, 0 means "not known".
struct TextPosition {
    std::string file;
    int line = 0;
    int column = 0;
};

/// One finding about a case: printed as `file:line:column: error: message` with the source line and a caret.
struct Diagnostic {
    enum class Severity { error, warning };
    Severity severity = Severity::error;
    TextPosition position;
    std::string message;
    std::string source_line;  // text of that line, empty when there is none to show
};

/// Text of a diagnostic as the terminal shows it, with caret line, without trailing newline.
std::string to_text(const Diagnostic &diagnostic);

/// The one exception type that reaches the command line: what() holds every finding.
class Failure : public std::runtime_error {
  public:
    Failure(ExitCode code, const std::string &message);
    Failure(ExitCode code, std::vector<Diagnostic> diagnostics);

    [[nodiscard]] ExitCode code() const { return code_; }
    [[nodiscard]] const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }

  private:
    ExitCode code_;
    std::vector<Diagnostic> diagnostics_;
};

}  // namespace perdure
