// A sweep whose members stand in a file of comma-separated values.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <system_error>

#include "solver/case_file/case_text.hpp"
#include "solver/case_file/overrides.hpp"
#include "solver/case_file/sweep_axes.hpp"
#include "solver/csv_text.hpp"
#include "solver/in_words.hpp"
#include "solver/regular_file.hpp"

namespace perdure {
namespace {

constexpr std::size_t largest_csv = 256U << 20U;

/// Nothing after a finding, which stands where the sweep names the file.
std::optional<std::string> read_text(const std::filesystem::path &path, const YamlValue &name) {
    std::string text;
    try {
        text = read_regular_file(path, largest_csv + 1);
    } catch (const NotAFile &found) {
        name.error(fmt::format("expected a file of comma-separated values, found {}", found.what()));
        return std::nullopt;
    } catch (const std::system_error &error) {
        name.error(fmt::format("cannot read '{}': {}", path.string(), error.code().message()));
        return std::nullopt;
    }
    if (text.size() > largest_csv) {
        name.error(fmt::format("'{}' is larger than {} MiB", path.string(), largest_csv >> 20U));
        return std::nullopt;
    }
    if (const TextDefect defect = find_text_defect(text); !defect.message.empty()) {
        name.error(fmt::format("'{}' is not a text file: {}", path.string(), defect.message));
        return std::nullopt;
    }
    return text;
}

/// The cells of a file, and what they mean.
class CsvMembers {
  public:
    CsvMembers(std::string file, std::vector<CsvRow> rows) : file_(std::move(file)), rows_(std::move(rows)) {}

    [[nodiscard]] TextPosition position(const CsvCell &cell) const { return {file_, cell.line, cell.column}; }

    /// The keys in the first line, and the number of cells in the others. False after a finding.
    bool check(Findings &findings) const {
        const std::size_t before = findings.size();
        const CsvRow &head = rows_.front();
        for (std::size_t i = 0; i < head.size(); ++i) {
            const std::string key = trim(head[i].text);
            const bool is_twice = std::any_of(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(i),
                                              [&](const CsvCell &other) { return trim(other.text) == key; });
            if (check_swept_key(key, position(head[i]), findings) && is_twice) {
                findings.error(position(head[i]), fmt::format("sweep: two columns have the name '{}'", key));
            }
        }
        for (const CsvRow &row : rows_) {
            if (row.size() != head.size()) {
                findings.error(position(row.front()),
                               fmt::format("sweep: expected {} cells, as in the first line, found {}",
                                           head.size(), row.size()));
            }
        }
        return findings.size() == before;
    }

    [[nodiscard]] const CsvCell &last_cell() const { return rows_.back().back(); }
    [[nodiscard]] std::size_t size() const { return rows_.size() - 1; }

    [[nodiscard]] std::vector<std::pair<std::string, TextPosition>> keys() const {
        std::vector<std::pair<std::string, TextPosition>> keys;
        for (const CsvCell &cell : rows_.front()) {
            keys.emplace_back(trim(cell.text), position(cell));
        }
        return keys;
    }

    /// Each cell is a value as in a case file. `findings` gets what is no YAML.
    [[nodiscard]] SweepMember member(std::size_t index, Findings &findings) const {
        SweepMember member;
        for (std::size_t i = 0; i < rows_.front().size(); ++i) {
            const CsvCell &cell = rows_[index + 1][i];
            const std::string text = trim(cell.text);
            const std::string key = trim(rows_.front()[i].text);
            if (!text.empty()) {
                member.push_back({key, position(rows_.front()[i]), value_of(cell, text, key, findings)});
            }
        }
        return member;
    }

  private:
    [[nodiscard]] YamlNode value_of(const CsvCell &cell, const std::string &text, const std::string &key,
                                    Findings &findings) const {
        constexpr const char *of_words = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_";
        if (text.find_first_not_of(of_words) == std::string::npos && text != "-" && text != "null") {
            return number_node(text, position(cell));
        }
        auto node = parse_yaml(
            text, key, [&](std::size_t, std::size_t) { return position(cell); }, findings);
        return node ? in_shortest_form(std::move(*node)) : YamlNode{};
    }

    std::string file_;
    std::vector<CsvRow> rows_;
};

}  // namespace

std::optional<SweepAxis> axis_of_csv(const YamlEntry &entry, const std::filesystem::path &folder,
                                     Findings &findings) {
    const YamlValue value(entry.value, "sweep.file", entry.key_position, findings);
    const auto name = value.text("the name of a file of comma-separated values");
    const std::filesystem::path path = folder / name.value_or("");
    const auto text = name ? read_text(path, value) : std::nullopt;
    if (!text) {
        return std::nullopt;
    }
    std::vector<CsvRow> rows = read_csv(*text);
    if (rows.size() < 2 || rows.size() > most_sweep_members + 1) {
        value.error(
            fmt::format("'{}' has {}: expected key paths such as solver.rtol in the first line and 1 to {} "
                        "members in the lines below",
                        path.string(), count_of(rows.size(), "line"), most_sweep_members));
        return std::nullopt;
    }
    const auto members = std::make_shared<const CsvMembers>(path.string(), std::move(rows));
    if (!members->check(findings)) {
        return std::nullopt;
    }
    if (const CsvCell &last = members->last_cell(); !last.closed) {
        value.error(fmt::format("'{}': line {}, column {}: a quotation mark is not closed", path.string(),
                                last.line, last.column));
        return std::nullopt;
    }
    const std::size_t before = findings.size();
    for (std::size_t index = 0; index < members->size(); ++index) {
        if (members->member(index, findings).empty()) {
            value.error(
                fmt::format("'{}': member {} sets no key; fill a cell of this line, or remove the line",
                            path.string(), index + 1));
        }
    }
    if (findings.size() > before) {
        return std::nullopt;
    }
    return with_distinct_values({members->size(), members->keys(),
                                 [members](std::size_t index) {
                                     Findings none("", {});
                                     return members->member(index, none);
                                 }},
                                findings);
}

}  // namespace perdure
