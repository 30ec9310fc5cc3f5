#include "solver/case_file/coefficient_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/case_file/number_of_text.hpp"
#include "solver/case_file/units_of_terms.hpp"
#include "solver/formulas/functions.hpp"
#include "solver/systems/units.hpp"

namespace perdure {
namespace {

using systems::Units;
using systems::UnitsInDetail;

void multiply_units(Units &units, const Units &more, double power) {
    for (const auto &[name, exponent] : more) {
        units[name] += power * exponent;
        if (units[name] == 0.0) {
            units.erase(name);
        }
    }
}

struct GivenAmount {
    YamlNode *node;
    std::string path;
    double number;
    UnitsInDetail units;
    UnitsOfTerm composition;
};

/// A number and, behind it, a text that is no part of a formula.
struct NumberAndWords {
    double number;
    std::string words;
};

std::optional<NumberAndWords> split_amount(const std::string &text) {
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool begins = is_letter(text[i]) && !is_letter(text[i - 1]);
        const bool inverse =
            text[i] == '1' && text[i - 1] == ' ' && i + 1 < text.size() && text[i + 1] == '/';
        if (!begins && !inverse) {
            continue;
        }
        const std::size_t last = text.find_last_not_of(" \t", i - 1);
        const auto number = number_of_text(text.substr(0, last == std::string::npos ? 0 : last + 1));
        std::string words = text.substr(i);
        const std::string first(words.begin(), std::ranges::find_if_not(words, is_letter));
        const bool of_formula = first == "and" || first == "or" || first.starts_with('e') ||
                                formulas::find_built_in(first) != nullptr;
        if (number && !of_formula) {
            return NumberAndWords{*number, std::move(words)};
        }
    }
    return std::nullopt;
}

/// Whether a mass stands in it by its own name, not within a unit of energy, force or the like.
bool names_mass(const UnitsInDetail &units) {
    return std::ranges::any_of(units.names, [](const std::string &name) { return name.ends_with('g'); });
}

class CoefficientConversion {
  public:
    CoefficientConversion(const DeclaredUnits &declared, Findings &findings)
        : declared_(declared), findings_(findings) {}

