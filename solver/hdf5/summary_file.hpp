// The table of a batch as an HDF5 file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace perdure {

/// A table by columns; every cell is text, empty where nothing was set.
class SummaryColumns {
  public:
    explicit SummaryColumns(std::size_t rows) : rows_(rows) {}

    void set(const std::string &name, std::size_t row, const std::string &text);

    [[nodiscard]] std::size_t rows() const { return rows_; }
    /// In the order in which they were first set.
    [[nodiscard]] const std::vector<std::string> &names() const { return names_; }
    [[nodiscard]] const std::vector<std::string> &column(const std::string &name) const {
        return cells_.at(name);
    }
    [[nodiscard]] bool has(const std::string &name) const { return cells_.count(name) > 0; }
    /// Empty where there is no such column, too.
    [[nodiscard]] std::string cell(const std::string &name, std::size_t row) const {
        return has(name) ? column(name).at(row) : "";
    }
    /// A column of empty cells behind `before`, in front where that is empty; nothing where it is there.
    void add_column(const std::string &name, const std::string &before);
    /// The column as whole numbers; nothing when a cell is none, or empty.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> whole_numbers(const std::string &name) const;
    /// The column as numbers, NaN for empty cells; nothing when a cell is no number or all are empty.
    [[nodiscard]] std::optional<std::vector<double>> numbers(const std::string &name) const;

  private:
    std::size_t rows_;
    std::vector<std::string> names_;
    std::map<std::string, std::vector<std::string>> cells_;
};

namespace hdf5 {

/// A new file with a dataset [rows] for each column. Throws Error.
void write_summary_file(const std::filesystem::path &file, const SummaryColumns &columns);

}  // namespace hdf5
}  // namespace perdure
