// What the schema asks of a complete case: keys that are required, and those that its problem.type has.
#include <algorithm>
#include <array>

#include "solver/case_file/config.hpp"
#include "solver/case_file/schema_of_keys.hpp"
#include "solver/case_file/sections.hpp"
#include "solver/equations/equation.hpp"
#include "solver/methods/method_options.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure {
namespace {

/// Groups of keys of a map of which one is given whole; `alone`: no more than one.
struct Choice {
    std::string path;
    std::vector<std::vector<std::string>> groups;
    bool alone = true;
};

const std::vector<Choice> &choices() {
    static const std::vector<Choice> all = [] {
        const std::vector<std::vector<std::string>> values{{"number"}, {"expression"}, {"file", "dataset"}};
        Choice field{"problem.fields.FIELD", values, false};
        for (const CaseKey *const key : keys_below(field.path)) {
            field.groups.push_back({std::string(last_part(key->path))});
        }
        Choice side{"boundary.SIDE", {}};
        for (const CaseKey *const key : keys_below(side.path)) {
            side.groups.push_back({std::string(last_part(key->path))});
        }
        Choice integral{"watch.integrals.NAME", {}};
        for (const WatchedQuantity quantity : all_values<WatchedQuantity>()) {
            integral.groups.push_back({name(quantity)});
        }
        integral.groups.push_back({"flux"});
        return std::vector<Choice>{{"VALUE", values},
                                   field,
                                   side,
                                   integral,
                                   {"time.snapshots", {{"every"}, {"every_steps"}}},
                                   {"watch.probes.NAME", {{"x"}, {"from", "to", "points"}}},
                                   {"watch.probes.NAME.from", {{"x"}}},
                                   {"watch.probes.NAME.to", {{"x"}}}};
    }();
    return all;
}

/// Of maps alone.
Json one_of(const Choice &choice) {
    Json groups = Json::array();
    for (const std::vector<std::string> &group : choice.groups) {
        groups.push_back(Json{{"required", group}});
    }
    if (groups.size() == 1) {
        return groups.front();
    }
    return {{"if", {{"type", "object"}}}, {"then", {{choice.alone ? "oneOf" : "anyOf", groups}}}};
}

/// Keys of `solver` that none of the methods takes.
Json refused_by(const std::vector<SolverMethod> &methods) {
    const auto some = [&](const auto &takes) {
        return std::ranges::any_of(methods, [&](SolverMethod method) { return takes(options_of(method)); });
    };
    Json refused, preconditioners = Json::array();
    for (const Preconditioner word : all_values<Preconditioner>()) {
        if (some([&](const MethodOptions &method) { return method.takes(word); })) {
            preconditioners.push_back(name(word));
        }
    }
    refused["preconditioner"] = preconditioners.empty() ? Json(false) : Json{{"enum", preconditioners}};
    if (!some([](const MethodOptions &method) {
            return method.is_cycles || method.takes(Preconditioner::multigrid);
        })) {
        refused["multigrid"] = false;
    }
    if (!some([](const MethodOptions &method) { return method.takes_weight; })) {
        refused["weight"] = false;
    }
    if (!some([](const MethodOptions &method) { return method.takes_omega; })) {
        refused["omega"] = false;
    }
    return {{"properties", refused}};
}

/// Of `solver`: keys that belong to some methods. Without a method it is cg, or that of a velocity.
Json conditions_of_methods() {
    const Json is_named{{"required", Json::array({"method"})}};
    Json all = Json::array();
    all.push_back(
        Json{{"if", is_named}, {"else", refused_by({SolverConfig().method, method_for_velocity()})}});
    for (const SolverMethod method : all_values<SolverMethod>()) {
        Json is_method = is_named;
        is_method["properties"]["method"]["const"] = name(method);
        all.push_back(Json{{"if", is_method}, {"then", refused_by({method})}});
    }
    return {{"allOf", all}};
}

class Completeness {
  public:
    explicit Completeness(Json &definitions) : definitions_(definitions) {
        definitions_["complete.VALUE"] = conditions("VALUE", "");
    }

    /// A reference to what the value of a key has to hold; null: any that its type allows.
    Json of(const CaseKey &key) {
        const std::string name = "complete." + std::string(key.path);
        if (!definitions_.contains(name)) {
            const Json found = conditions(key.path, key.takes);
            if (found.is_null()) {
                return nullptr;
            }
            definitions_[name] = found;
        }
        return reference_to(name);
    }

    /// Of the keys below, but not of the map itself.
    Json below(std::string_view path) {
        Json map = properties_below(path, [&](const CaseKey &key) { return of(key); });
        if (!map.is_null()) {
            map.erase("type");
        }
        return map;
    }

  private:
    Json conditions(std::string_view path, std::string_view takes) {
        Json found = below(path);
        for (const CaseKey *const key : keys_below(path)) {
            if (is_required(*key) &&
                (path != "problem" || key->path == "problem.type")) {  // the rest by the type
                found["required"].push_back(last_part(key->path));
            }
        }
        for (const Choice &choice : choices()) {
            if (choice.path == path) {
                found.update(one_of(choice));
            }
        }
        if (path == "solver") {
            found.update(conditions_of_methods());
        }
        const bool has_keys = !keys_below(path).empty();
        for (const std::string &phrase : alternatives(takes)) {
            add_phrase(phrase, has_keys, found);
        }
        return found;
    }

