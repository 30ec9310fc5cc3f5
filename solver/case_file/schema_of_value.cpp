#include <array>
#include <cctype>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "solver/case_file/config.hpp"
#include "solver/case_file/schema_of_keys.hpp"

namespace perdure {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        depth += text[i] == '(' || text[i] == '[' || text[i] == '{' ? 1 : 0;
        depth -= text[i] == ')' || text[i] == ']' || text[i] == '}' ? 1 : 0;
        if (depth == 0 && text.substr(i).starts_with(separator)) {
            parts.emplace_back();
            i += separator.size();
        } else {
            parts.back() += text[i++];
        }
    }
    return parts;
}

Json list_of(const Json &items) {
    return {{"type", "array"}, {"items", items}};
}

/// One for each axis.
Json axes_of(const Json &items) {
    return {{"type", "array"}, {"items", items}, {"minItems", 1}, {"maxItems", 3}};
}

Json map_of(const std::string &pattern, const Json &values) {
    return {{"type", "object"},
            {"patternProperties", {{"^" + pattern + "$", values}}},
            {"additionalProperties", false}};
}

/// Any scalar: the reader takes `title: 12` as a text.
Json text() {
    return {{"type", {"string", "number", "boolean"}}, {"pattern", "\\S"}};
}

Json formula() {
    return {{"type", {"string", "number"}}, {"pattern", "\\S"}};
}

Json axes() {
    Json words = Json::array();
    for (const Axis axis : all_values<Axis>()) {
        words.push_back(name(axis));
    }
    return {{"type", "array"}, {"items", {{"enum", words}}}, {"minItems", 1}, {"uniqueItems", true}};
}

/// Or an expression of numbers, whose limits the reader looks at.
Json a_number(const char *type = "number") {
    return {{"type", {type, "string"}}, {"pattern", "[0-9]|pi"}};
}

Json a_positive_number() {
    Json number = a_number();
    number["exclusiveMinimum"] = 0;
    return number;
}

Json a_count() {
    Json number = a_number("integer");
    number["minimum"] = 1;
    return number;
}

Json an_index() {
    Json number = a_number("integer");
    number["minimum"] = 0;
    return number;
}

Json point() {
    const Json number = a_number();
    return {{"type", "object"},
            {"properties", {{"x", number}, {"y", number}, {"z", number}}},
            {"additionalProperties", false}};
}

/// Symmetric.
Json tensor() {
    Json schema = point();
    for (const char *const entry : {"xy", "xz", "yz"}) {
        schema["properties"][entry] = a_number();
    }
    return schema;
}

/// What stands in the table of keys as a whole, or between its commas.
const Json *find_phrase(const std::string &phrase) {
    static const std::map<std::string, Json> phrases{
        {"", Json::object()},
        {"VALUE", reference_to("VALUE")},
        {"FORMULA", formula()},
        {"as a side", reference_to("boundary.SIDE")},
        {"as boundary", reference_to("boundary")},
        {"expression in t", formula()},
        {"expression in x, y, z", formula()},
        {"file name", text()},
        {"folder", text()},
        {"formula", formula()},
        {"list of 1 to 3 whole numbers", axes_of(a_count())},
        {"list of 2 or 3 whole numbers", axes_of(a_count())},
        {"list of 2 or 3 whole numbers >= 0", axes_of(an_index())},
        {"list of whole numbers", list_of(a_count())},
        {"list of VALUE", axes_of(reference_to("VALUE"))},
        {"list of fields", list_of(text())},
        {"list of names", list_of(text())},
        {"list of times", list_of(a_positive_number())},
        {"list such as [x, z]", axes()},
        {"map of label to number or {x, y, z, xy, xz, yz}",
         map_of(label_pattern, {{"anyOf", Json::array({a_number(), tensor()})}})},
        {"map of x, y, z", point()},
        {"name of a side", {{"enum", side_names}}},
        {"path", text()},
        {"seconds", {{"type", "number"}, {"exclusiveMinimum", 0}}},
        {"text", text()},
        {"text such as 1h30m",
         {{"type", "string"}, {"pattern", "^([0-9.]+|([0-9]+h)?([0-9]+m)?([0-9]+s)?)$"}, {"minLength", 1}}},
    };
    const auto found = phrases.find(phrase);
    return found == phrases.end() ? nullptr : &found->second;
}

[[noreturn]] void refuse(const std::string &phrase) {
    throw std::logic_error(fmt::format("the schema does not know this kind of value: '{}'", phrase));
}

