// Decides whether compiling a resident kernel is worth the time.
#pragma once

#include "solver/run/run_case.hpp"

namespace perdure::compare {

/// Steps of a run in time. Of a steady one about as many iterations as a Poisson problem of that size takes to its tolerance, at most
/// max_iterations: what coefficients add is not known before the run.
double expected_iterations(const PreparedCase &prepared);

/// How long the resident kernel of this case would have to be compiled, in s: 0 where there is none, or its code is there.
double seconds_to_compile_resident(const PreparedCase &prepared);

/// Whether a run of so many seconds by phases is worth waiting for the compiler: a resident kernel is expected to halve it.
bool is_worth_compiling(double seconds_to_compile, double seconds_of_run);

}  // namespace perdure::compare
