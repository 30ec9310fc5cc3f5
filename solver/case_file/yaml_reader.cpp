#include "solver/case_file/yaml_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/case_text.hpp"
#include "solver/case_file/config.hpp"
#include "solver/case_file/number_of_text.hpp"
#include "solver/case_file/other_words.hpp"
#include "solver/case_file/yaml_scalar.hpp"
#include "solver/in_words.hpp"

namespace perdure {
namespace {

std::string in_parentheses(const std::string &hint) {
    return hint.empty() ? "" : " (" + hint + ")";
}

std::string question(const std::string &suggestion) {
    return suggestion.empty() ? "" : fmt::format("; did you mean '{}'?", suggestion);
}

/// Why a scalar is no number, as far as it looks like one.
std::string number_hint(const YamlNode &node) {
    if (node.kind != YamlNode::Kind::scalar) {
        return {};
    }
    return mistake_in_number(node.text);
}

/// Each path is looked up once: the members of a sweep have the same ones.
void expect_listed(const std::string &path) {
    constexpr std::size_t most_kept = 10'000;  // names may be a case's own
    static thread_local std::unordered_set<std::string> listed;
    if (listed.count(path) > 0) {
        return;
    }
    if (listed_form(path).empty()) {
        throw std::logic_error("the reader asks for a key that case_keys.cpp does not list: " + path);
    }
    if (listed.size() < most_kept) {
        listed.insert(path);
    }
}

/// The path of a key in a section, by its last part; empty where there is none, or more than one.
std::string only_key_ending_with(const std::string &part) {
    std::string found;
    for (const CaseKey &key : case_keys()) {
        const std::size_t dot = key.path.find('.');
        if (dot != std::string_view::npos && key.path.substr(dot + 1) == part &&
            std::islower(key.path.front()) != 0) {
            if (!found.empty()) {
                return {};
            }
            found = key.path;
        }
    }
    return found;
}

/// Keys below a path, as ", such as {method: .., rtol: ..}"; empty where they are names that a case chooses.
std::string examples_of_keys(const std::string &path) {
    constexpr std::size_t most = 3;
    if (path.empty()) {
        return {};
    }
    const std::string form = listed_form(path) + ".";
    std::vector<std::string> keys;
    for (const CaseKey &key : case_keys()) {
        const std::string_view below = key.path.substr(std::min(form.size(), key.path.size()));
        if (key.path.starts_with(form) && !below.empty() && std::islower(below.front()) != 0 &&
            below.find('.') == std::string_view::npos && keys.size() < most) {
            keys.push_back(fmt::format("{}: ..", below));
        }
    }
    return keys.empty() ? "" : fmt::format(", such as {{{}}}", fmt::join(keys, ", "));
}

}  // namespace

YamlValue::YamlValue(const YamlNode &node, std::string path, TextPosition key_position, Findings &findings)
    : node_(&node), path_(std::move(path)), key_position_(std::move(key_position)), findings_(&findings) {}

const TextPosition &YamlValue::position() const {
    return node_->kind == YamlNode::Kind::null ? key_position_ : node_->position;
}

void YamlValue::error(const std::string &message) const {
    findings_->error(position(), path_.empty() ? message : path_ + ": " + message);
}

void YamlValue::expected(const std::string &what) const {
    error(fmt::format("expected {}, found {}", what, describe(*node_)));
}

std::optional<double> YamlValue::number(const std::string &what, bool (*accepts)(double)) const {
    const auto number = node_->kind == YamlNode::Kind::scalar ? number_of_text(node_->text) : std::nullopt;
    if (number && accepts(*number)) {
        return number;
    }
    error(
        fmt::format("expected {}, found {}{}", what, describe(*node_), in_parentheses(number_hint(*node_))));
    return std::nullopt;
}

std::optional<double> YamlValue::number() const {
    return number("a number", [](double) { return true; });
}

std::optional<std::int64_t> YamlValue::whole_number(std::int64_t low, std::int64_t high) const {
    const bool scalar = node_->kind == YamlNode::Kind::scalar;
    const auto number = scalar ? whole_number_of_text(node_->text) : std::nullopt;
    if (number && *number >= low && *number <= high) {
        return number;
    }
    const bool has_fraction =
        scalar && parse_number(node_->text) && node_->text.find_first_of(".eE") != std::string::npos;
    const std::string hint = has_fraction ? "write digits only" : number_hint(*node_);
    error(fmt::format("expected a whole number from {} to {}, found {}{}", low, high, describe(*node_),
                      in_parentheses(hint)));
    return std::nullopt;
}

std::vector<std::int64_t> YamlValue::whole_numbers(const std::string &what, std::int64_t low,
                                                   std::int64_t high) const {
    std::vector<std::int64_t> numbers;
    const auto items = list(what);
    for (const YamlValue &item : items.value_or(std::vector<YamlValue>{})) {
        if (const auto number = item.whole_number(low, high)) {
            numbers.push_back(*number);
        }
    }
    return items && numbers.size() == items->size() ? numbers : std::vector<std::int64_t>{};
}

std::optional<std::string> YamlValue::text(const std::string &what) const {
    if (node_->kind != YamlNode::Kind::scalar) {
        expected(what);
        return std::nullopt;
    }
    if (const TextDefect defect = find_text_defect(node_->text); !defect.message.empty()) {
        error(defect.message);
        return std::nullopt;
    }
    const std::size_t begin = node_->text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) {
        error(fmt::format("expected {}, found an empty text", what));
        return std::nullopt;
    }
    const std::size_t end = node_->text.find_last_not_of(" \t\r\n");
    return node_->text.substr(begin, end - begin + 1);
}