    void run(YamlNode &root) {
        YamlEntry *const problem = root.find_entry("problem");
        if (problem == nullptr) {
            return;
        }
        const YamlNode *const type = problem->value.find("type");
        const std::string_view word = type != nullptr ? std::string_view(type->text) : std::string_view();
        collect(problem->value, "problem.");
        if (YamlEntry *const velocity = problem->value.find_entry("velocity")) {
            for (std::size_t i = 0; i < velocity->value.items.size(); ++i) {
                take(velocity->value.items[i], fmt::format("problem.velocity[{}]", i),
                     units_of_velocity(word == name(ProblemType::heat)));
            }
        }
        if (YamlEntry *const boundary = root.find_entry("boundary")) {
            for (YamlEntry &side : boundary->value.entries) {
                collect(side.value, "", fmt::format("boundary.{}.", side.key));
            }
        }
        const bool has_capacity = problem->value.find("capacity") != nullptr;
        a_ = units_of_a(word, has_capacity);
        is_diffusivity_ = word == name(ProblemType::heat) && !has_capacity;
        if (check()) {
            convert();
        }
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
            if (entry.key == "number") {
                take(entry.value, path + ".number", composition);
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
        const auto split = node.kind == YamlNode::Kind::scalar ? split_amount(node.text) : std::nullopt;
        if (!split) {
            return;
        }
        const auto units = systems::read_units_in_detail(split->words);
        if (!units || !units->unknown.empty()) {
            findings_.error(node.position,
                            fmt::format("{}: '{}' in '{}' is not made of units that perdure knows, such as "
                                        "W/(m K), mol/(m3 s), mm2/s and 1/h",
                                        path, units ? units->unknown.front() : split->words, node.text));
            return;
        }
        amounts_.push_back({&node, path, split->number, *units, composition});
    }

    /// Finds the units of a and u from values that tell them, and compares those of all values that then can be compared.
    bool check() {
        bool good = true;
        std::vector<const GivenAmount *> open;
        for (const GivenAmount &amount : amounts_) {
            open.push_back(&amount);
        }
        std::ranges::stable_sort(open, {},
                                 [](const GivenAmount *amount) {  // those that are a or u alone first
                                     return amount->composition.others.size();
                                 });
        for (bool found = true; found;) {
            found = false;
            std::erase_if(open, [&](const GivenAmount *amount) {
                const bool needs_a = amount->composition.a != 0 && !a_;
                const bool needs_u = amount->composition.u != 0 && !u_;
                if (needs_a && needs_u) {
                    return false;
                }
                Units rest = amount->units.units;
                multiply_units(rest, amount->composition.others, -1.0);
                if (amount->composition.a != 0 && a_) {
                    multiply_units(rest, *a_, -1.0);
                }
                if (amount->composition.u != 0 && u_) {
                    multiply_units(rest, *u_, -1.0);
                }
                if (needs_a || needs_u) {
                    (needs_a ? a_ : u_) = rest;
                    found = true;
                } else if (!rest.empty()) {
                    good = false;
                    tell_of_units(*amount, rest);
                }
                if (needs_a || needs_u) {
                    sources_.push_back(amount);
                }
                return true;
            });
        }
        return good;
    }

    /// `excess`: of the value's units over those that fit.
    void tell_of_units(const GivenAmount &amount, const Units &excess) {
        Units expected = amount.units.units;
        multiply_units(expected, excess, -1.0);
        std::string reason;
        for (const GivenAmount *const source : sources_) {
            reason += fmt::format("{}{} ('{}')", reason.empty() ? ", which follow from " : " and ",
                                  source->path, source->node->text);
        }
        reason += is_diffusivity_ ? "; without problem.capacity, a of heat is a diffusivity" : "";
        findings_.error(amount.node->position,
                        fmt::format("{}: found '{}', in units of {}; expected units of {}{}", amount.path,
                                    amount.node->text, systems::to_text(amount.units.units),
                                    systems::to_text(expected), reason));
    }

    /// The power of a base unit that the numbers of a case in joules, or in kilograms, leave.
    [[nodiscard]] static double power_of(const GivenAmount &amount, const char *unit, bool by_energy) {
        const auto power = [&](const char *name) {
            const auto found = amount.units.units.find(name);
            return found == amount.units.units.end() ? 0.0 : found->second;
        };
        const double joules_for_kilograms = std::string_view(unit) == "m" ? -2.0 : 2.0;  // kg = J s2 / m2
        return power(unit) + (by_energy ? joules_for_kilograms * power("kg") : 0.0);
    }

    void convert() {
        const auto has_mass = [](const GivenAmount &amount) { return amount.units.units.contains("kg"); };
        const auto by_mass = std::ranges::find_if(amounts_, [&](const GivenAmount &amount) {
            return has_mass(amount) && names_mass(amount.units);
        });
        const auto by_energy = std::ranges::find_if(amounts_, [&](const GivenAmount &amount) {
            return has_mass(amount) && !names_mass(amount.units);
        });
        const bool as_declared = declared_.length.value_or(LengthUnit::m) == LengthUnit::m &&
                                 declared_.time.value_or(TimeUnit::s) == TimeUnit::s;
        if (by_mass != amounts_.end() && by_energy != amounts_.end() && !as_declared) {
            findings_.error(
                by_mass->node->position,
                fmt::format("{}: '{}' names a mass and {} ('{}') an energy or force; with lengths and "
                            "times other than m and s, give all values with one of these",
                            by_mass->path, by_mass->node->text, by_energy->path, by_energy->node->text));
        }
        for (GivenAmount &amount : amounts_) {
            systems::UnitFactor factor = amount.units.factor;
            const double lengths = power_of(amount, "m", by_energy != amounts_.end());
            const double times = power_of(amount, "s", by_energy != amounts_.end());
            if ((lengths != 0.0 && !declared_.length) || (times != 0.0 && !declared_.time)) {
                findings_.error(
                    amount.node->position,
                    fmt::format(
                        "{}: found '{}', and the case does not say in which units its lengths and times "
                        "are: write units: {{length: m, time: s}} at the top, say, and all numbers of the "
                        "case in such units",
                        amount.path, amount.node->text));
            }
            divide(factor, declared_.length ? name(*declared_.length) : "m", lengths);
            divide(factor, declared_.time ? name(*declared_.time) : "s", times);
            amount.node->text = fmt::format("{}", scaled(amount.number, factor));
        }
    }

    static void divide(systems::UnitFactor &factor, const std::string &unit, double power) {
        const systems::UnitFactor of_unit = systems::read_units_in_detail(unit)->factor;
        for (std::size_t prime = 0; prime < factor.size(); ++prime) {
            factor[prime] -= power * of_unit[prime];
        }
    }

    static double scaled(double number, const systems::UnitFactor &factor) {
        constexpr std::array primes{2.0, 3.0, 5.0};
        double many = 1.0, parts = 1.0;
        for (std::size_t i = 0; i < primes.size(); ++i) {
            (factor[i] > 0.0 ? many : parts) *= std::pow(primes[i], std::abs(factor[i]));
        }
        return number * many / parts;
    }

    const DeclaredUnits &declared_;
    Findings &findings_;
    std::vector<GivenAmount> amounts_;
    std::optional<Units> a_, u_;
    bool is_diffusivity_ = false;               // a of heat
    std::vector<const GivenAmount *> sources_;  // that told the units of a and u
};

}  // namespace

void convert_units_of_coefficients(YamlNode &root, const DeclaredUnits &declared, Findings &findings) {
    CoefficientConversion(declared, findings).run(root);
}

}  // namespace perdure
