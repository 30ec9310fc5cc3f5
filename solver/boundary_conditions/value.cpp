#include <limits>

#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure {
namespace {

constexpr std::array value_inputs{SideInput{.key = "", .symbol = "v"}};

FaceCondition value_at_face(const Side &side, std::int64_t face) {
    return {.coefficient = std::numeric_limits<double>::infinity(), .level = side.values[face]};
}

}  // namespace

extern const BoundaryCondition value_condition;
const BoundaryCondition value_condition{
    .kind = SideKind::value,
    .type = BoundaryType::dirichlet,
    .statement = "u = v",
    .inputs = value_inputs,
    .at_face = value_at_face,
};

}  // namespace perdure
