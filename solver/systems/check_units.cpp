#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/formulas/walk.hpp"
#include "solver/systems/units.hpp"

namespace perdure::systems {
namespace {

using formulas::Node;
using formulas::NodeKind;

/// Of a value: not known; a number as it is written, which fits all units in a sum; units.
struct Measure {
    enum class Kind { unknown, number, units };
    Kind kind = Kind::unknown;
    Units units;
};

const Measure number{Measure::Kind::number, {}}, pure{Measure::Kind::units, {}};

Measure power_of(const Measure &of, double power) {
    Measure result{of.kind, {}};
    for (const auto &[name, exponent] : of.units) {
        result.units[name] = power * exponent;
    }
    return result;
}

Measure product(const Measure &a, const Measure &b) {
    if (a.kind == Measure::Kind::unknown || b.kind == Measure::Kind::unknown) {
        return {};
    }
    Measure result{std::max(a.kind, b.kind), a.units};
    for (const auto &[name, exponent] : b.units) {
        result.units[name] += exponent;
    }
    std::erase_if(result.units, [](const auto &unit) { return std::fabs(unit.second) < 1.0e-9; });
    return result;
}

Measure per(const Measure &of, const char *unit, double power = 1.0) {
    return product(of, {Measure::Kind::units, {{unit, -power}}});
}

/// Such as 2, 0.5 and 1/3. Others, such as 9.81, may have units that nobody wrote.
Measure of_a_number(double value) {
    const double twelfths = 12.0 * std::fabs(value);
    return twelfths == std::floor(twelfths) && twelfths <= 192.0 ? number : Measure{};
}

class UnitsCheck {
  public:
    UnitsCheck(const SystemConfig &config, const Symbols &symbols, int dimensions, FormulaFindings &findings)
        : config_(config), symbols_(symbols), dimensions_(dimensions), findings_(findings) {}

    void run() {
        for (const SystemField &field : config_.fields) {
            fields_.push_back(given(field.units, field.position));
        }
        for (const auto &[name, value] : config_.parameters) {
            const auto units = config_.parameter_units.find(name);
            const auto position = config_.parameter_positions.find(name);
            parameters_.push_back(
                given(units == config_.parameter_units.end() ? "" : units->second,
                      position == config_.parameter_positions.end() ? TextPosition{} : position->second));
        }
        for (const Part &part : symbols_.parts()) {
            parts_.push_back(measure(part.text, part.tree));
        }
        for (std::size_t i = 0; i < config_.fields.size(); ++i) {
            check_field(config_.fields[i], fields_[i]);
        }
    }

  private:
    Measure given(const std::string &text, const TextPosition &position) {
        if (text.empty()) {
            return {};
        }
        if (const std::optional<Units> units = read_units(text)) {
            return {Measure::Kind::units, *units};
        }
        const std::string mistake = mistake_in_units(text);
        findings_.warn({text, position}, 0,
                       fmt::format("cannot read the units '{}'; {}", shorten(text),
                                   mistake.empty() ? "write them like mol/m3 or kg m-1 s-2" : mistake));
        return {};
    }

    void check_field(const SystemField &field, const Measure &units) {
        expect(field.rate, per(units, "s"), fmt::format("the rate of '{}'", field.name));
        if (field.initial.kind == ValueSource::Kind::expression) {
            expect({field.initial.expression, field.initial.position}, units, fmt::format("'{}'", field.name),
                   true);
        }
        for (int side = 0; side < 2 * dimensions_; ++side) {
            const SystemSide &of = field.sides[side];
            if (of.kind == SideKind::periodic) {
                continue;
            }
            const bool flux = of.kind == SideKind::flux;
            expect(of.values, flux ? per(units, "m") : units,
                   flux ? fmt::format("d{}/dn", field.name)
                        : fmt::format("the value of '{}' at a side", field.name),
                   true);
            if (of.kind == SideKind::exchange) {
                expect(of.coefficient, per(pure, "m"), "the coefficient of an exchange side");
            }
        }
    }

    void expect(const FormulaText &text, const Measure &needed, const std::string &what,
                bool numbers_fit = false) {  // a value without units, as exp(-x^2), is one in those needed
        Node tree;
        FormulaFindings known;
        if (!parse_formula(text, tree, known)) {
            return;
        }
        const Measure found = measure(text, tree);
        if (found.kind == Measure::Kind::units && needed.kind == Measure::Kind::units &&
            found.units != needed.units && !(numbers_fit && found.units == pure.units)) {
            findings_.warn(text, 0,
                           fmt::format("inconsistent units: {} has the units {}, but this has {}", what,
                                       to_text(needed.units), to_text(found.units)));
        }
    }

    Measure measure(const FormulaText &text, const Node &tree) {
        text_ = &text;
        known_.clear();
        const std::vector<const Node *> nodes = formulas::all_nodes(tree);
        std::for_each(nodes.rbegin(), nodes.rend(),  // what stands in brackets before its call
                      [&](const Node *node) { known_[node] = measure_of(*node); });
        return known_.at(&tree);
    }

    Measure measure_of(const Node &node) {
        if (node.kind == NodeKind::number) {
            return of_a_number(node.number);
        }
        if (node.kind == NodeKind::name) {
            return measure_of_name(node.name);
        }
        return node.kind == NodeKind::vector ? same(node, 0, node.children.size()) : measure_of_call(node);
    }

