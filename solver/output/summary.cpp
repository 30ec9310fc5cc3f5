#include "solver/output/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>

#include "solver/hdf5/summary_file.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/time_text.hpp"

namespace perdure {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json &value) {
    if (value.is_boolean()) {
        return value.get<bool>() ? "1" : "0";
    }
    return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : json_text(value);
}

const std::vector<std::string> &figures() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"iterations", "residual",       "tolerance",     "time",
                                     "cells",      "excluded_cells", "method",        "backend",
                                     "device",     "model",          "precision",     "launches",
                                     "barriers",   "device_bytes",   "device_seconds"};
        for (const auto &[name, seconds] : named_seconds({})) {
            all.push_back(name);
        }
        return all;
    }();
    return names;
}

/// Numbers and words of a map, `above.name` each.
void add_entries(const std::string &above, const Json &entries, SummaryColumns &columns, std::size_t row) {
    for (const auto &[name, value] : entries.items()) {
        if (value.is_object()) {
            add_entries(above + "." + name, value, columns, row);
        } else if (!value.is_array()) {
            columns.set(above + "." + name, row, text_of(value));
        }
    }
}

/// What one looks for first.
void add_leading_figures(const Json &report, SummaryColumns &columns, std::size_t row) {
    for (const char *name : {"iterations", "total_seconds"}) {
        if (report.contains(name)) {
            columns.set(name, row, text_of(report.at(name)));
        }
    }
    for (const char *figure : {"coefficient", "tortuosity"}) {
        for (const char *place : {"/effective/", "/effective/x/", "/effective/y/", "/effective/z/"}) {
            const Json::json_pointer pointer(std::string(place) + figure);
            if (report.contains(pointer)) {
                std::string name = pointer.to_string().substr(1);
                std::replace(name.begin(), name.end(), '/', '.');
                columns.set(name, row, text_of(report.at(pointer)));
            }
        }
    }
    if (report.contains("outcome_values")) {
        for (const auto &[name, value] : report.at("outcome_values").items()) {
            columns.set("outcome." + name, row, text_of(value));
        }
    }
}

void add_figures(const Json &report, SummaryColumns &columns, std::size_t row) {
    for (const std::string &name : figures()) {
        if (report.contains(name)) {
            columns.set(name, row, text_of(report.at(name)));
        }
    }
    for (const char *const part : {"effective", "errors"}) {
        if (report.contains(part)) {
            add_entries(part, report.at(part), columns, row);
        }
    }
}

/// A key that a column of another meaning has the name of is told apart from it.
std::string column_of(const std::string &key) {
    constexpr std::array others{"case", "member", "outcome", "exit_code", "skipped", "output", "result"};
    const auto is = [&](const std::string &name) { return key == name; };
    const bool taken =
        std::any_of(others.begin(), others.end(), is) || std::any_of(figures().begin(), figures().end(), is);
    return taken ? "sweep." + key : key;
}

}  // namespace

SummaryColumns summary_columns(const std::vector<SummaryRow> &rows) {
    SummaryColumns columns(rows.size());
    const bool has_sweep =
        std::any_of(rows.begin(), rows.end(), [](const SummaryRow &row) { return row.sweep.has_value(); });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        columns.set("case", i, rows[i].case_file);
        if (has_sweep) {
            columns.set("member", i, rows[i].sweep ? fmt::to_string(rows[i].sweep->number) : "");
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const auto &[key, value] : rows[i].settings()) {
            columns.set(column_of(key), i, value);
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        columns.set("outcome", i, rows[i].outcome);
        columns.set("exit_code", i, rows[i].exit_code ? fmt::to_string(*rows[i].exit_code) : "");
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        add_leading_figures(rows[i].report, columns, i);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        columns.set("output", i, rows[i].output);
        columns.set("result", i, rows[i].result);
        columns.set("skipped", i, rows[i].skipped ? "1" : "0");
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        add_figures(rows[i].report, columns, i);
    }
    return columns;
}

void SummaryColumns::add_column(const std::string &name, const std::string &before) {
    if (!has(name)) {
        cells_.emplace(name, std::vector<std::string>(rows_));
        const auto place = std::find(names_.begin(), names_.end(), before);
        names_.insert(place == names_.end() ? names_.begin() : place + 1, name);
    }
}

void SummaryColumns::set(const std::string &name, std::size_t row, const std::string &text) {
    auto column = cells_.find(name);
    if (column == cells_.end()) {
        column = cells_.emplace(name, std::vector<std::string>(rows_)).first;
        names_.push_back(name);
    }
    column->second.at(row) = text;
}

std::optional<std::vector<std::int64_t>> SummaryColumns::whole_numbers(const std::string &name) const {
    std::vector<std::int64_t> values;
    for (const std::string &text : column(name)) {
        const char *const end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, values.emplace_back());
        if (text.empty() || read.ec != std::errc() || read.ptr != end) {
            return std::nullopt;
        }
    }
    return values;
}

std::optional<std::vector<double>> SummaryColumns::numbers(const std::string &name) const {
    std::vector<double> values;
    bool any = false;
    for (const std::string &text : column(name)) {
        char *end = nullptr;
        values.push_back(text.empty() ? std::numeric_limits<double>::quiet_NaN()
                                      : std::strtod(text.c_str(), &end));
        if (!text.empty() && *end != '\0') {
            return std::nullopt;
        }
        any = any || !text.empty();
    }
    return any ? std::optional(values) : std::nullopt;
}

Json summary_figures(const Json &report) {
    if (report.is_null()) {
        return report;
    }
    Json kept = Json::object();
    for (const std::string &name : figures()) {
        if (report.contains(name)) {
            kept[name] = report.at(name);
        }
    }
    for (const char *const part : {"effective", "errors", "outcome_values"}) {
        if (report.contains(part)) {
            kept[part] = report.at(part);
        }
    }
    return kept;
}

SummaryRow row_of(const Config &config, std::string outcome, std::optional<ExitCode> code) {
    SummaryRow row;
    row.case_file = config.path.string();
    row.sweep = config.sweep;
    row.outcome = std::move(outcome);
    row.exit_code = code ? std::optional(static_cast<int>(*code)) : std::nullopt;
    row.result = result_path(config).string();
    return row;
}

std::filesystem::path summary_stem(const Config &first, bool is_one_sweep) {
    return first.output.directory / (is_one_sweep ? first.sweep->name + "_summary" : "batch_summary");
}

}  // namespace perdure
