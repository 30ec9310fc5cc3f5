#include "solver/case_file/case_schema.hpp"

#include <fmt/format.h>

#include "solver/case_file/config.hpp"
#include "solver/case_file/overrides.hpp"
#include "solver/case_file/renamed_keys.hpp"
#include "solver/case_file/schema_of_keys.hpp"

namespace perdure {
namespace {

constexpr const char *value_path = "VALUE";

/// A default that stands for itself: a number, true or false, or one of the words that the key takes. Null for what is explained in words.
Json literal_default(const CaseKey &key) {
    const Json parsed = Json::parse(key.by_default, nullptr, false);
    if (parsed.is_number() || parsed.is_boolean()) {
        return parsed;
    }
    for (const std::string &phrase : alternatives(key.takes)) {
        if (phrase == key.by_default && phrase.find(' ') == std::string::npos) {
            return phrase;
        }
    }
    return nullptr;
}

/// A map whose keys have the definitions of the table's rows.
Json references_below(std::string_view path) {
    return properties_below(path, [](const CaseKey &key) { return reference_to(std::string(key.path)); });
}

Json definition_of(const CaseKey &key) {
    Json definition;
    std::string description(key.meaning);
    const Json by_default = literal_default(key);
    if (!by_default.is_null()) {
        definition["default"] = by_default;
    } else if (!key.by_default.empty() && !is_required(key)) {
        description += fmt::format("{}default: {}", description.empty() ? "" : "; ", key.by_default);
    }
    if (!description.empty()) {
        definition["description"] = description;
    }
    const auto map_below = [&] {
        Json map = references_below(key.path);
        if (!map.is_null()) {
            map["additionalProperties"] = false;
        }
        return map;
    };
    const Json of_sweep = schema_of_sweep(key.path);
    definition.update(of_sweep.is_null() ? schema_of_value(key.takes, map_below) : of_sweep);
    return definition;
}

/// A number, an expression or a map: one schema, so that editors name the key that is wrong.
Json definition_of_values() {
    Json value = references_below(value_path);
    value["type"] = {"number", "string", "object"};
    value["pattern"] = "\\S";
    value["additionalProperties"] = false;
    return value;
}

/// Old names and words, which the reader takes with a warning.
void add_old_words(Json &schema) {
    Json &compression = schema["definitions"]["output.compression"];
    const Json words{{"enum", compression["enum"]}};
    compression.erase("enum");
    compression["anyOf"] =
        Json::array({words, {{"const", "gzip"}, {"deprecationMessage", "the old word for fast"}}});
    for (const RenamedKey &key : renamed_keys()) {
        const std::string above = key.old_path.substr(0, key.old_path.rfind('.'));
        const std::string advice = fmt::format("the old name of {}", key.new_path);
        schema["definitions"][above]["properties"][std::string(last_part(key.old_path))] = {
            {"allOf", Json::array({reference_to(key.new_path)})},
            {"description", advice},
            {"deprecationMessage", advice}};
    }
}

}  // namespace

std::string case_schema() {
    Json schema{
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"$comment", "printed by `perdure schema`; `perdure validate` also checks what a schema cannot"},
        {"title", schema_title},
        {"type", "object"}};
    schema.update(references_below(""));
    schema["additionalProperties"] = false;
    Json definitions;
    definitions[value_path] = definition_of_values();
    for (const CaseKey &key : case_keys()) {
        definitions[std::string(key.path)] = definition_of(key);
    }
    const Json complete = completeness(definitions);
    schema["if"] = {{"properties", {{"sweep", {{"type", {"object", "array"}}}}}},
                    {"required", Json::array({"sweep"})}};
    schema["else"] = complete;
    schema["definitions"] = std::move(definitions);
    add_old_words(schema);
    return schema.dump(1) + "\n";
}

}  // namespace perdure
