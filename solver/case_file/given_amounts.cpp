#include "solver/case_file/given_amounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "solver/case_file/amount_text.hpp"
#include "solver/case_file/number_of_text.hpp"
#include "solver/equations/equation.hpp"

namespace perdure {
namespace {

/// Why units are refused that fit as such; empty: they are not.
std::string offset_mistake(const systems::UnitsInDetail &units, const UnitsOfTerm &of,
                           std::string_view type) {
    const auto is_named = [&](std::string_view unit) {
        return std::ranges::find(units.names, unit) != units.names.end();
    };
    const auto scale = std::ranges::find_if(
        units.names, [](const std::string &unit) { return unit == "degC" || unit == "degF"; });
    if (scale != units.names.end()) {
        return fmt::format("{} has an offset; write K, or a number without units", *scale);
    }
    const Equation *const equation = find_equation(type);
    const bool of_temperature =
        of.a == 0 && of.u == 1 && equation != nullptr && equation->may_be_of_temperature;
    if (of_temperature && (is_named("C") || is_named("F"))) {
        return fmt::format("{}, and degrees {} have an offset; write K, or a number without units",
                           is_named("C") ? "C is the coulomb" : "F is the farad",
                           is_named("C") ? "Celsius" : "Fahrenheit");
    }
    return "";
}

class GivenValues {
  public:
    GivenValues(std::string_view type, Findings &findings) : type_(type), findings_(findings) {}

    std::pair<std::vector<GivenAmount>, std::vector<PlainValue>> of(YamlNode &root) {
        if (YamlEntry *const problem = root.find_entry("problem")) {
            collect(problem->value, "problem.");
            if (YamlEntry *const velocity = problem->value.find_entry("velocity")) {
                for (std::size_t i = 0; i < velocity->value.items.size(); ++i) {
                    take(velocity->value.items[i], fmt::format("problem.velocity[{}]", i),
                         units_of_velocity(type_));
                }
            }
        }
        if (YamlEntry *const boundary = root.find_entry("boundary")) {
            for (YamlEntry &side : boundary->value.entries) {
                collect(side.value, "", fmt::format("boundary.{}.", side.key));
            }
        }
        return {std::move(amounts_), std::move(plain_)};
    }

  private:
    /// The values below a section whose keys begin with `prefix` in the table; `shown` stands before them in messages.
    void collect(YamlNode &section, std::string_view prefix, const std::string &shown = "") {
        for (const KeyWithUnits &key : keys_with_units()) {
            if (!key.path.starts_with(prefix) || key.path.starts_with("problem.") == prefix.empty()) {
                continue;
            }
            YamlNode *node = &section;
            std::string_view rest = key.path.substr(prefix.size());
            while (node != nullptr && !rest.empty()) {
                const std::string_view part = rest.substr(0, rest.find('.'));
                rest.remove_prefix(std::min(rest.size(), part.size() + 1));
                YamlEntry *const entry = node->find_entry(std::string(part));
                node = entry != nullptr ? &entry->value : nullptr;
            }
            if (node != nullptr) {
                take(*node, shown + std::string(key.path), key.of);
            }
        }
    }

    /// A number, that of a map {number: ..}, or those of labels.
    void take(YamlNode &node, const std::string &path, const UnitsOfTerm &composition) {
        for (YamlEntry &entry : node.entries) {
            if (entry.key == "number" || entry.key == "expression") {
                take(entry.value, fmt::format("{}.{}", path, entry.key), composition);
            } else if (entry.key == "dataset" && node.find("labels") == nullptr) {
                plain_.push_back({path, entry.value.text, composition});
            } else if (entry.key == "labels") {
                for (YamlEntry &label : entry.value.entries) {
                    const std::string of_label = fmt::format("{}.labels.{}", path, label.key);
                    take(label.value, of_label, composition);
                    for (YamlEntry &axis : label.value.entries) {
                        take(axis.value, fmt::format("{}.{}", of_label, axis.key), composition);
                    }
                }
            }
        }
        if (node.kind != YamlNode::Kind::scalar) {
            return;
        }
        const auto split = split_amount(node.text);
        if (split) {
            take_amount(node, *split, path, composition);
        } else if (number_of_text(node.text) != 0.0) {
            plain_.push_back({path, node.text, composition});
        }
    }

    /// A refused one becomes a number, too, so that nothing else is said of it.
    void take_amount(YamlNode &node, const AmountText &split, const std::string &path,
                     const UnitsOfTerm &composition) {
        const auto units = systems::read_units_in_detail(split.units);
        const std::string mistake = mistake_in_amount(node.text, split, units, composition);
        if (mistake.empty()) {
            amounts_.push_back({&node, path, split.number, *units, composition});
        } else {
            findings_.error(node.position, fmt::format("{}: {}", path, mistake));
            node.text = fmt::format("{}", split.number);
        }
    }

    [[nodiscard]] std::string mistake_in_amount(const std::string &text, const AmountText &split,
                                                const std::optional<systems::UnitsInDetail> &units,
                                                const UnitsOfTerm &composition) const {
        if (has_exponent_of_fortran(text)) {
            std::string meant = text;
            meant[meant.find_first_of("dD")] = 'e';
            return fmt::format("found '{}': write the number as {}", text, meant);
        }
        std::string reason = systems::mistake_in_units(split.units);
        if (reason.empty() && units) {
            reason = offset_mistake(*units, composition, type_);
        }
        if (reason.empty() && (!units || !units->unknown.empty())) {
            return fmt::format(
                "'{}' in '{}' is not made of units that perdure knows, such as W/(m K), mol/(m3 s), mm2/s "
                "and 1/h (perdure help units lists them); in a formula, write a product as a*b",
                units ? units->unknown.front() : split.units, text);
        }
        const Equation *const equation = find_equation(type_);
        if (reason.empty() && equation != nullptr && equation->no_units_at_sides != nullptr) {
            reason = equation->no_units_at_sides;
        }
        return reason.empty() ? "" : fmt::format("found '{}': {}", text, reason);
    }

    std::string_view type_;
    Findings &findings_;
    std::vector<GivenAmount> amounts_;
    std::vector<PlainValue> plain_;
};

}  // namespace

std::pair<std::vector<GivenAmount>, std::vector<PlainValue>> find_given_values(YamlNode &root,
                                                                               std::string_view type,
                                                                               Findings &findings) {
    return GivenValues(type, findings).of(root);
}

}  // namespace perdure
