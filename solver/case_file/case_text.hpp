// A case file as text: read with a size limit, checked to be UTF-8 without control characters.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace perdure {

/// Largest case file that is read, in bytes.
inline constexpr std::size_t largest_case_file = 4U << 20U;

/// The case file `-`, and what messages and results call it.
inline constexpr const char *standard_input_name = "stdin";
bool is_standard_input(const std::filesystem::path &path);

struct CaseText {
    std::string text;                // line ends are '\n', no byte order mark
    std::vector<std::string> lines;  // the same, split
};

/// `-` is read from standard input. Throws Failure(input_output) when the file cannot be read, Failure(case_or_usage) when it is too large or
/// no text.
CaseText read_case_text(const std::filesystem::path &path);

/// The same of a case that is in memory; findings call it `name`.
CaseText case_text_of(const std::string &bytes, const std::string &name);

/// What keeps `text` from being UTF-8 text without control characters, and where.
struct TextDefect {
    std::size_t byte;     // index into the text
    std::string message;  // empty: nothing
};
TextDefect find_text_defect(const std::string &text);

}  // namespace perdure
