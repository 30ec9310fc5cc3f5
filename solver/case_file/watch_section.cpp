#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "solver/case_file/formula_text.hpp"
#include "solver/case_file/sections.hpp"
#include "solver/case_file/system_section.hpp"
#include "solver/equations/equation.hpp"
#include "solver/formulas/names.hpp"
#include "solver/systems/system.hpp"
#include "solver/systems/watch.hpp"

namespace perdure {
namespace {

using Point = std::array<double, 3>;

void check_name(const YamlValue &value, const std::string &name) {
    const std::string why_not = formulas::why_not_a_name(name);
    if (!why_not.empty()) {
        value.findings().error(value.key_position(), fmt::format("{}: {}", value.path(), why_not));
    }
}

/// The name of a side, or the coordinate of a plane.
std::optional<FacesConfig> read_faces(const YamlValue &value, std::optional<int> dimensions) {
    FacesConfig faces;
    faces.position = value.position();
    const bool is_plane = value.node().kind == YamlNode::Kind::map;
    const std::string text =
        is_plane && value.node().entries.size() == 1 ? value.node().entries[0].key : value.node().text;
    const auto *const known = std::ranges::find_if(side_names, [&](const std::string &side) {
        return is_plane ? side.substr(0, 1) == text : side == text;
    });
    if (known == side_names.end()) {
        value.expected("a side, such as x+, or a plane, such as {x: 0.1}");
        return std::nullopt;
    }
    const auto side = static_cast<int>(known - side_names.begin());
    faces.axis = side / 2;
    faces.upper = is_plane || side % 2 == 1;
    if (dimensions && faces.axis >= *dimensions) {
        value.error(why_no_axis(*dimensions, is_plane ? "plane" : "side", text[0]));
        return std::nullopt;
    }
    if (is_plane) {
        YamlMap map(value);
        faces.plane = map.require(text, "the coordinate of the plane")->number();
        map.finish();
    }
    return faces;
}

/// What flows through faces, where the integral is one over faces. Without findings `through` is set.
bool read_flux(YamlMap &map, const SystemConfig &formulas, std::optional<int> dimensions,
               IntegralConfig &integral) {
    const auto flux = map.take("flux");
    const auto of = map.take("of");
    if (!flux) {
        if (of) {
            of->error("`of` says what flows through a side or plane; add the key flux, such as flux: x+");
        }
        return false;
    }
    const std::optional<FacesConfig> faces = read_faces(*flux, dimensions);
    if (!of && formulas.flux.empty()) {
        flux->error(fmt::format(
            "{}: `of` is missing, the vector that flows, such as {{flux: x+, of: D*grad(u)}}", flux->path()));
    } else if (faces) {
        integral.through = faces;
        integral.of = of ? read_formula(*of, "a vector, such as D*grad(u)")
                         : FormulaText{formulas.flux, flux->position()};
    }
    return true;
}

IntegralConfig read_integral(const std::string &name, const YamlValue &value, const SystemConfig &formulas,
                             std::optional<int> dimensions) {
    IntegralConfig integral;
    integral.name = name;
    integral.position = value.key_position();
    check_name(value, name);
    constexpr const char *one_of = "one of sum, mean, min, max, L1, L2, Linf and flux, such as {sum: u}";
    if (value.node().kind != YamlNode::Kind::map) {
        value.expected(one_of);
        return integral;
    }
    YamlMap map(value);
    const bool is_flux = read_flux(map, formulas, dimensions, integral);
    int given = is_flux ? 1 : 0;
    for (const WatchedQuantity quantity : all_values<WatchedQuantity>()) {
        if (const auto formula = map.take(perdure::name(quantity))) {
            integral.quantity = quantity;
            integral.of = read_formula(*formula, "a formula");
            ++given;
        }
    }
    if (const auto where = map.take("where")) {
        integral.where = read_formula(*where, "a condition, such as x < 1");
    }
    if (const auto units = map.take("units")) {
        integral.units = units->text("the units of the integral, such as kg").value_or("");
    }
    const std::size_t before = value.findings().size();
    map.finish();
    const bool has_unknown_key = value.findings().size() > before;  // perhaps the quantity, misspelled
    if (given > 1 || (given == 0 && !has_unknown_key)) {
        value.error(fmt::format("expected {}", one_of));
    }
    if (given != 1 || (is_flux && !integral.through)) {
        integral.through.reset();
        integral.of = {"0", integral.position};  // what is wrong has been said
    }
    return integral;
}

/// Coordinates by name: in a list it would not be seen which is which.
Point read_point(YamlMap &map, std::optional<int> dimensions) {
    Point point{0.0, 0.0, 0.0};
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
        const std::string key(1, "xyz"[axis]);
        if (dimensions && axis >= static_cast<std::size_t>(*dimensions)) {
            map.refuse(key, why_no_axis(*dimensions, "coordinate", key[0]));
        } else if (const auto value = map.require(key, "a coordinate of the point")) {
            point[axis] = value->number().value_or(0.0);
        }
    }
    return point;
}

Point read_end(YamlMap &map, const std::string &key, std::optional<int> dimensions, TextPosition &position) {
    const auto value = map.require(key, "an end of the line, such as {x: 0, y: 1}");
    if (!value) {
        return {0.0, 0.0, 0.0};
    }
    position = value->key_position();
    YamlMap coordinates(*value);
    const Point point = read_point(coordinates, dimensions);
    coordinates.finish();
    return point;
}

/// Names of fields, or a map of names to formulas.
void read_probed(const YamlValue &value, ProbeConfig &probe) {
    if (value.node().kind == YamlNode::Kind::map) {
        for (const auto &[name, formula] : entries_of(value, "a map of names to formulas")) {
            check_name(formula, name);
            probe.of.emplace_back(name, read_formula(formula, "a formula"));
        }
        return;
    }
    const auto items = value.list("a list of fields, such as [u], or a map of names to formulas");
    for (const YamlValue &item : items.value_or(std::vector<YamlValue>{})) {
        const FormulaText formula = read_formula(item, "the name of a field");
        const std::string why_not = formulas::why_not_a_name(formula.text);
        if (!why_not.empty()) {
            item.error("expected the name of a field; give a formula a name, as in {speed: abs(v)}");
        } else {
            probe.of.emplace_back(formula.text, formula);
        }
    }
}

ProbeConfig read_probe(const std::string &name, const YamlValue &value, std::optional<int> dimensions) {
    constexpr std::int64_t most_points = 1 << 20;
    ProbeConfig probe;
    probe.name = name;
    probe.position = probe.from_position = value.key_position();
    check_name(value, name);
    YamlMap map(value);
    if (map.has("from") || map.has("to") || map.has("points")) {
        probe.from = read_end(map, "from", dimensions, probe.from_position);
        probe.to = read_end(map, "to", dimensions, probe.to_position);
        const auto points = map.require("points", "the number of points on the line, including its ends");
        probe.points =
            static_cast<int>(points ? points->whole_number(2, most_points).value_or(2) : std::int64_t{2});
    } else {
        probe.from = read_point(map, dimensions);
    }
    if (const auto of = map.take("of")) {
        read_probed(*of, probe);
    }
    map.finish();
    return probe;
}

/// Refuses names of what is watched that stand beside the sections for them.
void refuse_names_without_section(const YamlNode &node, YamlMap &map) {
    constexpr std::array keys_of_places{"x", "y", "z", "from"};
    for (const YamlEntry &entry : node.entries) {
        if (entry.value.kind != YamlNode::Kind::map || entry.key == "integrals" || entry.key == "probes") {
            continue;
        }
        const bool has_place = std::ranges::any_of(
            keys_of_places, [&](const char *key) { return entry.value.find(key) != nullptr; });
        map.refuse(entry.key,
                   has_place
                       ? fmt::format("points and lines stand under probes: write watch: {{probes: {{{}: {{x: "
                                     "..}}}}}}",
                                     entry.key)
                       : fmt::format("what is summed up over cells or a side stands under integrals: write "
                                     "watch: {{integrals: {{{}: {{mean: u}}}}}}",
                                     entry.key));
    }
}

WatchConfig read_watch_map(const YamlValue &section, const SystemConfig &formulas,
                           std::optional<int> dimensions) {
    WatchConfig watch;
    watch.position = section.key_position();
    YamlMap map(section);
    if (const auto steps = map.take("every_steps")) {
        watch.every_steps = steps->whole_number(1, std::numeric_limits<std::int32_t>::max()).value_or(1);
    }
    if (const auto every = map.take("every")) {
        if (watch.every_steps > 0) {
            every->error("every_steps is also given; use only one of them");
        }
        watch.every = every->number("an interval of time > 0", [](double number) { return number > 0.0; })
                          .value_or(1.0);
    }
    if (const auto integrals = map.take("integrals")) {
        for (const auto &[name, value] : entries_of(*integrals, "a map of names, such as {mass: {sum: u}}")) {
            watch.integrals.push_back(read_integral(name, value, formulas, dimensions));
        }
    }
    if (const auto probes = map.take("probes")) {
        for (const auto &[name, value] :
             entries_of(*probes, "a map of names to points, such as {gauge: {x: 1, y: 2}}")) {
            watch.probes.push_back(read_probe(name, value, dimensions));
        }
    }
    refuse_names_without_section(section.node(), map);
    map.finish();
    return watch;
}

bool is_given(const WatchConfig &watch) {
    return watch.position.line > 0 || watch.every > 0.0 || watch.every_steps > 0;
}

/// Integrals of nothing, about which something has been said.
bool has_mistakes(const WatchConfig &watch) {
    return std::any_of(watch.integrals.begin(), watch.integrals.end(),
                       [](const IntegralConfig &integral) { return integral.of.text.empty(); });
}

}  // namespace

