#include <array>
#include <cmath>

#include "kernels/wave_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array wave_fields{RUN_KERNEL_FIELDS(WAVE_FIELDS)};

/// 2 / sqrt(largest eigenvalue) of the operator of u, whose step of explicit Euler is 2 / largest eigenvalue (Courant, Friedrichs and
/// Lewy 1928). Damping does not limit it.
double courant_limit(const std::vector<double> &of_explicit_euler) {
    return std::sqrt(2.0 * of_explicit_euler.front());
}

ValuesMoved moved_by_wave(const ProblemTraits &traits) {
    const int coefficients = traits.variable ? 2 + traits.conductances() : 0;
    const int fields = 5 + traits.factors + coefficients;  // read u, v, every b, write u, v
    return {fields, fields};
}

const Method verlet_steps{
    .name = "wave",
    .title = "Stoermer-Verlet",
    .kernel = "wave",
    .fields = wave_fields,
    .in_time = true,
    .source_time = 0.5,
    .reference = reference::step_wave,
    .values_moved = moved_by_wave,
    .no_resident = "there is no resident kernel of the wave equation",
};

}  // namespace

extern const Integrator wave_verlet;
const Integrator wave_verlet{
    .equation = ProblemType::wave,
    .word = TimeIntegrator::verlet,
    .order = 2,
    .stages = 1,
    .stable_time_step = courant_limit,
    .method = verlet_steps,
};

}  // namespace perdure
