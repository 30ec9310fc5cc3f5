// The keys of a sweep are paths of other keys.
#include "solver/case_file/renamed_keys.hpp"
#include "solver/case_file/schema_of_keys.hpp"

namespace perdure {
namespace {

/// What a sweep may set: paths as they stand in the table, and regular expressions where names are the case's own.
struct SweptKeys {
    Json paths = Json::object(), patterns = Json::object();
};

/// The path as a regular expression.
std::string pattern_of(std::string_view path) {
    std::string pattern;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        pattern += begin > 0 ? "\\." : "";
        pattern += part == "SIDE"                      ? "[xyz][+-]"
                   : part == "NAME" || part == "FIELD" ? name_pattern
                                                       : std::string(part);
        begin = end + 1;
    }
    return pattern;
}

/// Parts of a value that is a map: `problem.a.labels.0`, `boundary.all.flux`.
bool may_have_parts(std::string_view takes) {
    for (const std::string &phrase : alternatives(takes)) {
        if (phrase == "VALUE" || phrase.starts_with("as ") || phrase.starts_with("map of ")) {
            return true;
        }
    }
    return false;
}

SweptKeys swept_keys() {
    SweptKeys keys;
    for (const CaseKey &key : case_keys()) {
        const std::string path(key.path);
        if (path == "sweep" || path.starts_with("sweep.") || path.starts_with("VALUE.")) {
            continue;
        }
        const std::string pattern = pattern_of(path);
        if (pattern.find('[') == std::string::npos) {
            keys.paths[path] = reference_to(path);
        } else {
            keys.patterns["^" + pattern + "$"] = reference_to(path);
        }
        if (may_have_parts(key.takes)) {
            keys.patterns["^" + pattern + "\\..+$"] = Json::object();
        }
    }
    for (const RenamedKey &key : renamed_keys()) {
        keys.paths[key.old_path] = reference_to(key.new_path);
    }
    return keys;
}

/// {from: 1, to: 100, count: 7, scale: log}; a sample has one count for all of its ranges.
Json range(bool with_count) {
    Json schema = properties_below("sweep.NAME", [&](const CaseKey &key) {
        return with_count || last_part(key.path) != "count" ? reference_to(std::string(key.path))
                                                            : Json(nullptr);
    });
    schema["required"] = with_count ? Json::array({"from", "to", "count"}) : Json::array({"from", "to"});
    schema["additionalProperties"] = false;
    return schema;
}

/// Each key with a list of its values, or a range.
Json lists_or_ranges_of(const Json &values, const Json &range) {
    Json lists = Json::object();
    for (const auto &[key, value] : values.items()) {
        const Json list{{"type", "array"}, {"minItems", 1}, {"items", value}};
        lists[key] = {{"if", {{"type", "array"}}}, {"then", list}, {"else", range}};
    }
    return lists;
}

Json map_of_keys(const Json &paths, const Json &patterns) {
    return {{"type", "object"},
            {"properties", paths},
            {"patternProperties", patterns},
            {"additionalProperties", false}};
}

Json map_of_lists_or_ranges(const SweptKeys &keys, bool with_count) {
    const Json of_numbers = range(with_count);
    return map_of_keys(lists_or_ranges_of(keys.paths, of_numbers),
                       lists_or_ranges_of(keys.patterns, of_numbers));
}

}  // namespace

Json schema_of_sweep(std::string_view path) {
    if (path == "sweep.sample" || path == "sweep.subvolumes") {
        Json form =
            properties_below(path, [](const CaseKey &key) { return reference_to(std::string(key.path)); });
        form["required"] = path == "sweep.sample" ? Json::array({"count", "keys"}) : Json::array({"edges"});
        form["additionalProperties"] = false;
        return form;
    }
    if (path != "sweep" && path != "sweep.zip" && path != "sweep.sample.keys") {
        return nullptr;
    }
    const SweptKeys keys = swept_keys();
    Json map = map_of_lists_or_ranges(keys, path != "sweep.sample.keys");
    if (path != "sweep") {
        map["minProperties"] = 1;
        return map;
    }
    for (const char *const form : {"zip", "sample", "subvolumes", "file"}) {
        map["properties"][form] = reference_to(std::string("sweep.") + form);
    }
    const Json one_by_one{
        {"type", "array"}, {"minItems", 1}, {"items", map_of_keys(keys.paths, keys.patterns)}};
    return {{"anyOf", Json::array({Json{{"type", "null"}}, map, one_by_one})}};
}

}  // namespace perdure
