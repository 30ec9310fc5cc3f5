// `sweep:`: one case file that stands for many cases.
//
//   sweep: {solver.rtol: [1e-6, 1e-8], grid.shape: [[64, 64], [128, 128]]}     every combination, the last key fastest
//   sweep: [{solver.rtol: 1e-6}, {solver.rtol: 1e-8, title: fine}]             one by one
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// Most members of one sweep.
inline constexpr std::size_t most_sweep_members = 10'000;

/// What one member sets: key.path and value, with their places in the case file.
struct SweepSetting {
    std::string key;
    TextPosition key_position;
    YamlNode value;
};
using SweepMember = std::vector<SweepSetting>;

/// Takes `sweep` out of the case's tree. One member that sets nothing when there is no such key or it is empty.
std::vector<SweepMember> take_sweep(YamlNode &root, Findings &findings);

/// A finding where --set names what the sweep sets: it would be lost.
void check_set_keys(const std::vector<SweepMember> &members, const std::vector<std::string> &overrides,
                    Findings &findings);

/// Sets the values of a member in the case's tree.
void apply_member(YamlNode &root, const SweepMember &member, Findings &findings);

}  // namespace perdure
