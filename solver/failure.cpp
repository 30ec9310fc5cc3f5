#include "solver/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace perdure {
namespace {

constexpr std::size_t longest_excerpt = 100;  // characters of a source line that are shown

bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// UTF-8 text split into its characters.
std::vector<std::string> split_characters(std::string_view text) {
    std::vector<std::string> characters;
    for (const char byte : text) {
        if (is_continuation(byte) && !characters.empty()) {
            characters.back() += byte;
        } else {
            characters.emplace_back(1, byte);
        }
    }
    return characters;
}

/// Text without control characters that could steer a terminal: they are written as \xNN.
std::string printable(std::string_view text) {
    std::string result;
    for (const std::string &character : split_characters(text)) {
        const auto first = static_cast<unsigned char>(character.front());
        const auto last = static_cast<unsigned char>(character.back());
        const bool control = first < 0x20 && first != '\n' && first != '\t';
        const bool high_control = first == 0xC2 && last < 0xA0;  // U+0080 to U+009F
        if (control || first == 0x7F || high_control) {
            result += fmt::format("\\x{:02x}", last);
        } else {
            result += character;
        }
    }
    return result;
}

std::string place(const TextPosition &position) {
    if (position.file.empty()) {
        return {};
    }
    std::string text = position.file + ":";
    if (position.line > 0) {
        text += fmt::format("{}:", position.line);
        if (position.column > 0) {
            text += fmt::format("{}:", position.column);
        }
    }
    return text + " ";
}

/// The source line, cut to a window around the column, and a caret below it.
std::string excerpt(const Diagnostic &diagnostic) {
    const std::vector<std::string> characters = split_characters(diagnostic.source_line);
    const auto column = static_cast<std::size_t>(std::max(diagnostic.position.column, 1)) - 1;
    std::size_t begin = 0;
    if (characters.size() > longest_excerpt && column > longest_excerpt / 2) {
        begin = std::min(column - longest_excerpt / 2, characters.size() - longest_excerpt);
    }
    const std::size_t end = std::min(characters.size(), begin + longest_excerpt);
    std::string line = begin > 0 ? "..." : "";
    std::string padding(line.size(), ' ');
    for (std::size_t i = begin; i < end; ++i) {
        line += printable(characters[i]);
        if (i < column) {
            padding += characters[i] == "\t" ? "\t" : " ";
        }
    }
    line += end < characters.size() ? "..." : "";
    std::string text = fmt::format("\n{:>5} | {}", diagnostic.position.line, line);
    if (diagnostic.position.column > 0) {
        text += fmt::format("\n{:>5} | {}^", "", padding);
    }
    return text;
}

std::string join(const std::vector<Diagnostic> &diagnostics) {
    std::string text;
    for (const Diagnostic &diagnostic : diagnostics) {
        text += (text.empty() ? "" : "\n") + to_text(diagnostic);
    }
    return text;
}

}  // namespace

std::string to_text(const Diagnostic &diagnostic) {
    const char *severity = diagnostic.severity == Diagnostic::Severity::error ? "error: " : "warning: ";
    std::string text = printable(place(diagnostic.position) + severity + diagnostic.message);
    if (!diagnostic.source_line.empty() && diagnostic.position.line > 0) {
        text += excerpt(diagnostic);
    }
    return text;
}

Failure::Failure(ExitCode code, const std::string &message) : std::runtime_error(message), code_(code) {}

Failure::Failure(ExitCode code, std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), code_(code), diagnostics_(std::move(diagnostics)) {}

}  // namespace perdure
