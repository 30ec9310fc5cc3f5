#include "solver/output/case_differences.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/yaml_tree.hpp"

namespace perdure {
namespace {

using Values = std::map<std::string, std::string>;

void gather(const YamlNode &node, const std::string &path, Values &values) {
    if (node.kind == YamlNode::Kind::map) {
        for (const YamlEntry &entry : node.entries) {
            gather(entry.value, join_path(path, entry.key), values);
        }
    } else if (node.kind == YamlNode::Kind::list && node.items.empty()) {
        values[path] = "[]";  // as output.fields, where it is not the same as no list
    } else if (node.kind == YamlNode::Kind::list) {
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            gather(node.items[i], fmt::format("{}[{}]", path, i), values);
        }
    } else {
        values[path] = node.kind == YamlNode::Kind::null ? "nothing" : node.text;
    }
}

/// Every value of a case by its key.
Values values_of_case(const std::string &as_read) {
    Findings findings("the case", {});
    Values values;
    const auto tree = parse_yaml(
        as_read, "", [](std::size_t, std::size_t) { return TextPosition(); }, findings);
    if (tree) {
        gather(*tree, "", values);
    }
    return values;
}

std::string value_in_words(const Values &values, const std::string &key) {
    const auto found = values.find(key);
    return found == values.end() ? "not given" : "'" + shorten(found->second) + "'";
}

}  // namespace

std::vector<ValueDifference> differences(const std::string &before, const std::string &now) {
    const Values old_values = values_of_case(before), new_values = values_of_case(now);
    std::set<std::string> keys;
    for (const Values &values : {old_values, new_values}) {
        for (const auto &[key, value] : values) {
            keys.insert(key);
        }
    }
    std::vector<ValueDifference> found;
    for (const std::string &key : keys) {
        const std::string is = value_in_words(new_values, key), was = value_in_words(old_values, key);
        if (is != was) {
            found.push_back({key, fmt::format("{} is now {} and was {}", key, is, was)});
        }
    }
    return found;
}

std::string in_words(const std::vector<ValueDifference> &differences) {
    constexpr std::size_t most_told = 8;
    std::vector<std::string> told;
    for (std::size_t i = 0; i < std::min(most_told, differences.size()); ++i) {
        told.push_back(differences[i].text);
    }
    if (differences.size() > most_told) {
        told.push_back(fmt::format("and {} more", differences.size() - most_told));
    }
    return fmt::format("{}", fmt::join(told, "; "));
}

}  // namespace perdure
