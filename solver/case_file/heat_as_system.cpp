#include "solver/case_file/heat_as_system.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "solver/case_file/sections.hpp"
#include "solver/case_file/time_tables.hpp"
#include "solver/formulas/tree.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure {
namespace {

/// A formula of texts that stand at places of their own.
class Composition {
  public:
    Composition &add(const std::string &text, const TextPosition &position) {
        if (formula_.text.empty()) {
            formula_.position = position;
        }
        formula_.pieces.push_back({static_cast<int>(formula_.text.size()), position});
        formula_.text += text;
        return *this;
    }
    [[nodiscard]] const FormulaText &formula() const { return formula_; }

  private:
    FormulaText formula_;
};

/// Whether it names u, t or a table of values in time.
bool varies(const ValueSource &source, const std::vector<TimeTable> &tables) {
    if (source.kind != ValueSource::Kind::expression) {
        return false;
    }
    try {
        const formulas::Node tree = formulas::parse(source.expression);
        const std::vector<const formulas::Node *> names = formulas::names_in(tree);
        return std::any_of(names.begin(), names.end(), [&](const formulas::Node *node) {
            return node->name == "u" || node->name == "t" ||
                   std::ranges::find(tables, node->name, &TimeTable::name) != tables.end();
        });
    } catch (const formulas::FormulaError &) {
        return false;  // what is wrong is said where it is sampled
    }
}

bool is_number(const ValueSource &source, double number) {
    return source.kind == ValueSource::Kind::number && source.number == number && source.time_factor.empty();
}

class HeatWriter {
  public:
    /// `in_cells`: expressions are coefficients of each cell, as heat has them, also where formulas of sides name them.
    HeatWriter(const Config &heat, const Findings &findings, bool in_cells)
        : heat_(heat), findings_(findings), in_cells_(in_cells) {}

    /// Names a value of the equation, which formulas then know: a part, or a coefficient of each cell.
    void name_value(const std::string &name, const ValueSource &source, bool in_cells) {
        if (source.kind == ValueSource::Kind::number || (is_text(source) && !in_cells)) {
            system_.parts.emplace_back(name, text_of(source));
            return;
        }
        ValueSource of_cells = source;
        of_cells.time_factor.clear();
        const bool scaled = !source.time_factor.empty();
        system_.coefficients.emplace_back(scaled ? name + "_in_cells" : name, std::move(of_cells));
        if (scaled) {
            system_.parts.emplace_back(name, Composition()
                                                 .add(name + "_in_cells*(", source.position)
                                                 .add(source.time_factor + ")", source.position)
                                                 .formula());
        }
    }

    SystemConfig write() {
        SystemField u;
        u.name = "u";
        u.position = heat_.a.position;
        u.initial = heat_.initial;
        u.exact = heat_.exact;
        for (std::size_t i = 0; i < heat_.sides.size(); ++i) {
            u.sides[i] = side(heat_.sides[i]);
        }
        name_value("a", heat_.a,
                   in_cells_ || !varies(heat_.a, heat_.tables));  // at sides that of the cell, as heat has it
        std::string rate = "div(a*grad(u))";
        if (!is_number(heat_.sigma, 0.0)) {
            name_value("sigma", heat_.sigma, in_cells_);
            rate += " - sigma*u";
        }
        if (!is_number(heat_.f, 0.0)) {
            name_value("f", heat_.f, in_cells_);
            rate += " + f";
        }
        if (!is_number(heat_.capacity, 1.0)) {
            name_value("capacity", heat_.capacity, in_cells_);
            rate = fmt::format("({})/capacity", rate);
        }
        u.rate.text = rate + convection();
        u.rate.position = heat_.a.position;
        system_.fields.push_back(std::move(u));
        system_.flux = "a*grad(u)";
        add_tables(heat_.tables, system_);
        return std::move(system_);
    }

  private:
    static bool is_text(const ValueSource &source) {
        return source.kind == ValueSource::Kind::number || source.kind == ValueSource::Kind::expression;
    }

    /// The place of the expression's first character, where it stands on the line that the value begins on.
    [[nodiscard]] TextPosition place_of(const ValueSource &source) const {
        TextPosition place = source.position;
        const auto line = static_cast<std::size_t>(std::max(place.line, 1)) - 1;
        if (place.line > 0 && line < findings_.lines().size()) {
            const auto start = static_cast<std::size_t>(std::max(place.column, 1)) - 1;
            const std::size_t found = findings_.lines()[line].find(source.expression, start);
            place.column = found == std::string::npos ? place.column : static_cast<int>(found) + 1;
        }
        return place;
    }

