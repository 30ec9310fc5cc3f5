#include "solver/case_file/separated_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/overrides.hpp"
#include "solver/csv_text.hpp"
#include "solver/failure.hpp"
#include "solver/regular_file.hpp"

namespace perdure {
namespace {

constexpr std::size_t most_table_bytes = 64 << 20;
constexpr const char *blank_letters = " \t\r";

[[noreturn]] void refuse_line(int line, const std::string &why) {
    throw Failure(ExitCode::bad_input, fmt::format("line {}: {}", line, why));
}

std::string bytes_of(const std::filesystem::path &file) {
    try {
        std::string bytes = read_regular_file(file, most_table_bytes + 1);
        if (bytes.size() > most_table_bytes) {
            throw Failure(ExitCode::bad_input, "the file is larger than 64 MiB");
        }
        return bytes;
    } catch (const NotAFile &found) {
        throw Failure(ExitCode::input_output,
                      fmt::format("expected a file of numbers, found {}", found.what()));
    } catch (const std::system_error &error) {
        throw Failure(ExitCode::input_output, "the file cannot be read: " + error.code().message());
    }
}

bool counts(const std::string &line) {
    const std::size_t begin = line.find_first_not_of(blank_letters);
    return begin != std::string::npos && line[begin] != '#';
}

/// The first of these that stands in the first line that counts; a space stands for any number of blanks.
char separator_of(const std::string &text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (counts(line)) {
            for (const char candidate : {',', ';', '\t'}) {
                if (line.find(candidate) != std::string::npos) {
                    return candidate;
                }
            }
            break;
        }
    }
    return ' ';
}

std::vector<CsvRow> rows_between_blanks(const std::string &text) {
    std::vector<CsvRow> rows;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        CsvRow row;
        std::istringstream cells(line);
        for (std::string cell; cells >> cell;) {
            row.push_back({cell, number, 1, true});
        }
        if (!row.empty()) {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::vector<CsvRow> rows_of(const std::string &text) {
    const char separator = separator_of(text);
    std::vector<CsvRow> rows = separator == ' ' ? rows_between_blanks(text) : read_csv(text, separator);
    for (CsvRow &row : rows) {
        for (CsvCell &cell : row) {
            cell.text = trim(cell.text);
        }
    }
    std::erase_if(rows, [](const CsvRow &row) {
        return row.front().text.starts_with('#') || (row.size() == 1 && row.front().text.empty());
    });
    return rows;
}

/// Nothing where the text is none. Infinity, NaN and what is too large for a double are numbers, and not finite.
std::optional<double> parsed_number(const std::string &text) {
    char *end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return text.empty() || end != text.c_str() + text.size() ? std::nullopt : std::optional(number);
}

bool holds_names(const CsvRow &row) {
    return std::none_of(row.begin(), row.end(),
                        [](const CsvCell &cell) { return cell.text.empty() || parsed_number(cell.text); });
}

std::vector<std::string> names_of(const CsvRow &row) {
    std::vector<std::string> names;
    std::set<std::string> found;
    for (const CsvCell &cell : row) {
        if (!found.insert(cell.text).second) {
            refuse_line(cell.line, fmt::format("two columns have the name '{}'", cell.text));
        }
        names.push_back(cell.text);
    }
    return names;
}

std::vector<double> numbers_of(const CsvRow &row, std::size_t columns) {
    const int line = row.front().line;
    if (row.size() != columns) {
        refuse_line(line,
                    fmt::format("expected {} cells, as in the first line, found {}", columns, row.size()));
    }
    std::vector<double> numbers;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const auto number = parsed_number(row[i].text);
        if (!number || !std::isfinite(*number)) {
            refuse_line(line,
                        fmt::format("column {}: expected a finite number, found {}", i + 1,
                                    row[i].text.empty() ? "nothing" : "'" + row[i].text.substr(0, 60) + "'"));
        }
        numbers.push_back(*number);
    }
    return numbers;
}

}  // namespace

std::vector<double> SeparatedValues::column(const std::string &name, std::size_t by_default) const {
    std::size_t index = by_default;
    if (!name.empty()) {
        index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }
    const std::size_t columns = rows.empty() ? names.size() : rows.front().size();
    if (!name.empty() && index == names.size()) {
        throw Failure(
            ExitCode::bad_input,
            names.empty()
                ? fmt::format("there is no column '{}': the first line of the file holds no names", name)
                : fmt::format("there is no column '{}'; the columns are {}", name, fmt::join(names, ", ")));
    }
    if (index >= columns) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("expected {} or more columns, found {}", index + 1, columns));
    }
    std::vector<double> column;
    for (const std::vector<double> &row : rows) {
        column.push_back(row[index]);
    }
    return column;
}

SeparatedValues read_separated_values(const std::filesystem::path &file) {
    const std::vector<CsvRow> rows = rows_of(bytes_of(file));
    SeparatedValues values;
    for (const CsvRow &row : rows) {
        if (!row.back().closed) {
            refuse_line(row.back().line, "a quotation mark is not closed");
        }
        if (&row == &rows.front() && holds_names(row)) {
            values.names = names_of(row);
            continue;
        }
        values.rows.push_back(numbers_of(row, rows.front().size()));
        values.lines.push_back(row.front().line);
    }
    return values;
}

}  // namespace perdure
