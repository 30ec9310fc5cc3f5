// `sweep:`: one case file that stands for many cases.
//
//   sweep: {solver.rtol: [1e-6, 1e-8], problem.a: {from: 1, to: 100, count: 3, scale: log}}     every combination, the last key fastest
//   sweep: {zip: {grid.shape: [[8, 8], [16, 16]], grid.spacing: [0.2, 0.1]}}                    side by side
//   sweep: {sample: {method: latin_hypercube, count: 20, seed: 1, keys: {problem.a: {from: 1, to: 2}}}}
//   sweep: {subvolumes: {edges: [25, 50], most: 8}}                                             cubes within an image
//   sweep: {file: values.csv}                                                                   a row each
//   sweep: [{solver.rtol: 1e-6}, {solver.rtol: 1e-8, title: fine}]                              one by one
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// Most members of one sweep.
inline constexpr std::size_t most_sweep_members = 1'000'000;

/// What one member sets: key.path and value, with their places in the case file.
struct SweepSetting {
    std::string key;
    TextPosition key_position;
    YamlNode value;
};
using SweepMember = std::vector<SweepSetting>;

/// A part of a sweep that takes its values one after the other, whatever the other parts do.
struct SweepAxis {
    std::size_t size = 0;
    std::vector<std::pair<std::string, TextPosition>> keys;  // that its values set, all of them or some
    std::function<SweepMember(std::size_t)> values;
};

/// Makes its members when they are asked for: a sweep takes no more memory than its lists do.
class Sweep {
  public:
    /// Without an axis one member that sets nothing.
    explicit Sweep(std::vector<SweepAxis> axes = {});

    [[nodiscard]] bool is_there() const { return !axes_.empty(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Of every combination of the axes' values, the last axis fastest.
    [[nodiscard]] SweepMember member(std::size_t index) const;
    [[nodiscard]] const std::vector<SweepAxis> &axes() const { return axes_; }

  private:
    std::vector<SweepAxis> axes_;
    std::size_t size_ = 1;
};

/// Takes `sweep` out of the case's tree. One member that sets nothing when there is no such key, when it is empty or cannot be read.
/// `folder`: that of the case file, from which the sweep names files. Numbers get their shortest form: 1.0e-3 and 0.001 are one value.
Sweep take_sweep(YamlNode &root, const std::filesystem::path &folder, Findings &findings);

/// A finding where --set names what the sweep sets: it would be lost.
void check_set_keys(const Sweep &sweep, const std::vector<std::string> &overrides, Findings &findings);

/// Sets the values of a member in the case's tree.
void apply_member(YamlNode &root, const SweepMember &member, Findings &findings);

/// Once a member is read: a finding for a parameter of a system that the sweep alone names, and no formula, which makes all members the same.
/// A warning has its place then.
void refuse_unused_parameters(const YamlNode &without_sweep, const SweepMember &member, Findings &findings);

}  // namespace perdure
