#include "solver/case_file/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/case_file/config.hpp"
#include "solver/case_file/overrides.hpp"
#include "solver/case_file/sweep_axes.hpp"

namespace perdure {
namespace {

constexpr const char *forms =
    "a map of lists, as in {solver.rtol: [1e-6, 1e-8]}, or a list of maps, as in [{solver.rtol: 1e-6}, ...]";

std::optional<SweepAxis> axis_of(const YamlEntry &entry, const YamlNode &root,
                                 const std::filesystem::path &folder, Findings &findings) {
    if (entry.key == "zip") {
        return axis_of_zip(entry, findings);
    }
    if (entry.key == "sample") {
        return axis_of_sample(entry, findings);
    }
    if (entry.key == "subvolumes") {
        return axis_of_subvolumes(entry, root, findings);
    }
    return entry.key == "file" ? axis_of_csv(entry, folder, findings) : axis_of_key(entry, findings);
}

std::vector<SweepAxis> combinations(const YamlNode &sweep, const YamlNode &root,
                                    const std::filesystem::path &folder, Findings &findings) {
    std::vector<SweepAxis> axes;
    std::size_t members = 1;
    for (const YamlEntry &entry : sweep.entries) {
        auto axis = axis_of(entry, root, folder, findings);
        if (!axis) {
            continue;
        }
        members *= axis->size;
        if (members > most_sweep_members) {
            findings.error(
                entry.key_position,
                fmt::format("sweep: with {}, the sweep has {} cases or more; at most {} are allowed",
                            entry.key, members, most_sweep_members));
            return {};
        }
        axes.push_back(std::move(*axis));
    }
    return axes;
}

/// Whether one key is the other or leads to it.
bool lies_within(const std::string &key, const std::string &other) {
    return key == other || key.starts_with(other + ".");
}

/// No key of a member may set what another of its keys sets: of two axes any, of a list of maps those of one map.
class Overlaps {
  public:
    explicit Overlaps(Findings &findings) : findings_(findings) {}

    [[nodiscard]] bool between(const SweepAxis &one, const SweepAxis &other) {
        return std::any_of(one.keys.begin(), one.keys.end(), [&](const auto &key) {
            return std::any_of(other.keys.begin(), other.keys.end(), [&](const auto &second) {
                return report(key.first, key.second, second.first) ||
                       report(second.first, second.second, key.first);
            });
        });
    }

