#include "solver/case_file/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace perdure {
namespace {

constexpr std::size_t most_shown = 100;

/// Positions without a line (of --set) come after those of the file.
auto order(const Diagnostic &diagnostic) {
    const TextPosition &position = diagnostic.position;
    return std::tuple(position.line == 0, position.line, position.column);
}

bool same(const Diagnostic &a, const Diagnostic &b) {
    return order(a) == order(b) && a.position.file == b.position.file && a.message == b.message;
}

}  // namespace

Findings::Findings(std::string file, std::vector<std::string> lines)
    : file_(std::move(file)), lines_(std::move(lines)), continuation_bytes_(lines_.size()) {
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        for (std::size_t i = 0; i < lines_[line].size(); ++i) {
            if ((static_cast<unsigned char>(lines_[line][i]) & 0xC0U) == 0x80U) {
                continuation_bytes_[line].push_back(static_cast<std::uint32_t>(i));
            }
        }
    }
}

Diagnostic Findings::make(Diagnostic::Severity severity, const TextPosition &position,
                          const std::string &message) const {
    Diagnostic diagnostic{severity, position, message, {}};
    const auto line = static_cast<std::size_t>(position.line);
    if (position.file == file_ && line >= 1 && line <= lines_.size()) {
        diagnostic.source_line = lines_[line - 1];
    }
    return diagnostic;
}

void Findings::error(const TextPosition &position, const std::string &message, ExitCode code) {
    code_ = std::max(code_, code);
    errors_.push_back(make(Diagnostic::Severity::error, position, message));
}

void Findings::warn(const TextPosition &position, const std::string &message) {
    Diagnostic diagnostic = make(Diagnostic::Severity::warning, position, message);
    if (std::none_of(warnings_.begin(), warnings_.end(),
                     [&](const Diagnostic &other) { return same(diagnostic, other); })) {
        warnings_.push_back(std::move(diagnostic));
    }
}

TextPosition Findings::position(std::size_t line, std::size_t byte) const {
    std::size_t characters = byte;
    if (line < continuation_bytes_.size()) {
        const std::vector<std::uint32_t> &bytes = continuation_bytes_[line];
        characters -= std::lower_bound(bytes.begin(), bytes.end(), byte) - bytes.begin();
    }
    return {file_, static_cast<int>(line + 1), static_cast<int>(characters + 1)};
}

void Findings::throw_if_any() const {
    if (errors_.empty()) {
        return;
    }
    std::vector<Diagnostic> sorted = errors_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Diagnostic &a, const Diagnostic &b) { return order(a) < order(b); });
    sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
    if (sorted.size() > most_shown) {
        const std::size_t left_out = sorted.size() - most_shown;
        sorted.resize(most_shown);
        Diagnostic &last = sorted.emplace_back();
        last.position.file = file_;
        last.message = fmt::format("{} more errors are not shown", left_out);
    }
    throw Failure(code_, std::move(sorted));
}

}  // namespace perdure
