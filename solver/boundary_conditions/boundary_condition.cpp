#include "solver/boundary_conditions/boundary_condition.hpp"

#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/in_words.hpp"

namespace perdure {

extern const BoundaryCondition value_condition, flux_condition, exchange_condition, periodic_condition;

std::span<const BoundaryCondition *const> all_boundary_conditions() {
    static constexpr std::array conditions{&value_condition, &flux_condition, &exchange_condition,
                                           &periodic_condition};
    return conditions;
}

const BoundaryCondition &condition_of(SideKind kind) {
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        if (condition->kind == kind) {
            return *condition;
        }
    }
    throw std::logic_error("internal error: a kind of side has no boundary condition");
}

const char *title(BoundaryType type) {
    switch (type) {
        case BoundaryType::neumann:
            return "Neumann";
        case BoundaryType::dirichlet:
            return "Dirichlet";
        case BoundaryType::robin:
            return "Robin";
        default:
            return "periodic";
    }
}

std::string notation(const BoundaryCondition &condition) {
    const char *const word = name(condition.kind);
    if (condition.inputs.empty()) {
        return word;
    }
    if (is_given_by_word(condition)) {
        return fmt::format("{{{}: {}}}", word, condition.inputs.front().symbol);
    }
    std::vector<std::string> entries;
    for (const SideInput &input : condition.inputs) {
        entries.push_back(fmt::format("{}: {}", input.key, input.symbol));
    }
    return fmt::format("{{{}: {{{}}}}}", word, fmt::join(entries, ", "));
}

std::string notations() {
    std::vector<std::string> all;
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        all.push_back(notation(*condition));
    }
    return in_words(all, "or");
}

std::string kinds_that_fix_level() {
    std::vector<std::string> words;
    for (const BoundaryCondition *const condition : all_boundary_conditions()) {
        if (can_fix_level(condition->type)) {
            words.emplace_back(name(condition->kind));
        }
    }
    return in_words(words, "or");
}

FaceCondition face_condition(const Side &side, std::int64_t face) {
    return condition_of(side.kind).at_face(side, face);
}

bool fixes_level(const Side &side) {
    return any_face(side, [](const FaceCondition &face) { return face.fixes_level(); });
}

bool is_insulated(const Side &side) {
    return type_of(side) == BoundaryType::neumann &&
           !any_face(side, [](const FaceCondition &face) { return face.flux != 0.0; });
}

std::optional<double> held_value(const Side &side) {
    return type_of(side) == BoundaryType::dirichlet && distinct_faces(side) == 1
               ? std::optional(face_condition(side, 0).level)
               : std::nullopt;
}

}  // namespace perdure
