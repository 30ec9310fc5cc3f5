#include "solver/methods/method.hpp"

#include <array>

namespace perdure {

std::span<const Method *const> all_methods() {
    static constexpr std::array methods{&jacobi_method,   &chebyshev_method,    &sor_method,
                                        &cg_method,       &cg_multigrid_method, &multigrid_method,
                                        &bicgstab_method, &heat_method};
    return methods;
}

const Method &method_of(const Config &config) {
    if (config.type == ProblemType::heat) {
        return heat_method;
    }
    switch (config.solver.method) {
        case SolverMethod::jacobi:
            return jacobi_method;
        case SolverMethod::chebyshev:
            return chebyshev_method;
        case SolverMethod::sor:
            return sor_method;
        case SolverMethod::multigrid:
            return multigrid_method;
        case SolverMethod::bicgstab:
            return bicgstab_method;
        case SolverMethod::cg:
            break;
    }
    return config.solver.preconditioner == Preconditioner::multigrid ? cg_multigrid_method : cg_method;
}

bool is_unpreconditioned(const Config &config) {
    return method_of(config).may_be_unpreconditioned && config.solver.preconditioner == Preconditioner::none;
}

}  // namespace perdure
