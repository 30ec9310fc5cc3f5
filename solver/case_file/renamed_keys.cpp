#include "solver/case_file/renamed_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "solver/case_file/overrides.hpp"

namespace perdure {
namespace {

void warn(const RenamedKey &key, const TextPosition &position, Findings &findings) {
    findings.warn(position, fmt::format("'{}' has been called '{}' since case-file format {}; write '{}'",
                                        key.old_path, key.new_path, key.format, key.new_path));
}

/// The map that holds the last of `keys`, and that key's entry; null where there is none.
std::pair<YamlNode *, YamlEntry *> find_path(YamlNode &root, const std::vector<std::string> &keys) {
    YamlNode *map = &root;
    YamlEntry *entry = nullptr;
    for (std::size_t level = 0; level < keys.size(); ++level) {
        if (level > 0) {
            map = &entry->value;
        }
        entry = map->find_entry(keys[level]);
        if (entry == nullptr) {
            return {nullptr, nullptr};
        }
    }
    return {map, entry};
}

/// Replaces an old key at the beginning of `path`, and returns which one it was.
const RenamedKey *replace_old(std::string &path, const std::vector<RenamedKey> &renamed) {
    for (const RenamedKey &key : renamed) {
        if (path == key.old_path || path.starts_with(key.old_path + ".")) {
            path.replace(0, key.old_path.size(), key.new_path);
            return &key;
        }
    }
    return nullptr;
}

}  // namespace

const std::vector<RenamedKey> &renamed_keys() {
    static const std::vector<RenamedKey> keys{{"time.integrator", "time.method", 1}};
    return keys;
}

void rename_keys(YamlNode &root, const std::vector<RenamedKey> &renamed, Findings &findings) {
    for (const RenamedKey &key : renamed) {
        const auto [map, entry] = find_path(root, split_key_path(key.old_path));
        if (entry == nullptr) {
            continue;
        }
        const TextPosition position = entry->key_position;
        if (const YamlEntry *const other = find_path(root, split_key_path(key.new_path)).second) {
            const TextPosition &place = other->key_position;
            findings.error(
                position,
                fmt::format("'{}' is the old name of '{}', which is also given{}; remove '{}'", key.old_path,
                            key.new_path,
                            place.line > 0 ? fmt::format(", in line {}, column {}", place.line, place.column)
                                           : " by " + place.file,
                            key.old_path));
            continue;
        }
        YamlNode value = std::move(entry->value);
        map->entries.erase(map->entries.begin() + (entry - map->entries.data()));
        set_value(root, split_key_path(key.new_path), std::move(value), position, findings);
        warn(key, position, findings);
    }
}

void rename_keys(SweepMember &member, const std::vector<RenamedKey> &renamed, Findings &findings) {
    for (SweepSetting &setting : member) {
        if (const RenamedKey *const key = replace_old(setting.key, renamed)) {
            warn(*key, setting.key_position, findings);
        }
    }
}

std::vector<std::string> rename_keys(std::vector<std::string> overrides,
                                     const std::vector<RenamedKey> &renamed, Findings &findings) {
    for (std::string &text : overrides) {
        const TextPosition position{"--set " + shorten(text), 0, 0};
        const std::size_t equals = std::min(text.find('='), text.size());
        std::string path = text.substr(0, equals);
        if (const RenamedKey *const key = replace_old(path, renamed)) {
            text.replace(0, equals, path);
            warn(*key, position, findings);
        }
    }
    return overrides;
}

}  // namespace perdure
