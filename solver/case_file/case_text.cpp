#include "solver/case_file/case_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cwchar>
#include <locale>
#include <system_error>
#include <utility>

#include "solver/case_file/config.hpp"
#include "solver/case_file/findings.hpp"
#include "solver/regular_file.hpp"

namespace perdure {
namespace {

/// The other case file in the same folder that was probably meant, as a question; empty if there is none.
std::string suggest_neighbour(const std::filesystem::path &path) {
    std::error_code error;
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const auto extension = entry->path().extension();
        if (extension == ".yaml" || extension == ".yml") {
            names.push_back(entry->path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    const std::string name = closest(path.filename().string(), names);
    return name.empty() ? "" : fmt::format("; did you mean '{}'?", (path.parent_path() / name).string());
}

[[noreturn]] void refuse(ExitCode code, const TextPosition &position, const std::string &message) {
    throw Failure(code, {{Diagnostic::Severity::error, position, message, {}}});
}

[[noreturn]] void refuse(ExitCode code, const std::filesystem::path &path, const std::string &message) {
    refuse(code, TextPosition{path.string(), 0, 0}, message);
}

/// At most one byte more than a case file may have.
std::string read_standard_input() {
    std::string bytes(largest_case_file + 1, '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), stdin));
    if (std::ferror(stdin) != 0) {
        refuse(ExitCode::input_output, standard_input_name, "cannot read the case from standard input");
    }
    return bytes;
}

std::string read_bytes(const std::filesystem::path &path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) {
        refuse(ExitCode::input_output, path, "there is no such file" + suggest_neighbour(path));
    }
    std::string bytes;
    try {
        bytes = read_regular_file(path, largest_case_file + 1);
        if (bytes.starts_with("\x89HDF")) {
            refuse(ExitCode::case_or_usage, path,
                   fmt::format("expected a case file, found an HDF5 file; `perdure info {}` prints what it "
                               "holds, with the case that it is the result of",
                               path.string()));
        }
    } catch (const NotAFile &found) {
        const bool folder = std::filesystem::is_directory(status);
        refuse(ExitCode::input_output, path,
               fmt::format("expected a case file, found {}{}", found.what(),
                           folder ? "" : "; write the case to a file first"));
    } catch (const std::system_error &failed) {
        refuse(ExitCode::input_output, path, "cannot read the case file: " + failed.code().message());
    }
    return bytes;
}

/// The same text with '\n' for every line end and without a byte order mark.
std::string normalise(const std::string &bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t i = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0; i < bytes.size(); ++i) {
        if (bytes[i] != '\r') {
            text += bytes[i];
        } else if (i + 1 == bytes.size() || bytes[i + 1] != '\n') {
            text += '\n';
        }
    }
    return text;
}

std::vector<std::string> split_lines(const std::string &text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    lines.push_back(text.substr(begin));
    return lines;
}

/// Index of a UTF-16 surrogate written in UTF-8, which the decoder lets pass; the text's size if there is
/// none.
std::size_t find_surrogate(const std::string &text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (static_cast<unsigned char>(text[i]) == 0xED && static_cast<unsigned char>(text[i + 1]) >= 0xA0) {
            return i;
        }
    }
    return text.size();
}

/// Bytes at the start of `text` that are well-formed UTF-8.
std::size_t valid_utf8_bytes(const std::string &text) {
    using Codec = std::codecvt<char32_t, char8_t, std::mbstate_t>;
    const auto &codec = std::use_facet<Codec>(std::locale::classic());
    std::vector<char32_t> decoded(text.size());
    const auto *begin = reinterpret_cast<const char8_t *>(text.data());
    const char8_t *stopped = begin;
    char32_t *last = decoded.data();
    std::mbstate_t state{};
    codec.in(state, begin, begin + text.size(), stopped, decoded.data(), decoded.data() + decoded.size(),
             last);
    const auto valid = static_cast<std::size_t>(stopped - begin);
    return std::min(valid, find_surrogate(text));
}

bool is_control(const std::string &text, std::size_t i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0xC2 && i + 1 < text.size()) {
        return static_cast<unsigned char>(text[i + 1]) < 0xA0;  // U+0080 to U+009F
    }
    return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

}  // namespace

TextDefect find_text_defect(const std::string &text) {
    const std::size_t valid = valid_utf8_bytes(text);
    for (std::size_t i = 0; i < valid; ++i) {
        if (is_control(text, i)) {
            return {i, fmt::format("a control character (byte 0x{:02X}): expected text",
                                   static_cast<unsigned char>(text[i]))};
        }
    }
    if (valid < text.size()) {
        return {valid, fmt::format("byte 0x{:02X} is not UTF-8: expected text; save the file as UTF-8",
                                   static_cast<unsigned char>(text[valid]))};
    }
    return {0, {}};
}

bool is_standard_input(const std::filesystem::path &path) {
    return path == "-";
}

CaseText read_case_text(const std::filesystem::path &path) {
    return is_standard_input(path) ? case_text_of(read_standard_input(), standard_input_name)
                                   : case_text_of(read_bytes(path), path.string());
}

CaseText case_text_of(const std::string &bytes, const std::string &name) {
    if (bytes.size() > largest_case_file) {
        refuse(ExitCode::case_or_usage, name,
               fmt::format("the file is larger than {} MiB: expected a case file in YAML; store large fields "
                           "in HDF5 files and name these in the case",
                           largest_case_file >> 20U));
    }
    CaseText result;
    result.text = normalise(bytes);
    result.lines = split_lines(result.text);
    const TextDefect defect = find_text_defect(result.text);
    if (!defect.message.empty()) {
        const auto before = result.text.substr(0, defect.byte);
        const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
        const std::size_t line_start = line == 0 ? 0 : before.rfind('\n') + 1;
        const Findings findings(name, result.lines);
        refuse(ExitCode::case_or_usage, findings.position(line, defect.byte - line_start), defect.message);
    }
    return result;
}

}  // namespace perdure
