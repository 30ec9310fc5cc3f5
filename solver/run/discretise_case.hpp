// The operator and right-hand side of each field of a case.
#pragma once

#include <vector>

#include "solver/run/discretise.hpp"
#include "solver/run/image_operator.hpp"
#include "solver/run/implicit_steps.hpp"
#include "solver/run/operator_in_parts.hpp"
#include "solver/run/run_memory.hpp"

namespace perdure {

/// Of an image they are made on the device; write_operators() gives it those that are in parts.
template <typename Real>
std::vector<Discretisation<Real>> discretise_case(const PreparedCase &prepared) {
    const Problem &problem = prepared.problem;
    return prepared.image
               ? std::vector{discretise_image<Real>(problem.grid, problem.only_field(),
                                                    prepared.cells.front(), prepared.plan.by_labels)}
               : discretise<Real>(problem, prepared.cells, prepared.plan.by_labels, first_mass(prepared),
                                  OperatorStorage::in_parts);
}

/// Behind the construction of the DeviceRun.
template <typename Real>
void write_operators(const PreparedCase &prepared, const RunMemory<Real> &memory, const KernelCall &call,
                     DeviceRun &run) {
    for (std::size_t i = 0; i < prepared.problem.fields.size(); ++i) {
        if (memory.is_in_parts(i)) {
            write_in_parts<Real>(
                {prepared.problem.grid, prepared.problem.fields[i], prepared.cells.at(i),
                 first_mass(prepared), i == 0 && is_unpreconditioned(prepared.config), memory.prefix(i)},
                call, run);
        }
    }
}

}  // namespace perdure
