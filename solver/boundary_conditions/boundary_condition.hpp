// The boundary conditions: one descriptor for each kind of side, and a registry of all of them. The rest of the program
// reads the properties from these descriptors.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "solver/problem/problem.hpp"

namespace perdure {

/// A condition on one face of a side, affine in u: a du/dn = flux + coefficient (level - u), n outward and u at the face. An
/// infinite coefficient: u = level.
struct FaceCondition {
    double flux = 0.0;
    double coefficient = 0.0;  // >= 0
    double level = 0.0;

    [[nodiscard]] bool fixes_level() const { return coefficient > 0.0; }
};

/// What is left of a condition when all that it prescribes is 0: it decides which waves fit between two sides.
enum class BoundaryType {
    neumann,    // coefficient 0
    dirichlet,  // infinite coefficient
    robin,      // any coefficient
    periodic,   // no condition: cells at the two sides are neighbours
};

/// The standard name, such as "Dirichlet".
const char *title(BoundaryType type);

/// Whether conditions of this type can fix the level of u. Those of a Robin condition whose coefficients are all 0 do not.
constexpr bool can_fix_level(BoundaryType type) {
    return type == BoundaryType::dirichlet || type == BoundaryType::robin;
}

/// A value that a case gives for a side.
struct SideInput {
    /// Where it is kept. A side has at most one of each.
    enum class Slot {
        values,      // flux and level are proportional to it; it may have a factor in time
        coefficient  // enters the coefficient, too; constant in time
    };
    const char *key;     // in the map under the word of its kind; empty: that word takes the value itself
    const char *symbol;  // in the statement of the condition
    Slot slot = Slot::values;
    bool not_negative = false;

    [[nodiscard]] const ValueSource &source(const SideConfig &side) const {
        return slot == Slot::values ? side.values : side.coefficient;
    }
    [[nodiscard]] ValueSource &source(SideConfig &side) const {
        return slot == Slot::values ? side.values : side.coefficient;
    }
    [[nodiscard]] Samples &samples(Side &side) const {
        return slot == Slot::values ? side.values : side.coefficient;
    }
};

/// A kind of side as the rest of the program sees it.
struct BoundaryCondition {
    SideKind kind;
    BoundaryType type;
    const char *statement;              // for people: the condition as an equation, or in words
    std::span<const SideInput> inputs;  // empty: a case gives the word alone

    /// The condition on a face of a side of this kind, at a time when the factor of the side is 1.
    FaceCondition (*at_face)(const Side &side, std::int64_t face);
};

/// Whether a case gives its one value under its word, without a map between them.
inline bool is_given_by_word(const BoundaryCondition &condition) {
    return condition.inputs.size() == 1 && *condition.inputs.front().key == '\0';
}

/// In the order in which texts list them.
std::span<const BoundaryCondition *const> all_boundary_conditions();

const BoundaryCondition &condition_of(SideKind kind);

/// How a case file gives a side of this kind, such as "{exchange: {coefficient: h, ambient: v}}".
std::string notation(const BoundaryCondition &condition);

/// Those of all kinds: "{value: v}, {flux: q}, ... or periodic".
std::string notations();

/// "value or exchange": the words of the kinds that can fix the level of u.
std::string kinds_that_fix_level();

/// The condition on a face of a side.
FaceCondition face_condition(const Side &side, std::int64_t face);

/// Number of faces, or 1 where all have the same condition.
inline std::int64_t distinct_faces(const Side &side) {
    return static_cast<std::int64_t>(std::max(side.values.values.size(), side.coefficient.values.size()));
}

/// Whether the condition on some face of the side is such a one.
template <std::predicate<const FaceCondition &> Wanted>
bool any_face(const Side &side, const Wanted &wanted) {
    const BoundaryCondition &condition = condition_of(side.kind);
    for (std::int64_t face = 0; face < distinct_faces(side); ++face) {
        if (wanted(condition.at_face(side, face))) {
            return true;
        }
    }
    return false;
}

/// Whether the condition on some face fixes the level of u.
bool fixes_level(const Side &side);

/// Of a Side or a SideConfig.
template <typename AnySide>
BoundaryType type_of(const AnySide &side) {
    return condition_of(side.kind).type;
}

/// Whether cells at the two sides of an axis are neighbours.
template <typename AnySide>
bool is_periodic(const std::array<AnySide, 6> &sides, int axis) {
    return type_of(sides[2 * static_cast<std::size_t>(axis)]) == BoundaryType::periodic;
}

/// Whether nothing flows through any face, whatever u is.
bool is_insulated(const Side &side);

/// The value of u on all faces, where the condition is that u has one value; empty elsewhere.
std::optional<double> held_value(const Side &side);

}  // namespace perdure
