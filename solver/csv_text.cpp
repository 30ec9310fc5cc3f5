#include "solver/csv_text.hpp"

#include <utility>

namespace perdure {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class CsvReader {
  public:
    CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {
        if (text_.starts_with(byte_order_mark)) {
            text_.remove_prefix(byte_order_mark.size());
        }
    }

    std::vector<CsvRow> rows() {
        std::vector<CsvRow> rows;
        CsvRow row;
        while (at_ < text_.size()) {
            row.push_back(cell());
            if (at_ < text_.size() && text_[at_] == separator_) {
                take();
                if (at_ == text_.size()) {
                    row.push_back({"", line_, column_, true});
                }
                continue;
            }
            take_line_end();
            if (row.size() > 1 || !row.front().text.empty()) {
                rows.push_back(std::move(row));
            }
            row.clear();
        }
        if (!row.empty()) {
            rows.push_back(std::move(row));
        }
        return rows;
    }

  private:
    [[nodiscard]] bool at_line_end() const {
        return text_[at_] == '\n' || text_.substr(at_).starts_with("\r\n");
    }

    CsvCell cell() {
        CsvCell cell{"", line_, column_, true};
        bool quoted = false;
        for (; at_ < text_.size() && (quoted || (text_[at_] != separator_ && !at_line_end())); take()) {
            if (text_[at_] != '"') {
                cell.text += text_[at_];
            } else if (quoted && text_.substr(at_ + 1).starts_with('"')) {
                cell.text += '"';
                take();
            } else {
                quoted = !quoted;
            }
        }
        cell.closed = !quoted;
        return cell;
    }

    void take_line_end() {
        for (const char end : {'\r', '\n'}) {
            if (at_ < text_.size() && text_[at_] == end) {
                take();
            }
        }
    }

    void take() {
        const bool continues =
            (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80U;  // a character in UTF-8
        column_ += continues ? 0 : 1;
        if (text_[at_] == '\n') {
            ++line_;
            column_ = 1;
        }
        ++at_;
    }

    std::string_view text_;
    char separator_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
};

std::string csv_cell(const std::string &text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return quoted + '"';
}

}  // namespace

std::vector<CsvRow> read_csv(std::string_view text, char separator) {
    return CsvReader(text, separator).rows();
}

std::string csv_line(const std::vector<std::string> &cells) {
    std::string line;
    for (const std::string &cell : cells) {
        line += (line.empty() && &cell == cells.data() ? "" : ",") + csv_cell(cell);
    }
    return line + "\r\n";
}

}  // namespace perdure
