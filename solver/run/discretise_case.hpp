// The operator and right-hand side of each field of a case.
#pragma once

#include <vector>

#include "solver/run/discretise.hpp"
#include "solver/run/image_operator.hpp"
#include "solver/run/implicit_steps.hpp"

namespace perdure {

/// Of an image they are made on the device.
template <typename Real>
std::vector<Discretisation<Real>> discretise_case(const PreparedCase &prepared) {
    const Problem &problem = prepared.problem;
    return prepared.image
               ? std::vector{discretise_image<Real>(problem.grid, problem.only_field(),
                                                    prepared.cells.front(), prepared.plan.by_labels)}
               : discretise<Real>(problem, prepared.cells, prepared.plan.by_labels, first_mass(prepared));
}

}  // namespace perdure
