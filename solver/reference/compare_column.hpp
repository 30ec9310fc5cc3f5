// The column of an effective tensor against the fluxes of the reference's field.
#pragma once

#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// The largest difference between the mean fluxes of a run and those of the field u of the reference, relative to the coefficient of the
/// run. Those across the direction only where `periodic`: with insulated sides they are no entries of a tensor.
double difference_of_column(const Grid &grid, const Field &field, const FieldValues &u,
                            const EffectiveProperties &found, bool periodic);

}  // namespace perdure
