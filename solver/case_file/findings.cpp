#include "solver/case_file/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

void add_new(const std::vector<Diagnostic> &found, std::vector<Diagnostic> &all) {
    std::ranges::copy_if(found, std::back_inserter(all), [&](const Diagnostic &one) {
        return std::ranges::none_of(all, [&](const Diagnostic &other) { return same(one, other); });
    });
}

Findings::Findings(std::string file, std::vector<std::string> lines) : file_(std::move(file)) {
    Text text{std::move(lines), {}};
    text.continuation_bytes.resize(text.lines.size());
    for (std::size_t line = 0; line < text.lines.size(); ++line) {
        for (std::size_t i = 0; i < text.lines[line].size(); ++i) {
            if ((static_cast<unsigned char>(text.lines[line][i]) & 0xC0U) == 0x80U) {
                text.continuation_bytes[line].push_back(static_cast<std::uint32_t>(i));
            }
        }
    }
    text_ = std::make_shared<const Text>(std::move(text));
}

Diagnostic Findings::make(Diagnostic::Severity severity, const TextPosition &position,
                          const std::string &message) const {
    Diagnostic diagnostic{severity, position, message, {}};
    const auto line = static_cast<std::size_t>(position.line);
    if (position.file == file_ && line >= 1 && line <= text_->lines.size()) {
        diagnostic.source_line = text_->lines[line - 1];
    }
    return diagnostic;
}

void Findings::error(const TextPosition &position, const std::string &message, ExitCode code) {
    code_ = std::max(code_, code);
    errors_.push_back(make(Diagnostic::Severity::error, position, message));
}

void Findings::warn(const TextPosition &position, const std::string &message) {
    add_new({make(Diagnostic::Severity::warning, position, message)}, warnings_);
}

TextPosition Findings::position(std::size_t line, std::size_t byte) const {
    std::size_t characters = byte;
    if (line < text_->continuation_bytes.size()) {
        const std::vector<std::uint32_t> &bytes = text_->continuation_bytes[line];
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
