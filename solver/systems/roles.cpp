#include "solver/systems/roles.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/system_setup.h"
#include "solver/formulas/to_text.hpp"
#include "solver/formulas/tree.hpp"
#include "solver/systems/arrange.hpp"

namespace perdure::systems {
namespace {

constexpr std::array<int, 3> nowhere_else{0, 0, 0};

void add_fields_at_sides(const System &system, int field, std::set<int> &fields) {
    std::vector<int> roots;
    for (const SystemSideTerms &side : system.sides_of[field]) {
        for (const int root : {side.values, side.coefficient}) {
            if (root >= 0) {
                roots.push_back(root);
            }
        }
    }
    const std::vector<char> needed = needed_terms(system.sides, roots);
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (needed[i] != 0 && system.sides.terms()[i].operation == Operation::FIELD) {
            fields.insert(system.sides.terms()[i].index);
        }
    }
}

/// Fields that the rate of a field depends on.
std::set<int> fields_read(const System &system, int rate) {
    std::set<int> fields;
    const std::vector<char> needed = needed_terms(system.rates, {rate});
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const Term &term = system.rates.terms()[i];
        if (needed[i] != 0 && term.operation == Operation::FIELD) {
            fields.insert(term.index);
            if (term.offset != nowhere_else) {
                add_fields_at_sides(system, term.index, fields);
            }
        }
    }
    return fields;
}

/// The fields that hang together with `first`, each with the half that it belongs to.
class Halves {
  public:
    Halves(const std::vector<std::set<int>> &neighbours, std::vector<int> &half)
        : neighbours_(neighbours), half_(half) {}

    std::vector<int> divide_from(int first) {
        std::vector<int> together{first};
        half_[first] = 0;
        for (std::size_t i = 0; i < together.size(); ++i) {
            for (const int other : neighbours_[together[i]]) {
                if (half_[other] < 0) {
                    half_[other] = 1 - half_[together[i]];
                    together.push_back(other);
                }
            }
        }
        return together;
    }

  private:
    const std::vector<std::set<int>> &neighbours_;
    std::vector<int> &half_;
};

bool is_a_field(const System &system, int field) {
    const Term &rate = system.rates.terms()[system.rate_of[field]];
    return rate.operation == Operation::FIELD && rate.offset == nowhere_else;
}

/// Of a sum its parts, however it is nested.
void add_addends(const formulas::Node &tree, std::vector<const formulas::Node *> &addends) {
    const bool sum = tree.kind == formulas::NodeKind::call && (tree.name == "+" || tree.name == "-");
    if (!sum) {
        addends.push_back(&tree);
        return;
    }
    for (const formulas::Node &child : tree.children) {
        add_addends(child, addends);
    }
}

/// Whether a formula reads a field, directly or by parts.
bool leads_to(const formulas::Node &tree, const std::string &field, const SystemConfig &config) {
    for (const formulas::Node *const name : formulas::names_in(tree)) {
        const auto part = std::find_if(config.parts.begin(), config.parts.end(),
                                       [&](const auto &one) { return one.first == name->name; });
        if (name->name == field ||
            (part != config.parts.end() && leads_to(formulas::parse(part->second.text), field, config))) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<std::size_t> Roles::positions() const {
    std::vector<std::size_t> found;
    for (std::size_t place = 0; place < of.size(); ++place) {
        if (of[place] != ROLE_NONE) {
            found.push_back(place);
        }
    }
    return found;
}

Roles leapfrog_roles(const System &system) {
    const int fields = static_cast<int>(system.fields.size());
    std::vector<std::set<int>> reads(fields), neighbours(fields);
    for (int field = 0; field < fields; ++field) {
        reads[field] = fields_read(system, system.rate_of[field]);
        for (const int other : reads[field]) {
            neighbours[field].insert(other);
            neighbours[other].insert(field);
        }
    }
    Roles roles{std::vector<std::uint32_t>(fields, ROLE_NONE), true};
    std::vector<int> half(fields, -1);
    for (int first = 0; first < fields; ++first) {
        if (half[first] >= 0 || neighbours[first].empty()) {
            continue;
        }
        const std::vector<int> together = Halves(neighbours, half).divide_from(first);
        const auto are_velocities = [&](int which) {
            return std::all_of(together.begin(), together.end(),
                               [&](int field) { return half[field] != which || is_a_field(system, field); });
        };
        const int positions = !are_velocities(0) && are_velocities(1) ? 1 : 0;
        roles.rates_are_velocities = roles.rates_are_velocities && are_velocities(positions);
        for (const int field : together) {
            if (half[field] == positions) {
                const Term &rate = system.rates.terms()[system.rate_of[field]];
                roles.of[field] =
                    is_a_field(system, field) ? static_cast<std::uint32_t>(rate.index) : ROLE_MOVES;
            }
        }
    }
    for (int field = 0; field < fields && roles.divided(); ++field) {
        const auto same = std::find_if(reads[field].begin(), reads[field].end(),
                                       [&](int other) { return half[other] == half[field]; });
        if (same != reads[field].end()) {
            roles.field = field;
            roles.reads = *same;
        }
    }
    if (!roles.rates_are_velocities) {
        std::replace_if(
            roles.of.begin(), roles.of.end(), [](std::uint32_t role) { return role < ROLE_MOVES; },
            ROLE_MOVES);
    }
    return roles;
}

std::string why_not_divided(const Roles &roles, const SystemConfig &config) {
    if (roles.divided()) {
        return {};
    }
    const std::string &field = config.fields[roles.field].name, &read = config.fields[roles.reads].name;
    const formulas::Node tree = formulas::parse(config.fields[roles.field].rate.text);
    std::vector<const formulas::Node *> addends;
    add_addends(tree, addends);
    const auto found = std::find_if(addends.begin(), addends.end(), [&](const formulas::Node *addend) {
        return leads_to(*addend, read, config);
    });
    const std::string term = found != addends.end()
                                 ? fmt::format("by its term '{}'", formulas::to_text(**found))
                                 : "by a formula of a side";
    return fmt::format(
        "time.method: leapfrog updates positions from velocities and velocities from positions, but the rate "
        "of '{}' depends on '{}'{} {}; use rk4, or write that term without '{}'",
        field, read, field == read ? " itself" : ", which is updated at the same time,", term, read);
}

}  // namespace perdure::systems