void read_watch(YamlMap &root, std::optional<int> dimensions, Config &config) {
    std::shared_ptr<const SystemConfig> &formulas = config.system ? config.system : config.watched_as;
    if (!formulas && equation_of(config.type).may_be_system) {
        (void)root.take("watch");  // what keeps the case from being one of formulas has been said
        return;
    }
    if (!formulas) {
        root.refuse("watch", "only problems of the types heat and system can be watched; remove the section");
        return;
    }
    if (const auto section = root.take("watch")) {
        SystemConfig watched = *formulas;
        watched.watch = read_watch_map(*section, *formulas, dimensions);
        formulas = std::make_shared<SystemConfig>(std::move(watched));
    }
}

void parse_watch(Config &config, Findings &findings) {
    const SystemConfig *const formulas = formulas_of(config);
    if (formulas == nullptr || formulas->fields.empty() || has_mistakes(formulas->watch)) {
        return;
    }
    try {
        const Grid grid = grid_of(config.grid);
        auto watch =
            systems::make_watch(*formulas, config.time ? config.time->stop_when : std::nullopt, grid);
        if (!watch && is_given(formulas->watch) && findings.size() == 0) {  // else perhaps misplaced
            findings.error(
                formulas->watch.position,
                "watch: the section names nothing to watch; give integrals or probes, or remove the section");
        }
        if (!watch || !config.formulas) {
            return;
        }
        auto system = std::make_shared<systems::System>(*config.formulas);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            system->reach[axis] = std::max(system->reach[axis], watch->reach[axis]);
        }
        system->watch = std::make_shared<systems::Watch>(std::move(*watch));
        config.formulas = std::move(system);
    } catch (const Failure &failure) {
        for (const Diagnostic &finding : failure.diagnostics()) {
            findings.error(finding.position, finding.message);
        }
    }
}

}  // namespace perdure