    [[nodiscard]] bool within(const SweepAxis &axis) {
        if (std::none_of(axis.keys.begin(), axis.keys.end(), [&](const auto &key) {
                return std::any_of(axis.keys.begin(), axis.keys.end(), [&](const auto &other) {
                    return &key != &other && lies_within(key.first, other.first);
                });
            })) {
            return false;
        }
        for (std::size_t index = 0; index < axis.size; ++index) {
            const SweepMember member = axis.values(index);
            for (const SweepSetting &one : member) {
                for (const SweepSetting &other : member) {
                    if (&one != &other && report(one.key, one.key_position, other.key)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

  private:
    bool report(const std::string &key, const TextPosition &position, const std::string &other) {
        if (!lies_within(key, other)) {
            return false;
        }
        findings_.error(
            position,
            fmt::format("sweep: '{}' is part of '{}', which the sweep also sets; use only one of them", key,
                        other));
        return true;
    }

    Findings &findings_;
};

Sweep without_overlaps(std::vector<SweepAxis> axes, Findings &findings) {
    Overlaps overlaps(findings);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        bool overlap = overlaps.within(axes[i]);
        for (std::size_t j = 0; j < i; ++j) {
            overlap = overlap || overlaps.between(axes[j], axes[i]);
        }
        if (overlap) {
            return Sweep();
        }
    }
    return Sweep(std::move(axes));
}

}  // namespace

Sweep::Sweep(std::vector<SweepAxis> axes) : axes_(std::move(axes)) {
    for (const SweepAxis &axis : axes_) {
        size_ *= axis.size;
    }
}

SweepMember Sweep::member(std::size_t index) const {
    std::vector<SweepMember> parts(axes_.size());
    for (std::size_t axis = axes_.size(); axis-- > 0; index /= axes_[axis].size) {
        parts[axis] = axes_[axis].values(index % axes_[axis].size);
    }
    SweepMember member;
    for (SweepMember &part : parts) {
        std::move(part.begin(), part.end(), std::back_inserter(member));
    }
    return member;
}

void check_set_keys(const Sweep &sweep, const std::vector<std::string> &overrides, Findings &findings) {
    for (const std::string &text : overrides) {
        std::string path;
        for (const std::string &key : split_key_path(text.substr(0, text.find('=')))) {
            path = join_path(path, key);
        }
        for (const SweepAxis &axis : sweep.axes()) {
            const auto clash = std::find_if(axis.keys.begin(), axis.keys.end(), [&](const auto &key) {
                return lies_within(key.first, path) || lies_within(path, key.first);
            });
            if (clash != axis.keys.end() && path != "sweep") {
                findings.error(
                    {"--set " + shorten(text), 0, 0},
                    fmt::format("the sweep sets {}; change the sweep, or remove it with --set sweep=",
                                clash->first));
                return;
            }
        }
    }
}

Sweep take_sweep(YamlNode &root, const std::filesystem::path &folder, Findings &findings) {
    const auto entry = std::find_if(root.entries.begin(), root.entries.end(),
                                    [](const YamlEntry &candidate) { return candidate.key == "sweep"; });
    if (entry == root.entries.end()) {
        return Sweep();
    }
    const YamlEntry sweep = std::move(*entry);
    root.entries.erase(entry);
    switch (sweep.value.kind) {
        case YamlNode::Kind::null:
            return Sweep();
        case YamlNode::Kind::map:
            return without_overlaps(combinations(sweep.value, root, folder, findings), findings);
        case YamlNode::Kind::list:
            if (!sweep.value.items.empty()) {
                auto axis = axis_of_maps(sweep.value, findings);
                return axis ? without_overlaps({std::move(*axis)}, findings) : Sweep();
            }
            break;
        case YamlNode::Kind::scalar:
            break;
    }
    findings.error(sweep.value.position,
                   fmt::format("sweep: expected {}, found {}", forms, describe(sweep.value)));
    return Sweep();
}

void apply_member(YamlNode &root, const SweepMember &member, Findings &findings) {
    for (const SweepSetting &setting : member) {
        set_value(root, split_key_path(setting.key), setting.value, setting.key_position, findings);
    }
}

void refuse_unused_parameters(const YamlNode &without_sweep, const SweepMember &member, Findings &findings) {
    const YamlNode *const problem = without_sweep.find("problem");
    const YamlNode *const parameters = problem != nullptr ? problem->find("parameters") : nullptr;
    std::vector<std::string> known;
    if (parameters != nullptr) {
        for (const YamlEntry &entry : parameters->entries) {
            known.push_back(entry.key);
        }
    }
    for (const SweepSetting &setting : member) {
        const std::vector<std::string> path = split_key_path(setting.key);
        if (path.size() < 3 || path[0] != "problem" || path[1] != "parameters" ||
            std::ranges::find(known, path[2]) != known.end()) {
            continue;
        }
        const auto is_unused = [&](const Diagnostic &warning) {
            return warning.position.line == setting.key_position.line &&
                   warning.position.column == setting.key_position.column;
        };
        if (std::ranges::any_of(findings.warnings(), is_unused)) {
            const std::string near = closest(path[2], known);
            findings.error(
                setting.key_position,
                fmt::format("sweep: there is no parameter '{}' in problem.parameters, and no "
                            "formula uses one{}",
                            path[2], near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
        }
    }
}

}  // namespace perdure
