#include "solver/case_file/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "solver/case_file/case_text.hpp"

namespace perdure {
namespace {

/// The entry of `map` under `key`, created empty if it is not there.
YamlEntry &entry_of(YamlNode &map, const std::string &key, const TextPosition &position) {
    if (YamlEntry *existing = map.find_entry(key)) {
        return *existing;
    }
    YamlEntry created;
    created.key = key;
    created.key_position = position;
    created.value.position = position;
    map.entries.push_back(std::move(created));
    return map.entries.back();
}

/// The entry at the end of the path goes; it must be there.
void take_out(YamlNode &root, const std::vector<std::string> &keys, const std::string &path,
              const TextPosition &position, Findings &findings) {
    YamlNode *map = &root;
    for (std::size_t level = 0; level + 1 < keys.size() && map != nullptr; ++level) {
        YamlEntry *const entry = map->find_entry(keys[level]);
        map = entry != nullptr ? &entry->value : nullptr;
    }
    YamlEntry *const entry = map != nullptr ? map->find_entry(keys.back()) : nullptr;
    if (entry == nullptr) {
        findings.error(position, fmt::format("there is no '{}' to remove; to set a value, write it after the "
                                             "'=', as in --set solver.rtol=1e-6",
                                             path));
        return;
    }
    if (map != &root) {
        map->position = position;  // what is wrong with the rest is so since
    }
    map->entries.erase(map->entries.begin() + (entry - map->entries.data()));
}

/// The keys that lead to a value. What a sweep sets is one key: of sweep.solver.rtol those are two.
std::vector<std::string> keys_of_override(const std::string &path) {
    std::vector<std::string> keys = split_key_path(path);
    if (keys.size() > 2 && keys[0] == "sweep" && keys[1] != "sample" && keys[1] != "zip" &&
        keys[1] != "subvolumes") {
        keys = {keys[0], path.substr(keys[0].size() + 1)};
    }
    return keys;
}

void apply_override(YamlNode &root, const std::string &text, Findings &findings) {
    TextPosition position{"--set " + shorten(text), 0, 0};
    const std::size_t equals = text.find('=');
    const std::string path = trim(text.substr(0, equals));
    const std::vector<std::string> keys = keys_of_override(path);
    if (equals == std::string::npos || keys.empty()) {
        findings.error(position, "expected key.path=value, as in --set solver.rtol=1e-6");
        return;
    }
    const std::string value_text = text.substr(equals + 1);
    if (const TextDefect defect = find_text_defect(text); !defect.message.empty()) {
        findings.error(position, defect.message);
        return;
    }
    if (trim(value_text).empty()) {
        take_out(root, keys, path, position, findings);
        return;
    }
    const std::size_t findings_before = findings.size();
    auto value = parse_yaml(
        value_text, path, [&](std::size_t, std::size_t) { return position; }, findings);
    if (!value && findings.size() > findings_before) {
        return;
    }
    if (!value) {
        value.emplace();
        value->position = position;
    }
    set_value(root, keys, std::move(*value), position, findings);
}

}  // namespace

std::string trim(const std::string &text) {
    constexpr const char *blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string> split_key_path(const std::string &path) {
    std::vector<std::string> keys;
    std::size_t begin = 0;
    while (begin <= path.size()) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        keys.push_back(path.substr(begin, end - begin));
        if (keys.back().empty()) {
            return {};
        }
        begin = end + 1;
    }
    return keys;
}

void set_value(YamlNode &root, const std::vector<std::string> &keys, YamlNode value,
               const TextPosition &position, Findings &findings) {
    YamlNode *node = &root;
    std::string path;
    for (std::size_t level = 0; level < keys.size(); ++level) {
        if (node->kind == YamlNode::Kind::null) {
            node->kind = YamlNode::Kind::map;
        }
        if (node->kind != YamlNode::Kind::map) {
            const std::string whole =
                node->kind == YamlNode::Kind::list ? "[...]" : fmt::format("{{{}: ...}}", keys[level]);
            findings.error(position,
                           fmt::format("'{}' holds {} and not a map; set it as a whole, as in {}={}", path,
                                       describe(*node), path, whole));
            return;
        }
        YamlEntry &entry = entry_of(*node, keys[level], position);
        if (level + 1 == keys.size()) {
            entry.key_position = position;
        }
        node = &entry.value;
        path = join_path(path, keys[level]);
    }
    *node = std::move(value);
}

void apply_overrides(YamlNode &root, const std::vector<std::string> &overrides, Findings &findings) {
    for (const std::string &text : overrides) {
        apply_override(root, text, findings);
    }
}

std::string note_overrides(std::string text, const std::vector<std::string> &overrides) {
    if (!overrides.empty() && !text.empty() && text.back() != '\n') {
        text += '\n';
    }
    for (const std::string &override_text : overrides) {
        text += "# --set ";
        for (const char c : override_text) {
            text += c == '\n' || c == '\r' ? "\n#   " : std::string(1, c);  // both end a comment
        }
        text += '\n';
    }
    return text;
}

}  // namespace perdure
