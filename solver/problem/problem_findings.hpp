// Collects all errors of a case so that they are reported at once.
#pragma once

#include <string>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"

namespace perdure {

/// Errors about the case of `config`; they name the line of the case file that they belong to.
class ProblemFindings {
  public:
    explicit ProblemFindings(const Config &config) : config_(config) {}

    void add(ExitCode code, const TextPosition &position, const std::string &message);

    /// What another part reported about `place` (a key path), put at `position` of the case file.
    void add(const Failure &failure, const TextPosition &position, const std::string &place);

    void warn(const TextPosition &position, const std::string &message);
    [[nodiscard]] const std::vector<Diagnostic> &warnings() const { return warnings_; }

    [[nodiscard]] Diagnostic make(Diagnostic::Severity severity, const TextPosition &position,
                                  const std::string &message) const;
    [[nodiscard]] std::string source_line(const TextPosition &position) const;
    [[nodiscard]] bool empty() const { return errors_.empty(); }

    /// Throws Failure with every error, and behind them the warnings, which may say why; its code is the largest of theirs.
    void throw_if_any() const;

  private:
    const Config &config_;
    std::vector<Diagnostic> errors_;
    std::vector<Diagnostic> warnings_;
    ExitCode code_ = ExitCode::success;
};

/// Throws one error about the case: at `position`, where a file or an option gave it, else without a place.
[[noreturn]] void fail_at(const TextPosition &position, ExitCode code, const Config &config,
                          const std::string &message);

}  // namespace perdure
