#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure {
namespace {

constexpr std::array flux_inputs{SideInput{.key = "", .symbol = "q"}};

FaceCondition flux_at_face(const Side &side, std::int64_t face) {
    return {.flux = side.values[face]};
}

}  // namespace

extern const BoundaryCondition flux_condition;
const BoundaryCondition flux_condition{
    .kind = SideKind::flux,
    .type = BoundaryType::neumann,
    .statement = "a du/dn = q",
    .inputs = flux_inputs,
    .at_face = flux_at_face,
};

}  // namespace perdure
