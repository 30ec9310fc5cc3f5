#include "solver/case_file/schema_of_keys.hpp"

#include "solver/case_file/config.hpp"

namespace perdure {

std::string_view last_part(std::string_view path) {
    return path.substr(path.rfind('.') + 1);  // npos + 1: all of it
}

std::vector<const CaseKey *> keys_below(std::string_view path) {
    std::vector<const CaseKey *> keys;
    for (const CaseKey &key : case_keys()) {
        const std::size_t dot = key.path.rfind('.');
        const std::string_view above = dot == std::string_view::npos ? "" : key.path.substr(0, dot);
        if (above == path) {
            keys.push_back(&key);
        }
    }
    return keys;
}

Json properties_below(std::string_view path, const std::function<Json(const CaseKey &)> &value) {
    Json map;
    for (const CaseKey *const key : keys_below(path)) {
        const Json schema = value(*key);
        const std::string word(last_part(key->path));
        if (schema.is_null()) {
            continue;
        }
        if (word == "SIDE") {
            for (const char *const side : side_names) {
                map["properties"][side] = schema;
            }
        } else if (word == "NAME" || word == "FIELD") {
            map["patternProperties"][std::string("^") + name_pattern + "$"] = schema;
        } else {
            map["properties"][word] = schema;
        }
    }
    if (!map.is_null()) {
        map["type"] = "object";
    }
    return map;
}

}  // namespace perdure
