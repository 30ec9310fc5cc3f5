#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure {
namespace {

/// Nothing flows through the side itself: what crosses it goes to the neighbour.
FaceCondition periodic_at_face(const Side & /*side*/, std::int64_t /*face*/) {
    return {};
}

}  // namespace

extern const BoundaryCondition periodic_condition;
const BoundaryCondition periodic_condition{
    .kind = SideKind::periodic,
    .type = BoundaryType::periodic,
    .statement = "joined to the opposite side, which must also be periodic",
    .inputs = {},
    .at_face = periodic_at_face,
};

}  // namespace perdure
