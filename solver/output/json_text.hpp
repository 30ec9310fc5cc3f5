// JSON as text. File names are bytes and may not be UTF-8, which JSON has no way to write: such bytes become U+FFFD.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace perdure {

/// The text of `json`; `indent` < 0: on one line. Never fails for the sake of a character.
template <typename Json>
std::string json_text(const Json &json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// A string as it comes back from JSON.
inline std::string through_json(const std::string &text) {
    return nlohmann::json::parse(json_text(nlohmann::json(text))).template get<std::string>();
}

}  // namespace perdure
