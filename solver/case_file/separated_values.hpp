// Reads files with columns of numbers, separated by commas, semicolons, tabs or spaces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace perdure {

struct SeparatedValues {
    std::vector<std::string> names;         // of the columns; empty: the file has no line of names
    std::vector<std::vector<double>> rows;  // as many numbers each
    std::vector<int> lines;                 // of the file, of each row

    /// The column of that name; empty: column number `by_default`. Throws Failure(bad_input), with the names that there are.
    [[nodiscard]] std::vector<double> column(const std::string &name, std::size_t by_default) const;
};

/// Empty lines and those that begin with # do not count; the first other line holds names where none of its cells is a number. Columns are
/// separated by commas, else by semicolons, tabs or spaces, whichever that line has. Throws Failure(input_output) where the file cannot be
/// read, Failure(bad_input) with the line that has another number of cells than the first, or cells that are no finite numbers.
SeparatedValues read_separated_values(const std::filesystem::path &file);

}  // namespace perdure
