// Collects the errors of a case file while it is read, so that all of them are reported at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/failure.hpp"

namespace perdure {

/// Collects errors about one text file and gives each its source line.
class Findings {
  public:
    /// `lines`: the text, split at its line ends.
    Findings(std::string file, std::vector<std::string> lines);

    /// `code`: of what is wrong; the largest of all findings is that of the failure.
    void error(const TextPosition &position, const std::string &message,
               ExitCode code = ExitCode::case_or_usage);

    /// Each place and message is kept once.
    void warn(const TextPosition &position, const std::string &message);
    [[nodiscard]] const std::vector<Diagnostic> &warnings() const { return warnings_; }

    /// Position of a byte in the file. `line` and `byte` count from 0; the column counts characters, not
    /// bytes.
    [[nodiscard]] TextPosition position(std::size_t line, std::size_t byte) const;

    /// The text, split at its line ends.
    [[nodiscard]] const std::vector<std::string> &lines() const { return text_->lines; }

    [[nodiscard]] bool empty() const { return errors_.empty(); }
    [[nodiscard]] std::size_t size() const { return errors_.size(); }

    /// Throws a Failure with every finding, in the order of the file and each once, if there is any.
    void throw_if_any() const;

  private:
    [[nodiscard]] Diagnostic make(Diagnostic::Severity severity, const TextPosition &position,
                                  const std::string &message) const;

    struct Text {
        std::vector<std::string> lines;
        std::vector<std::vector<std::uint32_t>> continuation_bytes;  // of each line, in UTF-8: where they are
    };

    std::string file_;
    std::shared_ptr<const Text> text_;  // copies share it: each case of a file has findings of its own
    std::vector<Diagnostic> errors_, warnings_;
    ExitCode code_ = ExitCode::case_or_usage;
};

/// Adds those of `found` that `all` does not have: each place and message is kept once.
void add_new(const std::vector<Diagnostic> &found, std::vector<Diagnostic> &all);

}  // namespace perdure
