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
        if (path == "sweep" || path.starts_with("VALUE.")) {
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

Json lists_of(const Json &values) {
    Json lists = Json::object();
    for (const auto &[key, value] : values.items()) {
        lists[key] = {{"type", "array"}, {"minItems", 1}, {"items", value}};
    }
    return lists;
}

Json map_of_keys(const Json &paths, const Json &patterns) {
    return {{"type", "object"},
            {"properties", paths},
            {"patternProperties", patterns},
            {"additionalProperties", false}};
}

}  // namespace

Json schema_of_sweep() {
    const SweptKeys keys = swept_keys();
    Json any = Json::array({{{"type", "null"}}});
    any.push_back(map_of_keys(lists_of(keys.paths), lists_of(keys.patterns)));
    any.push_back(
        Json{{"type", "array"}, {"minItems", 1}, {"items", map_of_keys(keys.paths, keys.patterns)}});
    return {{"anyOf", any}};
}

}  // namespace perdure
