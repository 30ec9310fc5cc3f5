#include "tests/kernels/true_residual.hpp"

#include <Eigen/Sparse>

#include "solver/reference/assemble.hpp"

namespace perdure::tests {

Norms residual_norms(const Problem &problem, const FieldValues &u) {
    const reference::Equations equations = reference::assemble(problem.grid, problem.only_field());
    Eigen::VectorXd values(problem.grid.count());
    for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
        values[i] = value_at(u, i);
    }
    const Eigen::VectorXd residual = equations.sources.at("") - equations.matrix * values;
    return {residual.norm(), residual.lpNorm<Eigen::Infinity>()};
}

Norms right_hand_side_norms(const Problem &problem) {
    return residual_norms(problem, std::vector<double>(static_cast<std::size_t>(problem.grid.count()), 0.0));
}

}  // namespace perdure::tests
