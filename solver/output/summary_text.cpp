// The table of a batch on a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "solver/hdf5/summary_file.hpp"
#include "solver/output/summary.hpp"
#include "solver/output/text_table.hpp"

namespace perdure {
namespace {

constexpr std::string_view outcome_prefix = "outcome.";

/// Numbers with six digits, whole ones as they are; other texts are left out.
std::string figure_text(const std::string &text) {
    char *end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') {
        return "";
    }
    return text.find_first_of(".eEn") == std::string::npos ? text : fmt::format("{:.6g}", number);
}

/// What stands between the case and its outcome: the member's number, and the keys that sweeps set.
std::vector<std::string> swept_columns(const SummaryColumns &columns) {
    std::vector<std::string> names;
    for (const std::string &name : columns.names()) {
        if (name == "outcome") {
            break;
        }
        if (name != "case" && name != "member") {
            names.push_back(name);
        }
    }
    return names;
}

class TerminalTable {
  public:
    explicit TerminalTable(const SummaryColumns &columns) : columns_(columns) {}

    void add_texts(const std::string &name, const std::string &head,
                   TextTable::Cut cut = TextTable::Cut::yes) {
        heads_.push_back({head, TextTable::Align::left, cut});
        cells_.push_back(columns_.column(name));
    }

    void add_figures(const std::string &name, const char *head) {
        heads_.emplace_back(TextTable::Column{head});
        std::vector<std::string> &cells = cells_.emplace_back();
        for (std::size_t row = 0; row < columns_.rows(); ++row) {
            cells.push_back(figure_text(columns_.cell(name, row)));
        }
    }

    [[nodiscard]] std::string text() const {
        TextTable table(heads_);
        for (std::size_t row = 0; row < columns_.rows(); ++row) {
            std::vector<std::string> cells;
            for (const std::vector<std::string> &column : cells_) {
                cells.push_back(column[row]);
            }
            table.add(std::move(cells));
        }
        return table.plain(0);
    }

  private:
    const SummaryColumns &columns_;
    std::vector<TextTable::Column> heads_;
    std::vector<std::vector<std::string>> cells_;
};

}  // namespace

std::string summary_text(const SummaryColumns &columns) {
    if (columns.rows() == 0) {
        return "";
    }
    TerminalTable table(columns);
    const std::vector<std::string> &cases = columns.column("case");
    if (std::any_of(cases.begin(), cases.end(),
                    [&](const std::string &name) { return name != cases.front(); })) {
        table.add_texts("case", "case");
    }
    if (columns.has("member")) {
        table.add_texts("member", "#");
    }
    for (const std::string &key : swept_columns(columns)) {
        table.add_texts(key, key);
    }
    table.add_texts("outcome", "outcome", TextTable::Cut::last);
    for (const auto &[name, head] : {std::pair{"iterations", "iterations"},
                                     {"total_seconds", "seconds"},
                                     {"effective.coefficient", "effective"},
                                     {"effective.x.coefficient", "eff. x"},
                                     {"effective.y.coefficient", "eff. y"},
                                     {"effective.z.coefficient", "eff. z"}}) {
        table.add_figures(name, head);
    }
    constexpr std::size_t most_values = 4;
    std::size_t values = 0;
    for (const std::string &name : columns.names()) {
        if (name.starts_with(outcome_prefix) && values++ < most_values) {
            table.add_figures(name, name.c_str() + outcome_prefix.size());
        }
    }
    return table.text();
}

}  // namespace perdure
