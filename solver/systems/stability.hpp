// Computes how large the steps of an explicit method may be for a system.
#pragma once

#include "solver/integrators/system_steps.hpp"
#include "solver/problem/problem.hpp"
#include "solver/systems/system.hpp"

namespace perdure::systems {

struct StableStep {
    double step = 0.0;        // the largest that is stable; infinite where nothing decays or oscillates
    bool linear = false;      // the system is, so that this holds at all times
    double fastest = 0.0;     // the largest magnitude of an eigenvalue, 1 / time
    bool oscillates = false;  // an eigenvalue without decay is what limits the step
};

/// Von Neumann's analysis of the system linearised about its initial values (Charney, Fjortoft and von Neumann 1950; LeVeque, Finite
/// Difference Methods, section 9.6): in up to some hundred cells spread over the grid, and for waves of 2 to 8 cells along each axis, the
/// eigenvalues of sum_o dF/du(o) exp(i theta . o), o the offsets that formulas look at. A step is stable where the method
/// amplifies none; of what grows by itself only its rate counts. The step is the smallest of all cells; unless
/// `smallest` is asked for, that of a system that is not linear is the smallest of all cells but a fiftieth, since where fields jump, what
/// surrounds a cell is not what the analysis takes it for.
/// `initial` and `coefficients` are those of the problem. Beside sides whose formulas have fields, what lies beyond depends on what is
/// inside as they say; other sides limit steps no more than inner cells do.
StableStep stable_step(const System &system, const Grid &grid, const std::vector<Field> &initial,
                       const std::vector<Samples> &coefficients, double start_time, const SystemSteps &steps,
                       bool smallest);

/// The largest magnitude, 1 / time, of an eigenvalue of the system without diffusion: of the same matrices where all cells have the values
/// of one, less what waves in opposite directions have in common beyond what holds without waves. Reactions are left, and transport.
double fastest_beside_diffusion(const System &system, const Grid &grid, const std::vector<Field> &initial,
                                const std::vector<Samples> &coefficients, double start_time);

/// What a case may say of time.dt: {cfl: ..}: the rates of `system` without what waves carry.
System without_waves(const System &system);

/// Whether all rates and what holds at sides are linear in the fields, up to terms without fields.
bool is_linear(const System &system);

}  // namespace perdure::systems
