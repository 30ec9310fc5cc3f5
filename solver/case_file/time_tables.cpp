#include "solver/case_file/time_tables.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "solver/case_file/config.hpp"
#include "solver/case_file/separated_values.hpp"
#include "solver/case_file/system_section.hpp"
#include "solver/formulas/tokens.hpp"

namespace perdure {
namespace {

/// As a factor or an argument of a formula.
std::string term(double number) {
    return number < 0.0 ? fmt::format("({})", number) : fmt::format("{}", number);
}

/// False: findings say why, and the name stands for 0.
bool is_whole(const TimeTable &table) {
    return !table.times.empty();
}

/// Name of the part that is the time in a table that repeats.
std::string time_in_table(const TimeTable &table) {
    return table.name + "_time";
}

FormulaText formula_of_time(const TimeTable &table) {
    const std::string begin = term(table.times.front());
    return {fmt::format("{} + mod(t - {}, {})", begin, begin, term(table.times.back() - table.times.front())),
            table.position};
}

/// Rows first .. last, first < last, at `t`: the line between two, or one half or the other.
std::string formula_between(const TimeTable &table, std::size_t first, std::size_t last,
                            const std::string &t) {
    if (last - first == 1) {
        const double slope =
            (table.values[last] - table.values[first]) / (table.times[last] - table.times[first]);
        return table.times[last] == table.times[first]
                   ? term(table.values[last])
                   : fmt::format("{} + {}*({} - {})", term(table.values[first]), term(slope), t,
                                 term(table.times[first]));
    }
    const std::size_t middle = first + (last - first) / 2;
    return fmt::format("if({} < {}, {}, {})", t, term(table.times[middle]),
                       formula_between(table, first, middle, t), formula_between(table, middle, last, t));
}

/// Why rows are none of a function of time that kernels can evaluate; empty: they are.
std::string refuse_rows(const SeparatedValues &rows, const TimeTable &table) {
    const std::vector<double> &times = table.times;
    if (times.size() < 2) {
        return fmt::format("the file has {} of numbers, but a table needs two or more",
                           times.empty() ? "no row" : "one row");
    }
    for (std::size_t i = 1; i < times.size(); ++i) {
        if (times[i] < times[i - 1]) {
            return fmt::format("line {}: the time {} follows {}, but times must not decrease", rows.lines[i],
                               times[i], times[i - 1]);
        }
        const double slope = (table.values[i] - table.values[i - 1]) / (times[i] - times[i - 1]);
        if (times[i] > times[i - 1] && !std::isfinite(slope)) {
            return fmt::format("line {}: the values rise or fall too steeply to be represented",
                               rows.lines[i]);
        }
    }
    if (!std::isfinite(times.front()) || !std::isfinite(times.back())) {
        return "the times are too large to be represented";
    }
    if (times.front() == times.back()) {
        return "all rows have the same time; a table needs two or more";
    }
    const std::size_t length = formula_of(table).text.size();
    return length > formulas::longest_formula
               ? fmt::format(
                     "its {} rows give a formula of {} characters, but a formula has at most {}; leave out "
                     "rows, average over longer times, or round the numbers",
                     times.size(), length, formulas::longest_formula)
               : "";
}

void read_rows(const YamlMap &map, const std::string &time_column, const std::string &value_column,
               double scale, TimeTable &table) {
    const auto refuse = [&](const std::string &why) {
        map.value().findings().error(
            table.position, fmt::format("{}: '{}': {}", map.value().path(), table.file.string(), why));
        table.times.clear();
    };
    try {
        const SeparatedValues rows = read_separated_values(table.file);
        table.times = rows.column(time_column, 0);
        table.values = rows.column(value_column, 1);
        for (double &time : table.times) {
            time *= scale;
        }
        const std::string why = refuse_rows(rows, table);
        if (!why.empty()) {
            refuse(why);
        }
    } catch (const Failure &failure) {
        refuse(failure.what());
    }
}

TimeTable read_table(const std::string &name, const YamlValue &value, const std::filesystem::path &folder) {
    YamlMap map(value);
    TimeTable table{.name = name, .file = {}, .times = {}, .values = {}, .position = value.key_position()};
    const auto column = [&](const char *key) {
        const auto given = map.take(key);
        return given ? given->text("the name of a column").value_or("") : "";
    };
    const auto file = map.require("file", "a file with columns of numbers, such as {file: day.csv}");
    const std::string times = column("time"), values = column("value");
    double scale = 1.0;
    if (const auto given = map.take("time_scale")) {
        scale = given->number("a number > 0", [](double number) { return number > 0.0; }).value_or(scale);
    }
    if (const auto beyond = map.take("beyond")) {
        table.beyond = beyond->word<BeyondTable>().value_or(table.beyond);
    }
    map.finish();
    if (const auto path = file ? file->text("a file") : std::nullopt) {
        table.file = folder / *path;
        table.position = file->position();
        read_rows(map, times, values, scale, table);
    }
    return table;
}

}  // namespace

std::span<const CaseKey> table_keys() {
    static constexpr std::array keys{
        CaseKey{"problem.tables", "map of name to map", "",
                "heat (with explicit steps solved as a system) and system: values in time from a file, "
                "linear between its "
                "rows; formulas use them by name"},
        CaseKey{"problem.tables.NAME", "map", "", "one table: its file and the columns to use"},
        CaseKey{"problem.tables.NAME.file", "text", "required",
                "file of up to some hundred rows; columns are separated by commas, semicolons, tabs or "
                "spaces, and the first line may hold their names"},
        CaseKey{"problem.tables.NAME.time", "text", "the first",
                "name of the column with the times, which must not decrease"},
        CaseKey{"problem.tables.NAME.value", "text", "the second", "name of the column with the values"},
        CaseKey{"problem.tables.NAME.time_scale", "number > 0", "1",
                "factor of the times, such as 3600 if the file has hours and the case has seconds"},
        CaseKey{"problem.tables.NAME.beyond", "refuse, hold or repeat", "refuse",
                "outside the times of the file: refuse the run, hold the first and last value, or repeat the "
                "rows"}};
    return keys;
}

std::vector<TimeTable> read_tables(YamlMap &problem, const std::filesystem::path &folder) {
    std::vector<TimeTable> tables;
    const auto section = problem.take("tables");
    if (!section) {
        return tables;
    }
    for (const auto &[name, value] :
         entries_of(*section, "a map of names, such as {outside: {file: day.csv}}")) {
        tables.push_back(read_table(name, value, folder));
    }
    return tables;
}

void check_tables(const std::vector<TimeTable> &tables, const TimeConfig &time, Findings &findings) {
    for (const TimeTable &table : tables) {
        if (is_whole(table) && table.beyond == BeyondTable::refuse &&
            (time.start < table.times.front() || time.end > table.times.back())) {
            findings.error(
                table.position,
                fmt::format("problem.tables.{}: the run covers t = {} to {}, but the table covers only {} to "
                            "{}; write 'beyond: hold' to hold its first and last value, or 'beyond: repeat'",
                            table.name, time.start, time.end, table.times.front(), table.times.back()));
        }
        if (!is_whole(table) || table.beyond != BeyondTable::repeat || !time.step) {
            continue;
        }
        const double period = table.times.back() - table.times.front();
        if (*time.step > 0.5 * period) {
            findings.warn(
                table.position,
                fmt::format("problem.tables.{}: the table repeats after {}, and a step is {}: the run "
                            "sees next to nothing of it; if the times of the file are in another "
                            "unit than t, give time_scale, such as 3600 for hours where t is in s",
                            table.name, period, *time.step));
        }
    }
}

namespace {

/// `t`: the time in the table.
std::string formula_at(const TimeTable &table, const std::string &t) {
    const std::string begin = term(table.times.front());
    std::string between = formula_between(table, 0, table.times.size() - 1, t);
    if (table.beyond != BeyondTable::repeat) {
        between = fmt::format("if(t < {}, {}, if(t < {}, {}, {}))", begin, term(table.values.front()),
                              term(table.times.back()), between, term(table.values.back()));
    }
    return between;
}

}  // namespace

FormulaText formula_of(const TimeTable &table) {
    const bool repeats = table.beyond == BeyondTable::repeat;
    return {formula_at(table, repeats ? time_in_table(table) : "t"), table.position};
}

std::string formula_of_t(const TimeTable &table) {
    const bool repeats = table.beyond == BeyondTable::repeat;
    return formula_at(table, repeats ? "(" + formula_of_time(table).text + ")" : "t");
}

void add_tables(const std::vector<TimeTable> &tables, SystemConfig &system) {
    std::vector<std::pair<std::string, FormulaText>> parts;
    for (const TimeTable &table : tables) {
        if (is_whole(table) && table.beyond == BeyondTable::repeat) {
            parts.emplace_back(time_in_table(table), formula_of_time(table));
        }
        parts.emplace_back(table.name,
                           is_whole(table) ? formula_of(table) : FormulaText{"0", table.position});
    }
    system.parts.insert(system.parts.begin(), parts.begin(), parts.end());
}

}  // namespace perdure