std::optional<std::vector<YamlValue>> YamlValue::list(const std::string &what) const {
    if (node_->kind != YamlNode::Kind::list) {
        expected(what);
        return std::nullopt;
    }
    std::vector<YamlValue> values;
    for (const YamlNode &item : node_->items) {
        values.emplace_back(item, fmt::format("{}[{}]", path_, values.size()), item.position, *findings_);
    }
    return values;
}

std::optional<std::size_t> YamlValue::word_index(const std::vector<std::string> &words) const {
    if (node_->kind != YamlNode::Kind::scalar) {
        expected(in_words(words, "or"));
        return std::nullopt;
    }
    const auto found = std::find(words.begin(), words.end(), node_->text);
    if (found == words.end()) {
        error(fmt::format("expected {}, found {}{}", in_words(words, "or"), describe(*node_),
                          question(meant(node_->text, words))));
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - words.begin());
}

std::optional<bool> YamlValue::truth() const {
    const auto index = word_index({"false", "true"});
    return index ? std::optional(*index == 1) : std::nullopt;
}

YamlMap::YamlMap(const YamlValue &value) : value_(value), is_map_(value.node().kind == YamlNode::Kind::map) {
    if (!is_map_) {
        value_.expected("a map of keys and values" + examples_of_keys(value_.path()));
    }
}

std::optional<YamlValue> YamlMap::take(const std::string &key) {
    known_.push_back(key);
    expect_listed(join_path(value_.path(), key));
    for (const YamlEntry &entry : value_.node().entries) {
        if (entry.key == key) {
            return YamlValue(entry.value, join_path(value_.path(), key), entry.key_position,
                             value_.findings());
        }
    }
    return std::nullopt;
}

std::optional<YamlValue> YamlMap::require(const std::string &key, const std::string &purpose) {
    auto found = take(key);
    const auto is_misspelled = [&](const YamlEntry &entry) {
        return meant(entry.key, {key}) == key && listed_form(join_path(value_.path(), entry.key)).empty();
    };
    if (!found && is_map_ &&
        std::ranges::none_of(value_.node().entries, is_misspelled)) {  // which finish() tells
        value_.findings().error(value_.key_position(),
                                fmt::format("missing key '{}': {}", join_path(value_.path(), key), purpose));
    }
    return found;
}

void YamlMap::refuse(const std::string &key, const std::string &reason) {
    refused_.insert(key);
    for (const YamlEntry &entry : value_.node().entries) {
        if (entry.key == key) {
            value_.findings().error(entry.key_position, join_path(value_.path(), key) + ": " + reason);
        }
    }
}

void YamlMap::finish() const {
    for (const YamlEntry &entry : value_.node().entries) {
        const auto &key = entry.key;
        if (refused_.count(key) > 0 || std::find(known_.begin(), known_.end(), key) != known_.end()) {
            continue;
        }
        std::string suggestion =  // a key without its section, as in --set rtol=1e-6
            value_.path().empty() ? only_key_ending_with(key) : "";
        if (suggestion.empty()) {
            suggestion = meant(key, known_);
        }
        if (suggestion.empty()) {  // which is refused then, with its reason
            suggestion = meant(key, {refused_.begin(), refused_.end()});
        }
        std::string advice = question(suggestion);
        if (suggestion.empty()) {
            const bool no_value = entry.value.kind == YamlNode::Kind::null;
            advice = no_value && key.find(':') != std::string::npos ? "; write a space after the colon"
                     : no_value && (parse_number(key) || key.ends_with(')'))
                         ? "; a comma begins the next key here: put a formula in quotes, and write a decimal "
                           "number with a point, as 0.5"
                         : fmt::format("; the keys allowed here are {}", fmt::join(known_, ", "));
        }
        value_.findings().error(
            entry.key_position,
            fmt::format("unknown key '{}'{}", shorten(join_path(value_.path(), key)), advice));
    }
}

}  // namespace perdure