/// "number", "whole number > 0", "number in (0, 2)"; null for anything else.
Json number_of(std::string phrase) {
    Json schema;
    for (const auto &[word, type] : {std::pair{"whole number", "integer"}, {"number", "number"}}) {
        if (schema.is_null() && phrase.starts_with(word)) {
            schema = a_number(type);
            phrase.erase(0, std::string_view(word).size());
        }
    }
    if (schema.is_null() || phrase.empty()) {
        return schema;
    }
    const auto limit = [&](const char *const key, const std::string &number) {
        schema[key] = Json::parse(number);
    };
    if (phrase.starts_with(" >= ")) {
        limit("minimum", phrase.substr(4));
    } else if (phrase.starts_with(" > ")) {
        limit("exclusiveMinimum", phrase.substr(3));
    } else if (phrase.starts_with(" in ") && phrase.size() > 6) {
        const std::vector<std::string> ends = split(phrase.substr(5, phrase.size() - 6), ", ");
        if (ends.size() != 2) {
            refuse(phrase);
        }
        limit(phrase[4] == '[' ? "minimum" : "exclusiveMinimum", ends[0]);
        limit(phrase.back() == ']' ? "maximum" : "exclusiveMaximum", ends[1]);
    } else {
        refuse(phrase);
    }
    return schema;
}

/// "1 to 8"; null for anything else.
Json range_of(const std::string &phrase) {
    const std::vector<std::string> ends = split(phrase, " to ");
    if (ends.size() != 2 || ends[0].find_first_not_of("0123456789") != std::string::npos) {
        return nullptr;
    }
    Json number = a_number("integer");
    number["minimum"] = Json::parse(ends[0]);
    number["maximum"] = Json::parse(ends[1]);
    return number;
}

/// "map of name to number" and the like.
Json map_of_names(const std::string &phrase, const std::function<Json()> &map) {
    Json listed = map();
    if (!listed.is_null()) {
        return listed;
    }
    const std::size_t to = phrase.find(" to ");
    if (to == std::string::npos) {
        refuse(phrase);
    }
    const bool labels = phrase.starts_with("map of label ");
    return map_of(labels ? label_pattern : name_pattern, schema_of_value(phrase.substr(to + 4), {}));
}

bool is_word(const std::string &phrase) {
    return !phrase.empty() &&
           phrase.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

/// Null: the phrase is a word of an enumeration.
Json schema_of_phrase(const std::string &phrase, const Json &before, const std::function<Json()> &map) {
    if (const Json *const known = find_phrase(phrase)) {
        return *known;
    }
    if (phrase.starts_with("map") || phrase.starts_with("{")) {
        return map_of_names(phrase, map);
    }
    if (phrase == "one per axis") {
        return axes_of(before);
    }
    if (Json number = number_of(phrase); !number.is_null()) {
        return number;
    }
    if (Json range = range_of(phrase); !range.is_null()) {
        return range;
    }
    if (phrase.find_first_not_of("0123456789") == std::string::npos) {
        return {{"const", Json::parse(phrase)}};
    }
    if (!is_word(phrase)) {
        refuse(phrase);
    }
    return nullptr;
}

}  // namespace

Json reference_to(const std::string &definition) {
    return {{"$ref", "#/definitions/" + definition}};
}

std::vector<std::string> alternatives(std::string_view takes) {
    std::vector<std::string> parts;
    const auto add = [&](std::string part) {
        part.erase(0, part.starts_with("a ") ? 2 : part.starts_with("an ") ? 3 : 0);
        parts.push_back(std::move(part));
    };
    for (const std::string &part : split(takes, ", or ")) {
        if (find_phrase(part) != nullptr) {
            add(part);
            continue;
        }
        for (const std::string &smaller : split(part, ", ")) {
            for (const std::string &smallest : split(smaller, " or ")) {
                add(smallest);
            }
        }
    }
    return parts;
}

std::vector<std::string> words_of_value(std::string_view takes) {
    std::vector<std::string> words = alternatives(takes);
    std::erase_if(words, [](const std::string &phrase) {
        return !is_word(phrase) || !schema_of_phrase(phrase, {}, [] { return Json::object(); }).is_null();
    });
    return words;
}

Json schema_of_value(std::string_view takes, const std::function<Json()> &map) {
    Json words = Json::array(), any = Json::array();
    for (const std::string &phrase : alternatives(takes)) {
        Json schema = schema_of_phrase(phrase, any.empty() ? Json() : any.back(), map);
        if (schema.is_null()) {
            words.push_back(phrase);
        } else {
            any.push_back(std::move(schema));
        }
    }
    if (words == Json::array({"true", "false"})) {
        any.push_back(Json{{"type", "boolean"}});
    } else if (!words.empty()) {
        any.insert(any.begin(), Json{{"enum", words}});
    }
    return any.size() == 1 ? any.front() : Json{{"anyOf", any}};
}

}  // namespace perdure
