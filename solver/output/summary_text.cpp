// The table of a batch on a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "solver/output/json_text.hpp"
#include "solver/output/summary.hpp"

namespace perdure {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t widest = 100;
constexpr std::size_t gap = 2;
constexpr std::size_t narrowest = 5;  // that a column is cut to
constexpr std::size_t widest_outcome = 40;

struct Column {
    std::string head;
    std::vector<std::string> cells;
    bool numbers = false;
    bool cut_last = false;
    std::size_t width = 0;
};

std::string figure_text(const Json &report, const std::string &pointer) {
    const Json::json_pointer place(pointer);
    if (!report.contains(place) || !report.at(place).is_number()) {
        return "";
    }
    const Json &value = report.at(place);
    return value.is_number_integer() ? json_text(value) : fmt::format("{:.6g}", value.get<double>());
}

/// Nothing where no row has it.
void add_figure(const char *head, const std::string &pointer, const std::vector<SummaryRow> &rows,
                std::vector<Column> &columns) {
    Column column{head, {}, true, false, 0};
    for (const SummaryRow &row : rows) {
        column.cells.push_back(figure_text(row.report, pointer));
    }
    if (std::any_of(column.cells.begin(), column.cells.end(),
                    [](const auto &cell) { return !cell.empty(); })) {
        columns.push_back(std::move(column));
    }
}

template <class Text>
void add_texts(const std::string &head, const std::vector<SummaryRow> &rows, std::vector<Column> &columns,
               const Text &text) {
    Column column{head, {}, false, false, 0};
    std::transform(rows.begin(), rows.end(), std::back_inserter(column.cells), text);
    columns.push_back(std::move(column));
}

void add_settings(const std::vector<SummaryRow> &rows, std::vector<Column> &columns) {
    std::vector<std::string> keys;
    for (const SummaryRow &row : rows) {
        for (const auto &[key, value] : row.settings()) {
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
                keys.push_back(key);
            }
        }
    }
    for (const std::string &key : keys) {
        add_texts(key, rows, columns, [&](const SummaryRow &row) {
            for (const auto &[set, value] : row.settings()) {
                if (set == key) {
                    return value;
                }
            }
            return std::string();
        });
    }
}

std::vector<Column> terminal_columns(const std::vector<SummaryRow> &rows) {
    std::vector<Column> columns;
    const auto differs = [&](const SummaryRow &row) { return row.case_file != rows.front().case_file; };
    if (std::any_of(rows.begin(), rows.end(), differs)) {
        add_texts("case", rows, columns, [](const SummaryRow &row) { return row.case_file; });
    }
    if (std::any_of(rows.begin(), rows.end(), [](const SummaryRow &row) { return row.sweep.has_value(); })) {
        add_texts("#", rows, columns,
                  [](const SummaryRow &row) { return row.sweep ? fmt::to_string(row.sweep->number) : ""; });
    }
    add_settings(rows, columns);
    add_texts("outcome", rows, columns, [](const SummaryRow &row) { return row.outcome; });
    columns.back().cut_last = true;
    add_figure("iterations", "/iterations", rows, columns);
    add_figure("seconds", "/total_seconds", rows, columns);
    add_figure("effective", "/effective/coefficient", rows, columns);
    add_figure("eff. x", "/effective/x/coefficient", rows, columns);
    add_figure("eff. y", "/effective/y/coefficient", rows, columns);
    add_figure("eff. z", "/effective/z/coefficient", rows, columns);
    return columns;
}

/// Columns of text give way, the widest first and outcomes of usual length last, until the table fits.
void set_widths(std::vector<Column> &columns) {
    std::size_t total = gap * (columns.size() - 1);
    for (Column &column : columns) {
        column.width = column.head.size();
        for (const std::string &cell : column.cells) {
            column.width = std::max(column.width, cell.size());
        }
        total += column.width;
    }
    const auto room = [](const Column &column) {
        const bool can = !column.numbers && column.width > narrowest;
        const bool soon = !column.cut_last || column.width > widest_outcome;
        return can ? column.width + (soon ? widest : 0) : 0;
    };
    for (; total > widest; --total) {
        auto &column = *std::max_element(columns.begin(), columns.end(),
                                         [&](const Column &a, const Column &b) { return room(a) < room(b); });
        if (room(column) == 0) {
            return;
        }
        --column.width;
    }
}

std::string fitted(const std::string &text, const Column &column, bool is_head) {
    if (text.size() <= column.width) {
        return column.numbers ? fmt::format("{:>{}}", text, column.width)
                              : fmt::format("{:<{}}", text, column.width);
    }
    return is_head ? ".." + text.substr(text.size() + 2 - column.width)
                   : text.substr(0, column.width - 2) + "..";
}

template <class Text>
std::string table_line(const std::vector<Column> &columns, const Text &text, bool is_head) {
    std::string joined;
    for (const Column &column : columns) {
        joined += (joined.empty() ? "" : std::string(gap, ' ')) + fitted(text(column), column, is_head);
    }
    return joined.substr(0, joined.find_last_not_of(' ') + 1) + '\n';
}

}  // namespace

std::string summary_text(const std::vector<SummaryRow> &rows) {
    if (rows.empty()) {
        return "";
    }
    std::vector<Column> columns = terminal_columns(rows);
    set_widths(columns);
    std::string text = table_line(
        columns, [](const Column &column) { return column.head; }, true);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        text += table_line(
            columns, [&](const Column &column) { return column.cells[row]; }, false);
    }
    return text;
}

}  // namespace perdure
