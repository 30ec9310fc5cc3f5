#include "solver/case_file/sweep_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "solver/case_file/overrides.hpp"
#include "solver/case_file/yaml_scalar.hpp"
#include "solver/case_file/yaml_text.hpp"

namespace perdure {
namespace {

/// Values of one key: those of a list, or of a range.
struct SweptValues {
    std::size_t size = 0;
    std::function<YamlNode(std::size_t)> at;
};

std::optional<SweptValues> values_of_list(const YamlNode &list) {
    const auto values = std::make_shared<std::vector<YamlNode>>();
    for (const YamlNode &item : list.items) {
        values->push_back(in_shortest_form(item));
    }
    return SweptValues{values->size(), [values](std::size_t index) { return (*values)[index]; }};
}

std::optional<SweptValues> values_of_range(const YamlValue &value) {
    YamlMap map(value);
    const auto range = read_range(map);
    const auto count = map.require("count", "the number of values in the range");
    std::size_t size = 0;
    if (count) {
        if (const auto whole = count->whole_number(2, static_cast<std::int64_t>(most_sweep_members))) {
            size = static_cast<std::size_t>(*whole);
        }
    }
    map.finish();
    if (!range || size == 0) {
        return std::nullopt;
    }
    const auto last = static_cast<double>(size - 1);
    return SweptValues{size, [range, last, position = value.position()](std::size_t index) {
                           return number_node(range->text_at(static_cast<double>(index) / last), position);
                       }};
}

/// `path`: of the map that holds the key.
std::optional<SweptValues> values_of(const YamlEntry &entry, const std::string &path, Findings &findings) {
    if (entry.value.kind == YamlNode::Kind::map) {
        return values_of_range(
            YamlValue(entry.value, join_path(path, entry.key), entry.key_position, findings));
    }
    if (entry.value.kind == YamlNode::Kind::list && !entry.value.items.empty()) {
        return values_of_list(entry.value);
    }
    findings.error(
        entry.key_position,
        fmt::format("{}.{}: expected a list of the values to take, or a range such as {{from: 1, to: 100, "
                    "count: 7}}, found {}",
                    path, entry.key, describe(entry.value)));
    return std::nullopt;
}

std::string text_of(const SweepMember &member) {
    std::string text;
    for (const SweepSetting &setting : member) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", setting.key, flow_text(setting.value));
    }
    return text;
}

std::string place_of(const TextPosition &position) {
    return position.line > 0 ? fmt::format("line {}, column {}", position.line, position.column)
                             : position.file;
}

}  // namespace

bool check_swept_key(const std::string &key, const TextPosition &position, Findings &findings) {
    if (split_key_path(key).empty()) {
        findings.error(position, fmt::format("sweep: expected a key path such as solver.rtol, found '{}'",
                                             shorten(key)));
        return false;
    }
    if (key == "sweep" || key.starts_with("sweep.")) {
        findings.error(position, "sweep: a sweep cannot set itself");
        return false;
    }
    return true;
}

YamlNode in_shortest_form(YamlNode value) {
    for (YamlNode &item : value.items) {
        item = in_shortest_form(std::move(item));
    }
    for (YamlEntry &entry : value.entries) {
        entry.value = in_shortest_form(std::move(entry.value));
    }
    if (value.kind == YamlNode::Kind::scalar && value.plain) {
        if (const auto whole = parse_whole_number(value.text)) {
            value.text = fmt::to_string(*whole);
        } else if (const auto number = parse_number(value.text)) {
            value.text = fmt::format("{}", *number);
        }
    }
    return value;
}

std::optional<SweepAxis> axis_of_key(const YamlEntry &entry, Findings &findings) {
    if (!check_swept_key(entry.key, entry.key_position, findings)) {
        return std::nullopt;
    }
    const auto values = values_of(entry, "sweep", findings);
    if (!values) {
        return std::nullopt;
    }
    return with_distinct_values(
        {values->size,
         {{entry.key, entry.key_position}},
         [key = entry.key, position = entry.key_position, at = values->at](std::size_t index) {
             return SweepMember{{key, position, at(index)}};
         }},
        findings);
}

std::optional<SweepAxis> axis_of_zip(const YamlEntry &entry, Findings &findings) {
    if (entry.value.kind != YamlNode::Kind::map || entry.value.entries.empty()) {
        findings.error(
            entry.key_position,
            fmt::format("sweep.zip: expected a map of lists whose values are taken together, such as "
                        "{{grid.shape: [[8, 8], [16, 16]], grid.spacing: [0.2, 0.1]}}, found {}",
                        describe(entry.value)));
        return std::nullopt;
    }
    SweepAxis zip;
    const auto columns = std::make_shared<std::vector<SweptValues>>();
    for (const YamlEntry &column : entry.value.entries) {
        if (!check_swept_key(column.key, column.key_position, findings)) {
            return std::nullopt;
        }
        auto values = values_of(column, "sweep.zip", findings);
        if (!values) {
            return std::nullopt;
        }
        if (!columns->empty() && values->size != zip.size) {
            findings.error(column.key_position,
                           fmt::format("sweep.zip.{}: expected {} values, as many as in '{}', found {}",
                                       column.key, zip.size, zip.keys.front().first, values->size));
            return std::nullopt;
        }
        zip.size = values->size;
        zip.keys.emplace_back(column.key, column.key_position);
        columns->push_back(std::move(*values));
    }
    zip.values = [keys = zip.keys, columns](std::size_t index) {
        SweepMember member;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            member.push_back({keys[i].first, keys[i].second, (*columns)[i].at(index)});
        }
        return member;
    };
    return with_distinct_values(std::move(zip), findings);
}

std::optional<SweepAxis> axis_of_maps(const YamlNode &list, Findings &findings) {
    SweepAxis axis;
    const auto members = std::make_shared<std::vector<SweepMember>>();
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const YamlNode &item = list.items[i];
        if (item.kind != YamlNode::Kind::map) {
            findings.error(item.position, fmt::format("sweep[{}]: expected a map of keys and values, such as "
                                                      "{{solver.rtol: 1e-6}}, found {}",
                                                      i, describe(item)));
            continue;
        }
        SweepMember &member = members->emplace_back();
        for (const YamlEntry &entry : item.entries) {
            if (!check_swept_key(entry.key, entry.key_position, findings)) {
                continue;
            }
            member.push_back({entry.key, entry.key_position, in_shortest_form(entry.value)});
            const bool is_known = std::any_of(axis.keys.begin(), axis.keys.end(),
                                              [&](const auto &key) { return key.first == entry.key; });
            if (!is_known) {
                axis.keys.emplace_back(entry.key, entry.key_position);
            }
        }
    }
    if (members->empty()) {
        return std::nullopt;
    }
    axis.size = members->size();
    axis.values = [members](std::size_t index) { return (*members)[index]; };
    return with_distinct_values(std::move(axis), findings);
}

std::optional<SweepAxis> with_distinct_values(SweepAxis axis, Findings &findings) {
    std::unordered_map<std::string, std::size_t> seen;
    for (std::size_t index = 0; index < axis.size; ++index) {
        const SweepMember member = axis.values(index);
        const auto [first, is_new] = seen.emplace(text_of(member), index);
        if (is_new || member.empty()) {
            continue;
        }
        const TextPosition before = axis.values(first->second).front().value.position;
        findings.error(member.front().value.position,
                       fmt::format("sweep: {} is given twice, first in {}; members are identified by their "
                                   "values, so remove one of them",
                                   first->first, place_of(before)));
        return std::nullopt;
    }
    return axis;
}

}  // namespace perdure
