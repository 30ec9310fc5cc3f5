// The table of a batch on a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "solver/output/json_text.hpp"
#include "solver/output/summary.hpp"
#include "solver/output/text_table.hpp"

namespace perdure {
namespace {

using Json = nlohmann::ordered_json;

struct Column {
    TextTable::Column head;
    std::vector<std::string> cells;
};

std::string figure_text(const Json &report, const std::string &pointer) {
    const Json::json_pointer place(pointer);
    if (!report.contains(place) || !report.at(place).is_number()) {
        return "";
    }
    const Json &value = report.at(place);
    return value.is_number_integer() ? json_text(value) : fmt::format("{:.6g}", value.get<double>());
}

void add_figure(const char *head, const std::string &pointer, const std::vector<SummaryRow> &rows,
                std::vector<Column> &columns) {
    Column column{{head}, {}};
    for (const SummaryRow &row : rows) {
        column.cells.push_back(figure_text(row.report, pointer));
    }
    columns.push_back(std::move(column));
}

template <class Text>
void add_texts(const std::string &head, const std::vector<SummaryRow> &rows, std::vector<Column> &columns,
               const Text &text) {
    Column column{{head, TextTable::Align::left, TextTable::Cut::yes}, {}};
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
    columns.back().head.cut = TextTable::Cut::last;
    add_figure("iterations", "/iterations", rows, columns);
    add_figure("seconds", "/total_seconds", rows, columns);
    add_figure("effective", "/effective/coefficient", rows, columns);
    add_figure("eff. x", "/effective/x/coefficient", rows, columns);
    add_figure("eff. y", "/effective/y/coefficient", rows, columns);
    add_figure("eff. z", "/effective/z/coefficient", rows, columns);
    return columns;
}

}  // namespace

std::string summary_text(const std::vector<SummaryRow> &rows) {
    if (rows.empty()) {
        return "";
    }
    const std::vector<Column> columns = terminal_columns(rows);
    std::vector<TextTable::Column> heads;
    for (const Column &column : columns) {
        heads.push_back(column.head);
    }
    TextTable table(std::move(heads));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<std::string> cells;
        for (const Column &column : columns) {
            cells.push_back(column.cells[row]);
        }
        table.add(std::move(cells));
    }
    return table.plain(0);
}

}  // namespace perdure
