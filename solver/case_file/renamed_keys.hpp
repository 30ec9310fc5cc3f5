// Renamed keys of case files: the old name is still accepted, with a warning.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/sweep.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

struct RenamedKey {
    std::string old_path, new_path;  // key.path; both may differ in every part
    std::int64_t format;             // of case files, in which the key got its new name
};

/// The keys renamed so far.
const std::vector<RenamedKey> &renamed_keys();

/// Moves each value under an old key to its new one, with a warning. An error where both are given.
void rename_keys(YamlNode &root, const std::vector<RenamedKey> &renamed, Findings &findings);

/// The same for the keys that a member of a sweep sets.
void rename_keys(SweepMember &member, const std::vector<RenamedKey> &renamed, Findings &findings);

/// The same for --set key.path=value texts.
std::vector<std::string> rename_keys(std::vector<std::string> overrides,
                                     const std::vector<RenamedKey> &renamed, Findings &findings);

}  // namespace perdure
