// Decides which fields of a system are positions and which are velocities, for methods that update them in turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/systems/system.hpp"

namespace perdure::systems {

struct Roles {
    /// Of each field ROLE_NONE for a velocity; for a position ROLE_MOVES or, where its rate is a velocity itself, that field.
    std::vector<std::uint32_t> of;
    bool rates_are_velocities = false;  // of all positions
    /// Where the fields cannot be divided: the rate of `field` depends on `reads`, which is on the same side.
    int field = -1, reads = -1;

    [[nodiscard]] bool divided() const { return field < 0; }
    [[nodiscard]] std::vector<std::size_t> positions() const;
};

/// Divides the fields so that rates of positions depend on velocities alone and those of velocities on positions alone, sides of the
/// fields that they look at included. Where either half of fields that hang together could be the positions, these are fields
/// whose rates are velocities themselves, else the first field is one. A field that hangs together with none is a velocity.
Roles leapfrog_roles(const System &system);

/// Why there is no such division, in words that name the term; empty where there is one.
std::string why_not_divided(const Roles &roles, const SystemConfig &config);

}  // namespace perdure::systems
