#include "solver/case_file/coefficient_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/case_file/given_amounts.hpp"
#include "solver/case_file/stated_units.hpp"
#include "solver/case_file/units_of_terms.hpp"
#include "solver/equations/equation.hpp"
#include "solver/systems/units.hpp"

namespace perdure {
namespace {

using systems::multiply_units;
using systems::Units;
using systems::UnitsInDetail;

class CoefficientConversion {
  public:
    CoefficientConversion(const DeclaredUnits &declared, Findings &findings)
        : declared_(declared), findings_(findings) {}

    UnitsOfValues run(YamlNode &root) {
        const YamlNode *const problem = root.find("problem");
        const YamlNode *const type = problem != nullptr ? problem->find("type") : nullptr;
        if (problem == nullptr) {
            return {};
        }
        type_ = type != nullptr ? type->text : "";
        std::tie(amounts_, plain_) = find_given_values(root, type_, findings_);
        const bool has_capacity = problem->find("capacity") != nullptr;
        a_ = units_of_a(type_, has_capacity);
        const Equation *const equation = find_equation(type_);
        is_diffusivity_ = a_ && equation->fields.front().capacity != nullptr;
        if (amounts_.empty() || !check()) {
            return {};
        }
        convert();
        return told();
    }

  private:
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

    [[nodiscard]] bool are_si() const {
        return declared_.length.value_or(LengthUnit::m) == LengthUnit::m &&
               declared_.time.value_or(TimeUnit::s) == TimeUnit::s;
    }

    [[nodiscard]] const GivenAmount *first_that_keeps(Kept kept) const {
        const auto found = std::ranges::find_if(
            amounts_, [&](const GivenAmount &amount) { return kept_of(amount.units) == kept; });
        return found == amounts_.end() ? nullptr : &*found;
    }

    /// A problem without time has no other numbers in units of time: seconds are assumed.
    [[nodiscard]] bool knows_unit_of_time() const {
        const Equation *const equation = find_equation(type_);
        return declared_.time || (equation != nullptr && !equation->in_time);
    }

    void convert() {
        const GivenAmount *const by_mass = first_that_keeps(Kept::mass), *const by_energy =
                                                                             first_that_keeps(Kept::energy);
        if (by_mass != nullptr && by_energy != nullptr && !are_si()) {
            findings_.error(
                by_mass->node->position,
                fmt::format("{}: '{}' is in units of a mass and {} ('{}') of an energy or force; with "
                            "lengths and times other than m and s, give all values with one of these",
                            by_mass->path, by_mass->node->text, by_energy->path, by_energy->node->text));
        }
        for (GivenAmount &amount : amounts_) {
            const PowersOfLengthAndTime powers =
                powers_of_length_and_time(amount.units.units, kept_of(amount.units));
            has_times_ = has_times_ || powers.time != 0.0;
            if ((powers.length != 0.0 && !declared_.length) ||
                (powers.time != 0.0 && !knows_unit_of_time())) {
                findings_.error(
                    amount.node->position,
                    fmt::format(
                        "{}: found '{}', and the case does not say in which units its lengths and times "
                        "are: write units: {{length: m, time: s}} at the top, say, and all numbers of the "
                        "case in such units",
                        amount.path, amount.node->text));
            }
            amount.node->text = fmt::format("{}", in_declared_units(amount.number, amount.units, declared_));
        }
    }

    /// Of values without units only where numbers depend on those of length and time.
    [[nodiscard]] UnitsOfValues told() const {
        const Kept kept = first_that_keeps(Kept::energy) != nullptr ? Kept::energy : Kept::mass;
        UnitsOfValues told;
        if (has_times_ && !declared_.time) {
            told.assumed.emplace_back("units.time s");
        }
        if (u_) {
            told.u = text_in_declared_units(*u_, declared_, kept);
            told.assumed.push_back("u in " + told.u);
        }
        if (a_ && u_) {
            Units flux = *a_;
            multiply_units(flux, *u_, 1.0);
            multiply_units(flux, {{"m", 1.0}}, -1.0);
            told.flux = text_in_declared_units(flux, declared_, kept);
            told.assumed.push_back("flux in " + told.flux);
        }
        for (const PlainValue &value : plain_) {
            const UnitsOfTerm &of = value.composition;
            if (are_si() || (of.a != 0 && !a_) || (of.u != 0 && !u_ && of.a == 0)) {
                continue;
            }
            Units units = of.others;
            multiply_units(units, a_.value_or(Units{}), of.a);
            multiply_units(units, u_.value_or(Units{}), of.u);
            told.assumed.push_back(fmt::format("{}: {} {}{}", value.path, value.text,
                                               of.u != 0 && !u_ ? "times the units of u times " : "",
                                               text_in_declared_units(units, declared_, kept)));
        }
        return told;
    }

    const DeclaredUnits &declared_;
    Findings &findings_;
    std::string type_;  // the word of problem.type
    std::vector<GivenAmount> amounts_;
    std::vector<PlainValue> plain_;
    bool has_times_ = false;
    std::optional<Units> a_, u_;
    bool is_diffusivity_ = false;               // a of heat
    std::vector<const GivenAmount *> sources_;  // that told the units of a and u
};

}  // namespace

UnitsOfValues convert_units_of_coefficients(YamlNode &root, const DeclaredUnits &declared,
                                            Findings &findings) {
    return CoefficientConversion(declared, findings).run(root);
}

}  // namespace perdure
