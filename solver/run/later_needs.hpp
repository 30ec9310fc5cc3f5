// What of a case's samples is still needed once the device has its fields.
#pragma once

#include "solver/run/run_case.hpp"

namespace perdure {

/// Of each field.
struct LaterNeeds {
    bool all = false;           // the host makes matrices anew during the run
    bool through_flow = false;  // effective coefficients are made of a; sources and sigma are 0
    bool a = false;             // those are, and fluxes that are written
    bool initial = false;       // says where the mean of u lies, which nothing else fixes
};

LaterNeeds later_needs(const PreparedCase &prepared, std::size_t field);

/// Whether anything is to be known of the fields of a solution besides what the device finds. `through_flow`: LaterNeeds::through_flow of the
/// first field, before samples are given up.
bool looks_at_fields(const PreparedCase &prepared, bool through_flow);

/// Frees the samples of the problem that nothing needs any more. What stands in their place is no number.
void give_up_samples(PreparedCase &prepared);

}  // namespace perdure
