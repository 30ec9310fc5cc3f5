// Comma-separated values as in RFC 4180: lines of cells, with quotation marks around cells that contain a comma, a quotation mark or a line end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perdure {

/// A cell and where it begins; line and column count from 1, the column in characters.
struct CsvCell {
    std::string text;
    int line = 0, column = 0;
    bool closed = true;  // false: a quote in it is not closed, and the cell goes to the end of the text
};
using CsvRow = std::vector<CsvCell>;

/// The rows of a text, without those that are empty. Line ends are "\n" or "\r\n"; a byte order mark is left out. A quote that is not
/// closed ends with the text. `separator`: what stands between cells.
std::vector<CsvRow> read_csv(std::string_view text, char separator = ',');

/// One line, with its end.
std::string csv_line(const std::vector<std::string> &cells);

}  // namespace perdure
