// Translates the value descriptions of the key table into parts of the JSON Schema.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "solver/case_file/case_keys.hpp"

namespace perdure {

using Json = nlohmann::ordered_json;

/// Regular expressions of names that a case chooses, and of labels.
inline constexpr const char *name_pattern = "[A-Za-z_][A-Za-z0-9_]*";
inline constexpr const char *label_pattern = "[+-]?[0-9]+";

Json reference_to(const std::string &definition);

/// The parts of CaseKey::takes between ", or ", ", " and " or ", without articles: "auto, or a number > 0" has two.
std::vector<std::string> alternatives(std::string_view takes);

/// Those of them that a case gives as they stand: "auto", and not "a number > 0".
std::vector<std::string> words_of_value(std::string_view takes);

/// What a key takes. `map` makes the schema of a map with the keys that are listed below it, null where there are none. Throws
/// std::logic_error for words that it does not know.
Json schema_of_value(std::string_view takes, const std::function<Json()> &map);

/// The keys one level below `path`, of the whole file where that is empty.
std::vector<const CaseKey *> keys_below(std::string_view path);

/// The last part of a path.
std::string_view last_part(std::string_view path);

/// A map: each of the keys below `path` that `value` gives a schema; null: it gives none. SIDE becomes all sides, NAME and FIELD any name.
Json properties_below(std::string_view path, const std::function<Json(const CaseKey &)> &value);

/// What a complete case holds besides: a condition for each key of a map that has one, under the names complete.PATH of `definitions`.
/// Returns that of the whole file.
Json completeness(Json &definitions);

/// What `sweep` and its parts `zip` and `sample` take, whose keys are paths of all others. Null for other paths.
Json schema_of_sweep(std::string_view path);

}  // namespace perdure
