#include <array>

#include "kernels/heat_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/reference/reference.hpp"
#include "solver/resident/plan_resident.hpp"

namespace perdure {
namespace {

constexpr std::array heat_fields{RUN_KERNEL_FIELDS(HEAT_FIELDS)};

ValuesMoved moved_by_heat(const ProblemTraits &traits) {
    const int coefficients = traits.variable ? 1 + traits.conductances() : 0;
    const int fields = 3 + traits.factors + coefficients;  // read u, every b, write u
    return {fields, fields};
}

const Method explicit_euler_method{
    .name = "heat",
    .title = "explicit Euler",
    .kernel = "heat",
    .fields = heat_fields,
    .in_time = true,
    .reference = reference::step_explicit_euler,
    .values_moved = moved_by_heat,
    .plan_resident = plan_stepping,
};

}  // namespace

extern const Integrator explicit_euler;
const Integrator explicit_euler{
    .word = TimeIntegrator::euler,
    .order = 1,
    .stages = 1,
    .stability_limit = 2.0,
    .method = explicit_euler_method,
};

}  // namespace perdure
