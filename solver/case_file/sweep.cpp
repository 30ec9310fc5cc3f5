#include "solver/case_file/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/case_file/overrides.hpp"

namespace perdure {
namespace {

constexpr const char *forms =
    "a map of lists, as in {solver.rtol: [1e-6, 1e-8]}, or a list of maps, as in [{solver.rtol: 1e-6}, ...]";

/// Whether a key can be swept; a finding if not.
bool check_key(const YamlEntry &entry, Findings &findings) {
    if (split_key_path(entry.key).empty()) {
        findings.error(
            entry.key_position,
            fmt::format("sweep: expected a key.path, such as solver.rtol, found '{}'", shorten(entry.key)));
        return false;
    }
    if (entry.key == "sweep" || entry.key.starts_with("sweep.")) {
        findings.error(entry.key_position, "sweep: a sweep cannot set itself");
        return false;
    }
    return true;
}

std::vector<SweepMember> combinations(const YamlNode &sweep, Findings &findings) {
    std::vector<SweepMember> members(1);
    for (const YamlEntry &entry : sweep.entries) {
        if (!check_key(entry, findings)) {
            continue;
        }
        if (entry.value.kind != YamlNode::Kind::list || entry.value.items.empty()) {
            findings.error(entry.key_position,
                           fmt::format("sweep.{}: expected a list of the values to take, found {}", entry.key,
                                       describe(entry.value)));
            continue;
        }
        if (members.size() * entry.value.items.size() > most_sweep_members) {
            findings.error(entry.key_position,
                           fmt::format("sweep: with {} this is {} cases or more; at most {}", entry.key,
                                       members.size() * entry.value.items.size(), most_sweep_members));
            return {};
        }
        std::vector<SweepMember> more;
        more.reserve(members.size() * entry.value.items.size());
        for (const SweepMember &member : members) {
            for (const YamlNode &value : entry.value.items) {
                more.push_back(member);
                more.back().push_back({entry.key, entry.key_position, value});
            }
        }
        members = std::move(more);
    }
    return members;
}

std::vector<SweepMember> one_by_one(const YamlNode &sweep, Findings &findings) {
    if (sweep.items.size() > most_sweep_members) {
        findings.error(sweep.position,
                       fmt::format("sweep: {} cases; at most {}", sweep.items.size(), most_sweep_members));
        return {};
    }
    std::vector<SweepMember> members;
    for (std::size_t i = 0; i < sweep.items.size(); ++i) {
        const YamlNode &item = sweep.items[i];
        if (item.kind != YamlNode::Kind::map) {
            findings.error(item.position, fmt::format("sweep[{}]: expected a map of keys and values, such as "
                                                      "{{solver.rtol: 1e-6}}, found {}",
                                                      i, describe(item)));
            continue;
        }
        SweepMember &member = members.emplace_back();
        for (const YamlEntry &entry : item.entries) {
            if (check_key(entry, findings)) {
                member.push_back({entry.key, entry.key_position, entry.value});
            }
        }
    }
    return members;
}

/// Whether one key is the other or leads to it.
bool lies_within(const std::string &key, const std::string &other) {
    return key == other || key.starts_with(other + ".");
}

/// No key of a member may set what another of its keys sets.
std::vector<SweepMember> check_overlaps(std::vector<SweepMember> members, Findings &findings) {
    for (const SweepMember &member : members) {
        for (std::size_t i = 0; i < member.size(); ++i) {
            for (std::size_t j = 0; j < member.size(); ++j) {
                if (i != j && lies_within(member[i].key, member[j].key)) {
                    findings.error(
                        member[i].key_position,
                        fmt::format(
                            "sweep: '{}' lies within '{}', which the sweep sets too: name only one of them",
                            member[i].key, member[j].key));
                    return {};
                }
            }
        }
    }
    return members;
}

}  // namespace

void check_set_keys(const std::vector<SweepMember> &members, const std::vector<std::string> &overrides,
                    Findings &findings) {
    for (const std::string &text : overrides) {
        std::string path;
        for (const std::string &key : split_key_path(text.substr(0, text.find('=')))) {
            path = join_path(path, key);
        }
        for (const SweepMember &member : members) {
            const auto clash = std::find_if(member.begin(), member.end(), [&](const SweepSetting &setting) {
                return lies_within(setting.key, path) || lies_within(path, setting.key);
            });
            if (clash != member.end() && path != "sweep") {
                findings.error(
                    {"--set " + shorten(text), 0, 0},
                    fmt::format("the sweep sets {} in every member: change the sweep, or take it away with "
                                "--set sweep=",
                                clash->key));
                return;
            }
        }
    }
}

std::vector<SweepMember> take_sweep(YamlNode &root, Findings &findings) {
    const auto entry = std::find_if(root.entries.begin(), root.entries.end(),
                                    [](const YamlEntry &candidate) { return candidate.key == "sweep"; });
    if (entry == root.entries.end()) {
        return {{}};
    }
    const YamlEntry sweep = *entry;
    root.entries.erase(entry);
    switch (sweep.value.kind) {
        case YamlNode::Kind::null:
            return {{}};
        case YamlNode::Kind::map:
            return check_overlaps(combinations(sweep.value, findings), findings);
        case YamlNode::Kind::list:
            if (!sweep.value.items.empty()) {
                return check_overlaps(one_by_one(sweep.value, findings), findings);
            }
            break;
        case YamlNode::Kind::scalar:
            break;
    }
    findings.error(sweep.value.position,
                   fmt::format("sweep: expected {}, found {}", forms, describe(sweep.value)));
    return {};
}

void apply_member(YamlNode &root, const SweepMember &member, Findings &findings) {
    for (const SweepSetting &setting : member) {
        set_value(root, split_key_path(setting.key), setting.value, setting.key_position, findings);
    }
}

}  // namespace perdure
