// The operator and right-hand side of each field of a case.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/ranks/ranks.hpp"
#include "solver/run/discretise.hpp"
#include "solver/run/image_operator.hpp"
#include "solver/run/implicit_steps.hpp"
#include "solver/run/operator_in_parts.hpp"
#include "solver/run/run_memory.hpp"

namespace perdure {

/// The entries of a small operator that stays the same are kept when they are surveyed; those of a large one are computed once more, in parts,
/// when the device is given them.
inline OperatorStorage storage_of(const PreparedCase &prepared) {
    constexpr std::int64_t most_cells_to_keep = 1 << 16;
    const bool is_kept = prepared.problem.grid.count() <= most_cells_to_keep &&
                         prepared.plan.method->implicit == nullptr && !prepared.problem.system &&
                         ranks() == nullptr;
    return is_kept ? OperatorStorage::whole : OperatorStorage::in_parts;
}

/// Of an image they are made on the device; write_fields() gives it what is in parts.
template <typename Real>
std::vector<Discretisation<Real>> discretise_case(const PreparedCase &prepared) {
    const Problem &problem = prepared.problem;
    return prepared.image
               ? std::vector{discretise_image<Real>(problem.grid, problem.only_field(),
                                                    prepared.cells.front(), prepared.plan.by_labels)}
               : discretise<Real>(problem, prepared.cells, prepared.plan.by_labels, first_mass(prepared),
                                  storage_of(prepared));
}

/// Behind the construction of the DeviceRun.
template <typename Real>
void write_fields(const PreparedCase &prepared, const RunMemory<Real> &memory, const KernelCall &call,
                  DeviceRun &run) {
    const bool left_out = prepared.config.watched_as != nullptr;
    for (std::size_t i = 0; i < prepared.problem.fields.size(); ++i) {
        const Discretisation<Real> &made = memory.discretisation(i);
        if (!made.in_parts) {
            continue;
        }
        const FieldInParts of{prepared.problem.grid,
                              prepared.problem.fields[i],
                              prepared.cells.at(i),
                              first_mass(prepared),
                              i == 0 && is_unpreconditioned(prepared.config),
                              memory.prefix(i)};
        if (!made.uniform && !prepared.problem.system) {
            write_operator<Real>(of, made.labels.coefficients, call, run);
        }
        write_right_hand_sides<Real>(of, memory.name_of_b(), made.factors, call, run);
        write_initial<Real>(of, left_out, call, memory.initial_buffer(i), memory.answer_offset(i), run);
    }
}

}  // namespace perdure
