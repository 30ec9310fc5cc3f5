#include "solver/output/merge_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

#include "solver/csv_text.hpp"
#include "solver/failure.hpp"
#include "solver/regular_file.hpp"

namespace perdure {
namespace {

/// Where a row stands.
struct RowOf {
    const SummaryColumns *table;
    std::size_t row;

    [[nodiscard]] std::string cell(const std::string &name) const { return table->cell(name, row); }
    [[nodiscard]] std::string identity() const {
        const std::string result = cell("result");
        return result.empty() ? cell("case") + " " + cell("member") : result;
    }
    /// Not of a case that nobody has begun, or that another process was computing.
    [[nodiscard]] bool is_settled() const {
        const std::string code = cell("exit_code");
        return !code.empty() && code != fmt::to_string(static_cast<int>(ExitCode::computed_elsewhere));
    }
    [[nodiscard]] std::size_t member() const {
        const std::string text = cell("member");
        std::size_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number;
    }
};

/// Each case once, in the order in which they came, the members of one case file by their number.
std::vector<RowOf> rows_of(const SummaryColumns &older, const SummaryColumns &newer) {
    std::vector<RowOf> rows;
    std::map<std::string, std::size_t> place, first_of_case;
    for (const SummaryColumns *table : {&older, &newer}) {
        for (std::size_t row = 0; row < table->rows(); ++row) {
            const RowOf one{table, row};
            const auto [known, is_new] = place.emplace(one.identity(), rows.size());
            if (is_new) {
                rows.push_back(one);
            } else if (one.is_settled() || !rows[known->second].is_settled()) {
                rows[known->second] = one;
            }
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        first_of_case.emplace(rows[i].cell("case"), i);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const RowOf &one, const RowOf &other) {
        return std::pair(first_of_case.at(one.cell("case")), one.member()) <
               std::pair(first_of_case.at(other.cell("case")), other.member());
    });
    return rows;
}

/// The columns of both, those that only the older one has behind the same one as there.
std::vector<std::string> names_of(const SummaryColumns &older, const SummaryColumns &newer) {
    SummaryColumns names(0);
    std::string before;
    for (const std::string &name : newer.names()) {
        names.add_column(name, before);
        before = name;
    }
    before.clear();
    for (const std::string &name : older.names()) {
        names.add_column(name, before);
        before = name;
    }
    return names.names();
}

}  // namespace

bool is_table(const std::filesystem::path &csv) {
    constexpr std::size_t longest_first_line = 1 << 20;
    const std::string text = read_regular_file(csv, longest_first_line);
    const std::string names = text.substr(0, text.find('\n'));
    return names.starts_with("case,") && names.find(",outcome,exit_code,") != std::string::npos;
}

SummaryColumns read_table(const std::filesystem::path &csv) {
    std::vector<CsvRow> rows;
    try {
        if (!is_table(csv)) {
            throw Failure(ExitCode::bad_input,
                          fmt::format("'{}' is not a table written by perdure run: expected the columns "
                                      "case, outcome and exit_code in its first line",
                                      csv.string()));
        }
        rows = read_csv(read_regular_file(csv));
    } catch (const NotAFile &found) {
        throw Failure(ExitCode::input_output,
                      fmt::format("'{}': expected a table, found {}", csv.string(), found.what()));
    } catch (const std::system_error &error) {
        throw Failure(ExitCode::input_output,
                      fmt::format("cannot read '{}': {}", csv.string(), error.code().message()));
    }
    SummaryColumns columns(rows.size() - 1);
    for (std::size_t row = 1; row < rows.size(); ++row) {
        if (rows[row].size() != rows.front().size()) {
            throw Failure(
                ExitCode::bad_input,
                fmt::format("'{}', line {}: expected {} cells, as in the first line, found {}", csv.string(),
                            rows[row].front().line, rows.front().size(), rows[row].size()));
        }
        for (std::size_t i = 0; i < rows[row].size(); ++i) {
            columns.set(rows.front()[i].text, row - 1, rows[row][i].text);
        }
    }
    return columns;
}

SummaryColumns merged(const SummaryColumns &older, const SummaryColumns &newer) {
    const std::vector<RowOf> rows = rows_of(older, newer);
    SummaryColumns columns(rows.size());
    for (const std::string &name : names_of(older, newer)) {
        columns.add_column(name, columns.names().empty() ? "" : columns.names().back());
        for (std::size_t row = 0; row < rows.size(); ++row) {
            columns.set(name, row, rows[row].cell(name));
        }
    }
    return columns;
}

std::string csv_text(const SummaryColumns &columns) {
    std::string text = csv_line(columns.names());
    std::vector<const std::vector<std::string> *> all;
    for (const std::string &name : columns.names()) {
        all.push_back(&columns.column(name));
    }
    for (std::size_t row = 0; row < columns.rows(); ++row) {
        std::vector<std::string> cells;
        for (const std::vector<std::string> *const column : all) {
            cells.push_back(column->at(row));
        }
        text += csv_line(cells);
    }
    return text;
}

}  // namespace perdure
