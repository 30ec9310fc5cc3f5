// Tables of text, for terminals and in Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perdure {

/// Rows of cells below the heads of their columns. A column without text in any row is left out, unless there is no row.
class TextTable {
  public:
    enum class Align { left, right };
    /// Which columns give way where a table is wider than a line of a terminal: the widest of `yes` first, one of
    /// `last` once it is not wider than usual only when no other can. What is cut ends with two dots.
    enum class Cut { never, yes, last };
    struct Column {
        std::string head;
        Align align = Align::right;
        Cut cut = Cut::never;
    };

    /// `remark` follows the heads.
    explicit TextTable(std::vector<Column> columns, std::string remark = {});

    /// Cells that are not given are empty. `remark` follows the last cell, or stands below where the line has no room for it;
    /// `below`: whole lines below the row.
    void add(std::vector<std::string> cells, std::string remark = {}, std::string below = {});

    [[nodiscard]] bool empty() const { return rows_.empty(); }

    /// For terminals: columns as wide as what they hold, lines behind `indent` spaces.
    [[nodiscard]] std::string plain(std::size_t indent) const;

    /// Cells alone, without remarks and what stands below rows.
    [[nodiscard]] std::string markdown() const;

  private:
    struct Row {
        std::vector<std::string> cells;
        std::string remark;
        std::string below;
    };
    [[nodiscard]] std::vector<std::size_t> widths(std::size_t indent) const;
    void fit(std::size_t indent, std::vector<std::size_t> &widths) const;
    [[nodiscard]] std::string line(const Row &row, const std::vector<std::size_t> &widths,
                                   std::size_t indent) const;

    std::vector<Column> columns_;
    Row head_;
    std::vector<Row> rows_;
};

}  // namespace perdure
