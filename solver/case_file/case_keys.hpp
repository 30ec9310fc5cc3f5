// Every key of a case file: its values, its default and its meaning.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace perdure {

/// In paths `SIDE` stands for x-, x+, y-, y+, z- and z+, `FIELD` and `NAME` for names that a case chooses, and `VALUE` for a key whose value may be a number, an expression or a map.
struct CaseKey {
    std::string_view path;
    std::string_view takes;
    std::string_view by_default;  // "required"; empty: what it describes is off without it
    std::string_view meaning;
};

/// Whether the map that it belongs to must have it, where the equation of the case has this key at all.
constexpr bool is_required(const CaseKey &key) {
    return key.by_default == "required";
}

/// In the order of a case file. The reader takes no key that is not listed (YamlMap::take), `perdure new` copies the comments of its
/// starting case from here, and `perdure keys` prints inputs/REFERENCE.md.
std::span<const CaseKey> case_keys();

/// The listed form of a path such as `boundary.x-.exchange.ambient.file`, which is `VALUE.file`. Empty where there is no such key.
std::string listed_form(const std::string &path);

/// `text` with each `#@ PATH` at the end of a line replaced by a comment: what the key takes and means.
std::string with_comments(const std::string &text);

/// The table of all keys as Markdown.
std::string case_reference();

}  // namespace perdure
