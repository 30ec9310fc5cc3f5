// A YAML document as a plain tree of values: aliases are expanded, and every key and value has its position.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/failure.hpp"

namespace perdure {

struct YamlEntry;

struct YamlNode {
    enum class Kind { null, scalar, list, map };
    Kind kind = Kind::null;
    std::string text;   // scalar
    bool plain = true;  // scalar: written without quotes
    TextPosition position;
    std::vector<YamlNode> items;     // list
    std::vector<YamlEntry> entries;  // map: distinct keys, as first given

    /// The value under `key`; null pointer when this is no map or has no such key.
    [[nodiscard]] const YamlNode *find(const std::string &key) const;
    [[nodiscard]] YamlEntry *find_entry(const std::string &key);
};

struct YamlEntry {
    std::string key;
    bool plain_key = true;  // written without quotes
    TextPosition key_position;
    YamlNode value;
};

/// Most values of one document, those of an alias counted each time it is used.
inline constexpr std::size_t most_yaml_nodes = 100'000;

/// Gives the place of line and byte, both counted from 0.
using YamlPlace = std::function<TextPosition(std::size_t line, std::size_t byte)>;

/// Parses one document. Syntax errors, duplicate keys (with both places), keys that are no words, tags,
/// further documents and documents that are too large become findings. Returns nothing after a syntax error
/// or when `text` holds no document. `path`: key path of the document's root, empty for a whole file.
std::optional<YamlNode> parse_yaml(const std::string &text, const std::string &path, const YamlPlace &place,
                                   Findings &findings);

/// What a node is, for "found ...": `'text'` (shortened), `the quoted text "..."`, `a list`, `a map` or
/// `nothing`.
std::string describe(const YamlNode &node);

/// The text, cut to what fits a message.
std::string shorten(const std::string &text);

/// `parent.key`, or `key` at the root.
std::string join_path(const std::string &parent, const std::string &key);

}  // namespace perdure
