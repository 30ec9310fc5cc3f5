#include <array>

#include "kernels/jacobi_fields.h"
#include "solver/methods/method.hpp"
#include "solver/resident/plan_resident.hpp"

namespace perdure {
namespace {

constexpr std::array jacobi_fields{RUN_KERNEL_FIELDS(JACOBI_FIELDS)};

ValuesMoved moved_by_jacobi(const ProblemTraits &traits) {
    const int fields = 3 + traits.operator_with_inverse();  // read u, b, write u
    return {fields, fields};
}

}  // namespace

const Method jacobi_method{
    .name = "jacobi",
    .title = "jacobi",
    .kernel = "jacobi",
    .fields = jacobi_fields,
    .solver = SolverMethod::jacobi,
    .reference = reference::solve_steady,
    .growth_of_iterations = 2,
    .values_moved = moved_by_jacobi,
    .plan_resident = plan_stepping,
    .scales_each_cell = true,
    .resident_rounding_of_norms = 1.0e-12,
};

}  // namespace perdure
