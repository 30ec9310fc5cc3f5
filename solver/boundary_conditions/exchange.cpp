#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure {
namespace {

constexpr std::array exchange_inputs{
    SideInput{
        .key = "coefficient", .symbol = "h", .slot = SideInput::Slot::coefficient, .not_negative = true},
    SideInput{.key = "ambient", .symbol = "v"}};

FaceCondition exchange_at_face(const Side &side, std::int64_t face) {
    return {.coefficient = side.coefficient[face], .level = side.values[face]};
}

}  // namespace

extern const BoundaryCondition exchange_condition;
const BoundaryCondition exchange_condition{
    .kind = SideKind::exchange,
    .type = BoundaryType::robin,
    .statement = "a du/dn = h (v - u)",
    .inputs = exchange_inputs,
    .at_face = exchange_at_face,
};

}  // namespace perdure
