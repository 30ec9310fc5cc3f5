// The axes of a sweep, each from its own form.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "solver/case_file/sweep.hpp"
#include "solver/case_file/yaml_reader.hpp"

namespace perdure {

/// Whether a key can be swept; a finding if not.
bool check_swept_key(const std::string &key, const TextPosition &position, Findings &findings);

/// The value with its numbers in their shortest form.
YamlNode in_shortest_form(YamlNode value);

/// A whole key of `sweep`, with its list or range: {from: 1, to: 100, count: 7, scale: log}. Nothing after a finding.
std::optional<SweepAxis> axis_of_key(const YamlEntry &entry, Findings &findings);

/// {KEY: [..], KEY: [..]}: lists and ranges of one length, side by side.
std::optional<SweepAxis> axis_of_zip(const YamlEntry &entry, Findings &findings);

/// {method: random, count: 100, seed: 1, keys: {KEY: {from: 1, to: 100, scale: log}, KEY: [..]}}
std::optional<SweepAxis> axis_of_sample(const YamlEntry &entry, Findings &findings);

/// {edges: [25, 50], most: 8}: cubes of the image whose shape `root` has as grid.shape.
std::optional<SweepAxis> axis_of_subvolumes(const YamlEntry &entry, const YamlNode &root, Findings &findings);

/// A file of comma-separated values: key paths in its first line, a member in each other one; an empty cell sets nothing.
std::optional<SweepAxis> axis_of_csv(const YamlEntry &entry, const std::filesystem::path &folder,
                                     Findings &findings);

/// [{KEY: value, ..}, ..]
std::optional<SweepAxis> axis_of_maps(const YamlNode &list, Findings &findings);

/// The axis, unless two of its values are the same, which is a finding: members are known by their values.
std::optional<SweepAxis> with_distinct_values(SweepAxis axis, Findings &findings);

/// A range of numbers.
struct SweepRange {
    double from = 0.0, to = 0.0;
    bool logarithmic = false;
    std::string units;  // behind each number, with a blank before them; empty: none

    /// At a part in [0, 1]; between the ends with 12 digits, so that every machine has the same values.
    [[nodiscard]] std::string text_at(double part) const;
};

/// `count`: gets the number of values where the range has one. Nothing after a finding.
std::optional<SweepRange> read_range(YamlMap &map);

/// A number as text at a place.
YamlNode number_node(std::string text, const TextPosition &position);

}  // namespace perdure
