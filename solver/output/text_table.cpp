#include "solver/output/text_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "solver/output/wrap_text.hpp"

namespace perdure {
namespace {

constexpr std::size_t gap = 2;            // between columns
constexpr std::size_t narrowest = 5;      // that a column is cut to
constexpr std::size_t usual_width = 40;   // to which Cut::last gives way like the others
constexpr std::size_t remark_indent = 4;  // more than that of the table, below a row

/// The byte at which a character of UTF-8 text starts.
std::size_t byte_of(const std::string &text, std::size_t character) {
    std::size_t byte = 0;
    for (std::size_t seen = 0; byte < text.size(); ++byte) {
        seen += starts_character(text[byte]) ? 1 : 0;
        if (seen > character) {
            break;
        }
    }
    return byte;
}

/// Cells keep their start, heads their end: of keys it tells more.
std::string cut(const std::string &text, std::size_t width, bool is_head) {
    const std::size_t kept = width - 2;
    return is_head ? ".." + text.substr(byte_of(text, columns_of(text) - kept))
                   : text.substr(0, byte_of(text, kept)) + "..";
}

std::string markdown_line(const std::vector<std::string> &cells) {
    std::string text;
    for (const std::string &cell : cells) {
        text += fmt::format("| {} ", cell);
    }
    return text + "|\n";
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns, std::string remark) : columns_(std::move(columns)) {
    head_.remark = std::move(remark);
    for (const Column &column : columns_) {
        head_.cells.push_back(column.head);
    }
}

void TextTable::add(std::vector<std::string> cells, std::string remark, std::string below) {
    cells.resize(columns_.size());
    rows_.push_back({std::move(cells), std::move(remark), std::move(below)});
}

std::string TextTable::plain(std::size_t indent) const {
    const std::vector<std::size_t> all = widths(indent);
    std::string text = line(head_, all, indent);
    for (const Row &row : rows_) {
        text += line(row, all, indent);
    }
    return text;
}

std::string TextTable::markdown() const {
    std::string text = markdown_line(head_.cells);
    for (const Column &column : columns_) {
        text += column.align == Align::left ? "|---" : "|--:";
    }
    text += "|\n";
    for (const Row &row : rows_) {
        text += markdown_line(row.cells);
    }
    return text;
}

/// 0: left out.
std::vector<std::size_t> TextTable::widths(std::size_t indent) const {
    std::vector<std::size_t> widths(columns_.size(), 0);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        for (const Row &row : rows_) {
            widths[i] = std::max(widths[i], columns_of(row.cells[i]));
        }
        if (widths[i] > 0 || rows_.empty()) {
            widths[i] = std::max(widths[i], columns_of(columns_[i].head));
        }
    }
    fit(indent, widths);
    return widths;
}

void TextTable::fit(std::size_t indent, std::vector<std::size_t> &widths) const {
    const auto room = [&](std::size_t i) {
        const bool can = columns_[i].cut != Cut::never && widths[i] > narrowest;
        const bool soon = columns_[i].cut == Cut::yes || widths[i] > usual_width;
        return can ? widths[i] + (soon ? text_columns : 0) : 0;
    };
    std::vector<std::size_t> shown;
    std::size_t total = indent;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] > 0) {
            total += widths[i] + (shown.empty() ? 0 : gap);
            shown.push_back(i);
        }
    }
    for (; total > text_columns; --total) {
        const std::size_t widest =
            *std::max_element(shown.begin(), shown.end(),
                              [&](std::size_t one, std::size_t other) { return room(one) < room(other); });
        if (room(widest) == 0) {
            return;
        }
        --widths[widest];
    }
}

std::string TextTable::line(const Row &row, const std::vector<std::size_t> &widths,
                            std::size_t indent) const {
    std::string text(indent, ' ');
    std::string separator;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (widths[i] == 0) {
            continue;
        }
        const bool fits = columns_of(row.cells[i]) <= widths[i];
        const std::string cell = fits ? row.cells[i] : cut(row.cells[i], widths[i], &row == &head_);
        const std::string padding(widths[i] - columns_of(cell), ' ');
        text += separator + (columns_[i].align == Align::left ? cell + padding : padding + cell);
        separator.assign(gap, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    if (row.remark.empty()) {
        return text + '\n' + row.below;
    }
    const bool beside = columns_of(text) + gap + columns_of(row.remark) <= text_columns;
    return text +
           (beside ? std::string(gap, ' ') + row.remark + '\n'
                   : '\n' + wrap_text(row.remark, indent + remark_indent)) +
           row.below;
}

}  // namespace perdure
