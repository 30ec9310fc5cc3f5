#include "solver/problem/problem_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace perdure {

std::string ProblemFindings::source_line(const TextPosition &position) const {
    std::istringstream text(case_text(config_));
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
        if (number == position.line) {
            return line;
        }
    }
    return {};
}

Diagnostic ProblemFindings::make(Diagnostic::Severity severity, const TextPosition &position,
                                 const std::string &message) const {
    return {severity, position, message, source_line(position)};
}

void ProblemFindings::add(ExitCode code, const TextPosition &position, const std::string &message) {
    errors_.push_back(make(Diagnostic::Severity::error, position, message));
    code_ = std::max(code_, code);
}

void ProblemFindings::warn(const TextPosition &position, const std::string &message) {
    warnings_.push_back(make(Diagnostic::Severity::warning, position, message));
}

void ProblemFindings::add(const Failure &failure, const TextPosition &position, const std::string &place) {
    if (failure.diagnostics().empty()) {
        add(failure.code(), position, fmt::format("{}: {}", place, failure.what()));
    }
    for (const Diagnostic &diagnostic : failure.diagnostics()) {
        add(failure.code(), position, fmt::format("{}: {}", place, diagnostic.message));
    }
}

void ProblemFindings::throw_if_any() const {
    if (!errors_.empty()) {
        std::vector<Diagnostic> all = errors_;
        all.insert(all.end(), warnings_.begin(), warnings_.end());
        throw Failure(code_, std::move(all));
    }
}

void fail_at(const TextPosition &position, ExitCode code, const Config &config, const std::string &message) {
    if (position.file.empty()) {
        throw Failure(code, message);
    }
    throw Failure(code, {ProblemFindings(config).make(Diagnostic::Severity::error, position, message)});
}

}  // namespace perdure