    [[nodiscard]] FormulaText text_of(const ValueSource &source) const {
        const bool number = source.kind == ValueSource::Kind::number;
        const std::string text = number ? fmt::format("{}", source.number) : source.expression;
        const TextPosition place = number ? source.position : place_of(source);
        if (source.time_factor.empty()) {
            return {text, place};
        }
        return Composition()
            .add("(", source.position)
            .add(text, place)
            .add(")*(", source.position)
            .add(source.time_factor + ")", source.position)
            .formula();
    }

    /// du/dn of what is given as a du/dn.
    [[nodiscard]] FormulaText divided_by_a(const ValueSource &source) const {
        if (is_number(source, 0.0)) {
            return {"0", source.position};
        }
        const FormulaText above = text_of(source);
        Composition composed;
        composed.add("(", source.position);
        if (above.pieces.empty()) {
            composed.add(above.text, above.position);
        } else {
            composed.add(above.text, source.position);
        }
        return composed.add(")/a", source.position).formula();
    }

    [[nodiscard]] SystemSide side(const SideConfig &of) const {
        SystemSide made;
        made.kind = of.kind;
        if (of.kind == SideKind::flux) {
            made.values = divided_by_a(of.values);
        } else if (of.kind != SideKind::periodic) {
            made.values = text_of(of.values);
            made.coefficient = divided_by_a(of.coefficient);
        }
        return made;
    }

    /// - v . grad u
    std::string convection() {
        if (!heat_.velocity) {
            return {};
        }
        std::string components;
        for (int axis = 0; axis < heat_.velocity->dimensions; ++axis) {
            const std::string name = fmt::format("v{}", "xyz"[axis]);
            name_value(name, heat_.velocity->components[axis], in_cells_);
            components += (axis > 0 ? ", " : "") + name;
        }
        return heat_.velocity->convection == Convection::upwind
                   ? fmt::format(" - upwind(({}), u)", components)
                   : fmt::format(" - dot(({}), grad(u))", components);
    }

    const Config &heat_;
    const Findings &findings_;
    bool in_cells_;
    SystemConfig system_;
};

}  // namespace

bool needs_formulas(const Config &config) {
    if (config.velocity) {
        return true;
    }
    for (const ValueSource *const source : {&config.a, &config.sigma, &config.capacity, &config.f}) {
        if (varies(*source, config.tables)) {
            return true;
        }
    }
    return std::any_of(config.sides.begin(), config.sides.end(), [&](const SideConfig &side) {
        return varies(side.values, config.tables) || varies(side.coefficient, config.tables);
    });
}

namespace {

/// Whether formulas can say what holds at the sides; if not, a finding says why.
bool sides_are_formulas(const Config &config, Findings &findings) {
    for (std::size_t i = 0; i < config.sides.size(); ++i) {
        for (const ValueSource *const source : {&config.sides[i].values, &config.sides[i].coefficient}) {
            if (source->kind == ValueSource::Kind::dataset || source->kind == ValueSource::Kind::labels) {
                findings.error(
                    source->position,
                    fmt::format(
                        "boundary.{}: heat that is watched, that has a velocity, or whose values depend on "
                        "u or t cannot read the values of a side from a file; give a number or an expression",
                        side_names[i]));
                return false;
            }
        }
    }
    return true;
}

}  // namespace

void watch_heat(Config &config, Findings &findings) {
    if (sides_are_formulas(config, findings)) {
        config.watched_as = std::make_shared<SystemConfig>(HeatWriter(config, findings, true).write());
    }
}

void make_system_of_heat(std::optional<int> dimensions, Config &config, Findings &findings) {
    if (config.velocity && !has_component_for_each_axis(*config.velocity, dimensions, findings)) {
        return;
    }
    if (!sides_are_formulas(config, findings)) {
        return;
    }
    if (config.sources_in_solids == SourcesInSolids::ignore) {
        findings.error(
            config.f.position,
            "problem.sources_in_solids: heat with a velocity, or values that depend on u or t, or "
            "watched, is stepped in every cell, solid or not; make f 0 where nothing is to happen");
    }
    const bool in_cells = !needs_formulas(config);  // it is only watched
    config.system = std::make_shared<SystemConfig>(HeatWriter(config, findings, in_cells).write());
    config.type = ProblemType::system;
    config.velocity.reset();
    config.exact.reset();
    for (ValueSource *const source : {&config.a, &config.sigma, &config.f, &config.initial}) {
        *source = ValueSource::of_number(0.0);
    }
    config.capacity = ValueSource::of_number(1.0);
    for (SideConfig &side : config.sides) {
        SideConfig plain;
        plain.kind = side.kind == SideKind::periodic ? SideKind::periodic : SideKind::flux;
        plain.position = side.position;
        side = plain;
    }
}

}  // namespace perdure
