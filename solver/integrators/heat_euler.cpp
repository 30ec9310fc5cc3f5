#include <algorithm>
#include <array>

#include "kernels/heat_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/reference/reference.hpp"
#include "solver/resident/plan_resident.hpp"

namespace perdure {
namespace {

constexpr std::array heat_fields{RUN_KERNEL_FIELDS(HEAT_SEGMENTED_FIELDS)};

ValuesMoved moved_by_heat(const ProblemTraits &traits) {
    const int coefficients = traits.variable ? 1 + traits.conductances() : 0;
    const int fields = 3 + traits.factors + coefficients;  // read u, every b, write u
    return {fields, fields};
}

/// That of the field whose operator is stiffest.
double smallest(const std::vector<double> &of_explicit_euler) {
    return *std::min_element(of_explicit_euler.begin(), of_explicit_euler.end());
}

const Method explicit_euler{
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

extern const Integrator heat_euler;
const Integrator heat_euler{
    .equation = ProblemType::heat,
    .word = TimeIntegrator::euler,
    .order = 1,
    .stages = 1,
    .stable_time_step = smallest,
    .method = explicit_euler,
};

}  // namespace perdure