    Measure measure_of_name(const std::string &name) const {
        const Symbol *const symbol = symbols_.find(name);
        if (symbol == nullptr) {
            return {};
        }
        switch (symbol->kind) {
            case Symbol::Kind::number:
                return number;
            case Symbol::Kind::field:
                return fields_[symbol->index];
            case Symbol::Kind::parameter:
                return parameters_[symbol->index];
            case Symbol::Kind::part:
                return static_cast<std::size_t>(symbol->index) < parts_.size() ? parts_[symbol->index]
                                                                               : Measure{};
            case Symbol::Kind::coordinate:  // numbers beside them have units: sin(2*pi*x)
            case Symbol::Kind::time:
            case Symbol::Kind::coefficient:
                break;
        }
        return {};
    }

    [[nodiscard]] const Measure &argument(const Node &node, std::size_t child) const {
        return known_.at(&node.children[child]);
    }

    Measure measure_of_call(const Node &node) {
        const std::string &name = node.name;
        const auto is_one_of = [&](std::initializer_list<const char *> names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        const Measure &first = argument(node, 0);
        if (is_one_of({"+", "-", "min", "max", "sum", "avg", "mod"})) {
            return same(node, 0, node.children.size());
        }
        if (name == "if") {
            return same(node, 1, 3);
        }
        if (is_one_of({"<", "<=", ">", ">=", "==", "!=", "atan2"})) {
            (void)same(node, 0, 2);
            return pure;
        }
        if (is_one_of({"and", "or", "not", "sign"})) {
            return pure;
        }
        if (is_one_of({"*", "dot", "/"})) {
            return product(first, power_of(argument(node, 1), name == "/" ? -1.0 : 1.0));
        }
        if (name == "sqrt") {
            return power_of(first, 0.5);
        }
        if (name == "^" || name == "pow") {
            return power(node);
        }
        if (is_one_of({"lap", "dxx", "dyy", "dzz"})) {
            return per(first, "m", 2.0);
        }
        if (is_one_of({"dx", "dy", "dz", "grad", "div"})) {
            return per(first, "m");
        }
        if (name == "upwind") {
            return per(product(first, argument(node, 1)), "m");
        }
        if (name == "conserve") {
            return per(same(node, 0, node.children.size() - node.behind_semicolon), "m");
        }
        if (is_one_of({"negate", "abs", "floor", "ceil", "round", "rint"})) {
            return first;
        }
        if (name == "random") {
            return number;
        }
        if (name == "noise") {
            return {Measure::Kind::units, {{"m", -0.5 * dimensions_}, {"s", -0.5}}};
        }
        need_pure(node, 0);
        return pure;
    }

    /// Of equal units; a warning where two of them differ.
    Measure same(const Node &node, std::size_t begin, std::size_t end) {
        Measure result = argument(node, begin);
        std::size_t from = begin;
        for (std::size_t i = begin + 1; i < end; ++i) {
            const Measure &next = argument(node, i);
            if (result.kind == Measure::Kind::units && next.kind == Measure::Kind::units &&
                result.units != next.units) {
                findings_.warn(*text_, node.children[i].begin,
                               fmt::format("inconsistent units: '{}' has the units {}, but '{}' has {}",
                                           excerpt(node.children[from]), to_text(result.units),
                                           excerpt(node.children[i]), to_text(next.units)));
                return {};
            }
            if (next.kind == Measure::Kind::units ||
                (next.kind == Measure::Kind::unknown && result.kind == Measure::Kind::number)) {
                result = next;
                from = i;
            }
        }
        return result;
    }

    Measure power(const Node &node) {
        const Node *exponent = &node.children[1];
        const bool negative = exponent->kind == NodeKind::call && exponent->name == "negate";
        exponent = negative ? exponent->children.data() : exponent;
        if (exponent->kind == NodeKind::number) {
            return power_of(argument(node, 0), negative ? -exponent->number : exponent->number);
        }
        need_pure(node, 1);
        return argument(node, 0).units.empty() ? argument(node, 0) : Measure{};
    }

    void need_pure(const Node &node, std::size_t child) {
        const Measure &found = argument(node, child);
        if (found.kind == Measure::Kind::units && !found.units.empty()) {
            findings_.warn(*text_, node.children[child].begin,
                           fmt::format("inconsistent units: {} must have no units, but '{}' has the units {}",
                                       child == 0 ? node.name + "()" : "an exponent",
                                       excerpt(node.children[child]), to_text(found.units)));
        }
    }

    [[nodiscard]] std::string excerpt(const Node &node) const {
        return shorten(text_->text.substr(node.begin, node.end - node.begin));
    }

    const SystemConfig &config_;
    const Symbols &symbols_;
    int dimensions_;
    FormulaFindings &findings_;
    std::vector<Measure> fields_, parameters_, parts_;
    const FormulaText *text_ = nullptr;
    std::map<const Node *, Measure> known_;
};

}  // namespace

void warn_of_units(const SystemConfig &config, const Symbols &symbols, int dimensions,
                   FormulaFindings &findings) {
    const bool given = !config.parameter_units.empty() ||
                       std::any_of(config.fields.begin(), config.fields.end(),
                                   [](const SystemField &field) { return !field.units.empty(); });
    if (given) {
        UnitsCheck(config, symbols, dimensions, findings).run();
    }
}

}  // namespace perdure::systems
