#include <array>

#include "kernels/heat_fields.h"
#include "solver/methods/method.hpp"
#include "solver/resident/plan_resident.hpp"

namespace perdure {
namespace {

constexpr std::array heat_fields{RUN_KERNEL_FIELDS(HEAT_FIELDS)};

ValuesMoved moved_by_heat(const ProblemTraits &traits) {
    const int coefficients = traits.variable ? 1 + traits.conductances() : 0;
    const int fields = 3 + traits.factors + coefficients;  // read u, every b, write u
    return {fields, fields};
}

}  // namespace

const Method heat_method{
    .name = "heat",
    .kernel = "heat",
    .fields = heat_fields,
    .values_moved = moved_by_heat,
    .plan_resident = plan_stepping,
};

}  // namespace perdure