    void add_phrase(const std::string &phrase, bool has_keys, Json &found) {
        const Json value = reference_to("complete.VALUE");
        if (phrase == "VALUE" && !has_keys) {
            found = value;
        } else if (phrase == "list of VALUE") {
            found["items"] = value;
        } else if (phrase == "as a side") {
            found = of(key_of("boundary.SIDE"));
        } else if (phrase == "as boundary") {
            found = of(key_of("boundary"));
        } else if (phrase.starts_with("map of ") && phrase != "map of x, y, z") {
            found["minProperties"] = 1;
            if (phrase.ends_with(" to VALUE")) {
                found["additionalProperties"] = value;
            }
        }
    }

    static const CaseKey &key_of(std::string_view path) {
        return *std::ranges::find(case_keys(), path, &CaseKey::path);
    }

    Json &definitions_;
};

/// Whether problems of this type have the key: as problem_section.cpp reads them.
bool has_key(const Equation &equation, const CaseKey &key) {
    const auto is_own = [&](const Equation &one) {
        return std::ranges::find(one.keys, key.path, &CaseKey::path) != one.keys.end();
    };
    const std::string_view word = last_part(key.path);
    if (word == "type" || is_own(equation)) {
        return true;
    }
    if (word == "tables") {
        return equation.of_case || equation.may_be_system;
    }
    if (equation.of_case || std::ranges::any_of(all_equations(), is_own)) {
        return false;
    }
    if (word == "velocity" || word == "convection") {
        return !equation.of_image && equation.no_velocity == nullptr;
    }
    if (word == "capacity") {
        return std::ranges::any_of(equation.fields,
                                   [](const EquationField &field) { return field.capacity != nullptr; });
    }
    return word == "a" || !equation.of_image;
}

Json conditions_of(const Equation &equation) {
    Json properties, problem, required = Json::array({"type"});
    for (const CaseKey *const key : keys_below("problem")) {
        const std::string word(last_part(key->path));
        if (!has_key(equation, *key)) {
            problem[word] = false;
        } else if (is_required(*key) && word != "type") {
            required.push_back(word);
        }
    }
    properties["problem"] = {{"properties", problem}, {"required", required}};
    Json conditions;
    if (equation.in_time) {
        conditions["required"] = Json::array({"time"});
    } else {
        properties["output"] = {{"properties", {{"series", false}, {"checkpoint", false}}}};
    }
    if (equation.no_time != nullptr) {
        properties["time"] = false;
    } else if (!equation.of_case) {
        Json words{{"dt", {{"type", {"number", "string"}}}}};
        if (!equation.may_be_system) {
            words["stop_when"] = false;
        }
        properties["time"] = {{"properties", words}};
    }
    if (equation.only_periodic != nullptr) {
        Json sides{{"all", {{"const", name(SideKind::periodic)}}}};
        for (const char *const side : side_names) {
            sides[side] = false;
        }
        properties["boundary"] = {{"properties", sides}};
    }
    if (!equation.of_case && !equation.may_be_system) {
        properties["watch"] = false;
    }
    conditions["properties"] = properties;
    return conditions;
}

/// Whether one of the values of an object satisfies a schema.
Json some_value(const Json &schema) {
    return {{"type", "object"}, {"not", {{"additionalProperties", {{"not", schema}}}}}};
}

Json with_key(const std::string &key, const Json &value) {
    return {{"type", "object"}, {"properties", {{key, value}}}, {"required", Json::array({key})}};
}

/// A grid has a shape, unless a coefficient is a dataset, which has one.
Json shape_or_data() {
    const Json dataset = with_key("file", Json::object());
    Json any = Json::array({with_key("coefficients", some_value(dataset))});
    for (const char *const key : coefficient_keys) {
        any.push_back(with_key(key, dataset));
    }
    const Json data = with_key("problem", {{"anyOf", any}});
    const Json shape = with_key("shape", Json::object());
    return {{"if", data}, {"else", {{"properties", {{"grid", shape}}}, {"required", Json::array({"grid"})}}}};
}

}  // namespace

Json completeness(Json &definitions) {
    Completeness completeness(definitions);
    Json whole = completeness.below("");
    whole["required"] = Json::array({"problem"});
    whole["allOf"] = Json::array({shape_or_data()});
    for (const Equation &equation : all_equations()) {
        const Json is_type{{"properties",
                            {{"problem",
                              {{"properties", {{"type", {{"const", name(equation.type)}}}}},
                               {"required", Json::array({"type"})}}}}},
                           {"required", Json::array({"problem"})}};
        whole["allOf"].push_back(Json{{"if", is_type}, {"then", conditions_of(equation)}});
    }
    return whole;
}

}  // namespace perdure
