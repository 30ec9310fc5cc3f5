#include "solver/case_file/separated_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/failure.hpp"

namespace perdure {
namespace {

constexpr std::size_t most_table_bytes = 64 << 20;
constexpr const char *blanks = " \t\r";

std::string trimmed(const std::string &text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// The first of these that stands in the line; a space stands for any number of blanks.
char separator_of(const std::string &line) {
    for (const char candidate : {',', ';', '\t'}) {
        if (line.find(candidate) != std::string::npos) {
            return candidate;
        }
    }
    return ' ';
}

std::vector<std::string> cells_of(const std::string &line, char separator) {
    std::vector<std::string> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(separator, begin), line.size());
        const std::string cell = trimmed(line.substr(begin, end - begin));
        if (separator != ' ' || !cell.empty()) {
            cells.push_back(cell);
        }
        begin = end + 1;
    }
    return cells;
}

/// Nothing where one of them is no finite number.
std::optional<std::vector<double>> numbers_of(const std::vector<std::string> &cells) {
    std::vector<double> numbers;
    for (const std::string &cell : cells) {
        char *end = nullptr;
        const double number = std::strtod(cell.c_str(), &end);
        if (cell.empty() || *end != '\0' || !std::isfinite(number)) {
            return std::nullopt;
        }
        numbers.push_back(number);
    }
    return numbers;
}

}  // namespace

std::vector<double> SeparatedValues::column(const std::string &name, std::size_t by_default) const {
    std::size_t index = by_default;
    if (!name.empty()) {
        index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        if (index == names.size()) {
            throw Failure(
                ExitCode::bad_input,
                names.empty()
                    ? fmt::format("there is no column '{}': the file has no line of names", name)
                    : fmt::format("there is no column '{}'; it has {}", name, fmt::join(names, ", ")));
        }
    }
    std::vector<double> column;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].size() <= index) {
            throw Failure(ExitCode::bad_input, fmt::format("line {}: expected {} or more columns, found {}",
                                                           lines[row], index + 1, rows[row].size()));
        }
        column.push_back(rows[row][index]);
    }
    return column;
}

SeparatedValues read_separated_values(const std::filesystem::path &file) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file, error);
    if (error) {
        throw Failure(ExitCode::input_output, "it cannot be read: " + error.message());
    }
    if (bytes > most_table_bytes) {
        throw Failure(ExitCode::bad_input, fmt::format("it has {} bytes; a table of numbers has at most {}",
                                                       bytes, most_table_bytes));
    }
    std::ifstream stream(file);
    if (!stream) {
        throw Failure(ExitCode::input_output, "it cannot be opened");
    }
    SeparatedValues values;
    std::optional<char> separator;
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        const std::string text = trimmed(line);
        if (text.empty() || text.front() == '#') {
            continue;
        }
        const bool first = !separator;
        separator = separator.value_or(separator_of(text));
        const std::vector<std::string> cells = cells_of(text, *separator);
        if (auto numbers = numbers_of(cells)) {
            values.rows.push_back(std::move(*numbers));
            values.lines.push_back(number);
        } else if (first) {
            values.names = cells;
        } else {
            throw Failure(ExitCode::bad_input,
                          fmt::format("line {}: expected numbers, found '{}'", number, text.substr(0, 60)));
        }
    }
    return values;
}

}  // namespace perdure
