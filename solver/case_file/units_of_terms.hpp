// How the units of the values of a problem hang together: all terms of its equation have the same.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "solver/systems/units.hpp"

namespace perdure {

/// The units of a value as a product of those of a, of u and others.
struct UnitsOfTerm {
    int a = 0, u = 0;
    systems::Units others;
};

struct KeyWithUnits {
    std::string_view path;  // of a side: below boundary.SIDE
    UnitsOfTerm of;
};

/// Keys whose values stand in the equation or in the condition of a side.
std::span<const KeyWithUnits> keys_with_units();

/// Of a component of the velocity: v . grad u stands beside du/dt, or in a steady problem beside div(a grad u) alone. `type`: the word
/// of problem.type.
UnitsOfTerm units_of_velocity(std::string_view type);

/// Of a where the equation fixes them: of a wave, and of heat without a capacity.
std::optional<systems::Units> units_of_a(std::string_view type, bool has_capacity);

}  // namespace perdure
