// Typed, strict access to the values of a YAML tree. A value of the wrong type becomes a finding and reads as absent.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/yaml_tree.hpp"
#include "solver/enum_names.hpp"

namespace perdure {

/// A value together with its key path and the findings that its errors go to.
class YamlValue {
  public:
    YamlValue(const YamlNode &node, std::string path, TextPosition key_position, Findings &findings);

    [[nodiscard]] const YamlNode &node() const { return *node_; }
    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] const TextPosition &key_position() const { return key_position_; }
    [[nodiscard]] Findings &findings() const { return *findings_; }

    /// Place of the value; of its key where the value is empty.
    [[nodiscard]] const TextPosition &position() const;

    /// Reports `path: message` at the value.
    void error(const std::string &message) const;
    /// Reports `path: expected WHAT, found ...` at the value.
    void expected(const std::string &what) const;

    /// A finite number that `accepts` takes; `what` describes it.
    [[nodiscard]] std::optional<double> number(const std::string &what, bool (*accepts)(double)) const;
    [[nodiscard]] std::optional<double> number() const;

    /// A whole number in [low, high].
    [[nodiscard]] std::optional<std::int64_t> whole_number(std::int64_t low, std::int64_t high) const;

    /// A list of them; empty, and a finding, where it is no list or holds something else. `what` describes the list.
    [[nodiscard]] std::vector<std::int64_t> whole_numbers(const std::string &what, std::int64_t low,
                                                          std::int64_t high) const;

    /// true or false.
    [[nodiscard]] std::optional<bool> truth() const;

    /// Text that is not empty and holds no control characters. `what` describes it.
    [[nodiscard]] std::optional<std::string> text(const std::string &what) const;

    /// The entries of a list, as values `path[i]`; nothing when this is no list. `what` describes the list.
    [[nodiscard]] std::optional<std::vector<YamlValue>> list(const std::string &what) const;

    /// A value of `Choice` by its name.
    template <HasNames Choice>
    [[nodiscard]] std::optional<Choice> word() const {
        return word(all_values<Choice>());
    }

    /// One of these by its name.
    template <HasNames Choice, std::size_t count>
    [[nodiscard]] std::optional<Choice> word(const std::array<Choice, count> &choices) const {
        std::vector<std::string> words;
        words.reserve(count);
        for (const Choice choice : choices) {
            words.emplace_back(name(choice));
        }
        const auto index = word_index(words);
        return index ? std::optional(choices[*index]) : std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<std::size_t> word_index(const std::vector<std::string> &words) const;

    const YamlNode *node_;
    std::string path_;
    TextPosition key_position_;
    Findings *findings_;
};

/// A map whose keys are asked for one by one; those that nobody asked for are reported by finish().
class YamlMap {
  public:
    /// Reports `value` if it is no map; then it has no keys.
    explicit YamlMap(const YamlValue &value);

    [[nodiscard]] const YamlValue &value() const { return value_; }
    [[nodiscard]] bool has(const std::string &key) const { return value_.node().find(key) != nullptr; }

    /// The value under `key`, if it is there.
    std::optional<YamlValue> take(const std::string &key);

    /// The same; its absence is reported at the map's key. `purpose`: what has to be given.
    std::optional<YamlValue> require(const std::string &key, const std::string &purpose);

    /// Reports `key` if it is there: `path.key: reason`.
    void refuse(const std::string &key, const std::string &reason);

    /// Reports each key that was not asked for, with the closest that was.
    void finish() const;

  private:
    YamlValue value_;
    bool is_map_;
    std::vector<std::string> known_;
    std::set<std::string> refused_;
};

}  // namespace perdure
